// harmony, read only: gpt-oss's channels. A call is a message on the commentary channel to functions.NAME:
// <|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>; the recipient may stand in the header too.
import type { Opener, ReadableFormat } from "../format.ts";
import { readArguments } from "./json-arguments.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";

// Marks

const closer = "<|call|>";
const message = "<|message|>";
const shared = { special: true, position: "anywhere", strength: "certain" } as const;
const opener: Opener = { text: "<|channel|>commentary to=", ...shared };
const headerOpener: Opener = { text: "<|start|>assistant to=", ...shared };

/** Reads calls of gpt-oss, its reasoning channel, and its final channel as text. */
export const harmony: ReadableFormat = {
  name: "harmony",
  openers: [opener, headerOpener],
  silent: [
    "<|start|>assistant",
    "<|channel|>final<|message|>",
    "<|channel|>commentary<|message|>",
    "<|end|>",
    "<|return|>",
    closer,
  ],
  reasoning: { start: "<|channel|>analysis<|message|>", end: "<|end|>" },
  parser: ({ lenient = false } = {}) => createSteppingReader((input) => step(input, lenient), closer),
};

// Parser

const recipient = /^(?:functions\.)?([^\s<]+)/;

function step({ text, at, isOver, calls }: StepInput, lenient: boolean): Step {
  if (calls > 0) {
    const after = skipSpace(text, at);
    const closes = standsAt(closer, text, after);
    if (closes === "yes") return { type: "end", at: after + closer.length };
    return closes === "maybe" && !isOver ? needsMore : { type: "end", at };
  }
  const head = text.indexOf(message, at);
  const name = recipient.exec(text.slice(at, head === -1 ? text.length : head))?.[1];
  if (head === -1) {
    if (!isOver) return needsMore;
    const reason = "the call has no message";
    return { type: "broken", at: text.length, reason, ...(name === undefined ? {} : { name }) };
  }
  if (name === undefined) return { type: "broken", at, reason: "a recipient functions.NAME expected" };
  return readArguments({ text, at: head + message.length, isOver, name, lenient });
}
