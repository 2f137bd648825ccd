// phi4: calls as one JSON list between <|tool_call|> and <|/tool_call|>. Phi-4-mini, which also writes the list behind the
// word `functools`.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const closer = "<|/tool_call|>";
const opener: Opener = { text: "<|tool_call|>", special: true, position: "anywhere", strength: "certain" };
const wordOpener: Opener = {
  text: "functools[{",
  special: false,
  position: "turn-start",
  strength: "likely",
};

/** Calls as a JSON list between marks. */
export const phi4: Format = createEnvelopeFormat({
  name: "phi4",
  openers: [opener, wordOpener],
  silent: [closer],
  prompt: {
    instruction: "answer with a JSON list between these marks",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: `${opener.text}[`, next: listComma(options), last: `]${closer}` }),
  root: ({ opener: { text }, parallel }) =>
    `${text === wordOpener.text ? "word-" : ""}${parallel ? "several" : "one"}`,
  rules: (options) => ({ comma: listComma(options) }),
  section: ({ text }) => (text === wordOpener.text ? { begun: "list" } : { closer }),
});
