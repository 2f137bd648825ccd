// glm-xml, read only: <tool_call>f⏎<arg_key>k</arg_key>⏎<arg_value>v</arg_value>⏎</tool_call>.
// Values are raw text, to be typed by the tool's schema.
import type { Opener, ReadableFormat } from "../format.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";
import { findValueEnd } from "./tagged-values.ts";

// Marks

const closer = "</tool_call>";
const keyOpen = "<arg_key>";
const keyClose = "</arg_key>";
const valueOpen = "<arg_value>";
const valueClose = "</arg_value>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Reads calls of the GLM family. */
export const glmXml: ReadableFormat = {
  name: "glm-xml",
  openers: [opener],
  parser: () => createSteppingReader(step, closer),
};

// Parser

const nameCharacters = /^[^\s<>{}[\]"]+$/;
const valueEnd = { closer: valueClose, followers: [keyOpen, closer] };

function step({ text, at, isOver, calls }: StepInput): Step {
  if (calls > 0) return { type: "end", at };
  const start = skipSpace(text, at);
  const length = text.slice(start).search(/[\s<]/);
  const name = length === -1 ? text.slice(start) : text.slice(start, start + length);
  if (name !== "" && !nameCharacters.test(name))
    return { type: "broken", at: start, reason: "a name expected" };
  if (length === -1) return needsMore;
  if (name === "") return { type: "broken", at: start, reason: "a name expected" };
  return readPairs(text, start + length, name, isOver);
}

function readPairs(text: string, from: number, name: string, isOver: boolean): Step {
  const values = new Map<string, string>();
  const places = new Map<string, readonly [number, number]>();
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    const closes = standsAt(closer, text, at);
    if (closes === "yes") {
      const inputText = text.slice(from, at).trim();
      const call = { name, input: Object.fromEntries(values), inputText, untyped: true, places };
      return { type: "call", call, next: at + closer.length };
    }
    const opens = standsAt(keyOpen, text, at);
    if (opens === "no" && closes === "no") {
      return { type: "broken", at, reason: `${keyOpen} or ${closer} expected`, name };
    }
    const keyEnd = opens === "yes" ? text.indexOf(keyClose, at) : -1;
    if (keyEnd === -1)
      return isOver ? { type: "broken", at, reason: "the tags are not closed", name } : needsMore;
    const key = text.slice(at + keyOpen.length, keyEnd).trim();
    const valueAt = skipSpace(text, keyEnd + keyClose.length);
    const stands = standsAt(valueOpen, text, valueAt);
    if (stands === "no") return { type: "broken", at: valueAt, reason: `${valueOpen} expected`, name };
    if (values.has(key)) return { type: "broken", at, reason: `the key "${key}" stands twice`, name };
    const found = findValueEnd(text, valueAt + valueOpen.length, valueEnd, isOver);
    if (found === undefined || found === "maybe") {
      return isOver
        ? { type: "broken", at: text.length, reason: "the tags are not closed", name }
        : needsMore;
    }
    values.set(key, text.slice(valueAt + valueOpen.length, found.end));
    places.set(key, [valueAt + valueOpen.length, found.end]);
    at = found.next;
  }
}
