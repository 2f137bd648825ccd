// mistral, read only: [TOOL_CALLS]f[ARGS]{…} of the newer models and [TOOL_CALLS][{"name": …, "arguments": …}] of the older.

import { createSectionReader } from "../call-section.ts";
import { combineReaders } from "../combine-readers.ts";
import type { Opener, ReadableFormat } from "../format.ts";
import { readArguments } from "./json-arguments.ts";
import { createSteppingReader, needsMore, type Step, type StepInput, skipSpace } from "./stepping-reader.ts";

// Marks

const argumentsMark = "[ARGS]";
const opener: Opener = { text: "[TOOL_CALLS]", special: true, position: "anywhere", strength: "certain" };

/** Reads calls of the Mistral family. */
export const mistral: ReadableFormat = {
  name: "mistral",
  openers: [opener],
  parser: ({ lenient = false } = {}) =>
    combineReaders([createSteppingReader((input) => step(input, lenient)), createSectionReader({ lenient })]),
};

// Parser

const head = /^([^\s[\]{}"]+)(?:\[CALL_ID\][A-Za-z0-9]*)?\[ARGS\]/;
const headBegins = /^[^\s[\]{}"]*(?:\[[A-Z_]*\]?[A-Za-z0-9]*)?(?:\[[A-Z]*)?$/;

function step({ text, at, isOver, calls }: StepInput, lenient: boolean): Step {
  if (calls > 0) return { type: "end", at };
  const start = skipSpace(text, at);
  const rest = text.slice(start);
  const found = head.exec(rest);
  const name = found?.[1];
  if (found === null || name === undefined) {
    if (!isOver && headBegins.test(rest)) return needsMore;
    return { type: "broken", at: start, reason: `NAME${argumentsMark} expected` };
  }
  return readArguments({ text, at: start + found[0].length, isOver, name, lenient });
}
