// gemma4: <|tool_call>call:f{k:<|"|>v<|"|>,n:1}<tool_call|>, bare keys and strings between the token <|"|>. Gemma 4.
import type { Format, Opener } from "./format.ts";
import { createGemmaReader, functionPattern } from "./gemma-calls.ts";
import { gemmaArguments } from "./gemma-layout.ts";
import { createNamedFormat } from "./named-format.ts";

// Marks

const closer = "<tool_call|>";
const quote = '<|"|>';
const opener: Opener = { text: "<|tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Calls between marks, with Gemma's own quotes. */
export const gemma4: Format = createNamedFormat({
  name: "gemma4",
  openers: [opener],
  // The model writes closers too many and empty channels now and then.
  silent: [closer, "<|tool_response>"],
  reasoning: { start: "<|channel>thought", end: "<channel|>" },
  prompt: {
    instruction: "write its name and arguments between these marks",
    several: "Write one such call behind the other.",
  },
  names: new RegExp(`^${functionPattern}$`),
  frame: {
    first: `${opener.text}call:`,
    between: "{",
    next: `}${closer}${opener.text}call:`,
    last: `}${closer}`,
  },
  layout: ({ specialTokens = [] }) => gemmaArguments(quote, specialTokens.includes(quote)),
  reader: ({ lenient }) => createGemmaReader({ quote, closer, lenient }),
});
