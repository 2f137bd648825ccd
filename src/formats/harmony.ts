// harmony: gpt-oss's channels. A call is a message on the commentary channel to functions.NAME, with its arguments as JSON.
// The recipient may stand behind the channel, as the model writes it, or in the header before it, as its template does.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createNamedReader, type Head } from "./named-section.ts";

// Marks

const closer = "<|call|>";
const message = "<|message|>";
const turnStart = "<|start|>assistant";
const recipientPrefix = "functions.";
const shared = { special: true, position: "anywhere", strength: "certain" } as const;
const opener: Opener = { text: "<|channel|>commentary to=", ...shared };
const headerOpener: Opener = { text: `${turnStart} to=`, ...shared };
// The header's own beginning stands in the prompt.
const restOfHeaderOpener: Opener = { ...shared, text: `to=${recipientPrefix}`, position: "turn-start" };

/** Calls on the commentary channel. The analysis channel is reasoning, the final channel text. */
export const harmony: Format = createNamedFormat({
  name: "harmony",
  openers: [opener, headerOpener, restOfHeaderOpener],
  silent: [
    turnStart,
    "<|channel|>final<|message|>",
    "<|channel|>commentary<|message|>",
    "<|end|>",
    "<|return|>",
    closer,
  ],
  reasoning: { start: "<|channel|>analysis<|message|>", end: "<|end|>" },
  prompt: {
    instruction: "send its arguments as JSON to it on the commentary channel",
    several: "For several calls, write one such message behind the other.",
  },
  names: /^[^\s<]+$/,
  frame: {
    first: `${opener.text}${recipientPrefix}`,
    between: ` <|constrain|>json${message}`,
    next: `${closer}${turnStart}${opener.text}${recipientPrefix}`,
    last: closer,
  },
  calls: { call: "between", "header-call": "header-between" },
  root: ({ opener: { text }, parallel }) => {
    if (text === headerOpener.text) return "header";
    if (text === restOfHeaderOpener.text) return "rest-of-header";
    return parallel ? "several" : "one";
  },
  reader: ({ lenient, opener: { text } }) =>
    createNamedReader({
      lenient,
      head: (rest) => readHead(rest, text === restOfHeaderOpener.text ? "" : recipientPrefix),
      tail: [closer],
    }),
});

// Parser

function readHead(text: string, prefix: string): Head {
  const end = text.indexOf(message);
  if (end === -1) return { type: "more" };
  const head = text.slice(0, end);
  const name = /^[^\s<]+/.exec(head.startsWith(prefix) ? head.slice(prefix.length) : head)?.[0];
  if (name === undefined) return { type: "broken", at: 0, reason: "a recipient functions.NAME expected" };
  return { type: "head", name, length: end + message.length };
}
