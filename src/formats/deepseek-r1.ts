// deepseek-r1: calls in a section of marks of their own, each as a name and a fence with its arguments. DeepSeek R1 and its
// distilled models.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createNamedReader, type Head } from "./named-section.ts";
import { skipSpace, standsAt } from "./stepping-reader.ts";

// Marks

const callOpen = "<｜tool▁call▁begin｜>";
const callClose = "<｜tool▁call▁end｜>";
const separator = "<｜tool▁sep｜>";
const closer = "<｜tool▁calls▁end｜>";
const fence = "```";
const opener: Opener = {
  text: "<｜tool▁calls▁begin｜>",
  special: true,
  position: "anywhere",
  strength: "certain",
};

/** Calls as names and fenced JSON arguments between marks. */
export const deepseekR1: Format = createNamedFormat({
  name: "deepseek-r1",
  openers: [opener],
  prompt: {
    instruction: "answer with its name and its arguments as JSON between these marks",
    several: `Write one part from ${callOpen} to ${callClose} for each call.`,
  },
  names: /^\S(?:.*\S)?$/,
  frame: {
    first: `${opener.text}${callOpen}function${separator}`,
    between: `\n${fence}json\n`,
    next: `\n${fence}${callClose}\n${callOpen}function${separator}`,
    last: `\n${fence}${callClose}${closer}`,
  },
  reader: ({ lenient }) =>
    createNamedReader({ lenient, head: readHead, tail: [fence, callClose], next: callOpen, closer }),
});

// Parser

const beforeName = [callOpen, "function", separator];

function readHead(text: string): Head {
  let at = 0;
  for (const mark of beforeName) {
    at = skipSpace(text, at);
    const stands = standsAt(mark, text, at);
    if (stands === "maybe") return { type: "more" };
    if (stands === "no") return { type: "broken", at, reason: `${mark} expected` };
    at += mark.length;
  }
  const lineEnd = text.indexOf("\n", at);
  if (lineEnd === -1) return { type: "more" };
  const name = text.slice(at, lineEnd).trim();
  const fenceAt = skipSpace(text, lineEnd);
  const opens = standsAt(`${fence}json`, text, fenceAt);
  if (opens === "maybe") return { type: "more" };
  if (name === "" || opens === "no") {
    return { type: "broken", at: name === "" ? at : fenceAt, reason: "a name and a fence expected" };
  }
  return { type: "head", name, length: fenceAt + fence.length + "json".length };
}
