// fn-gemma: <start_function_call>call:f{k:<escape>v<escape>,n:1}<end_function_call>. FunctionGemma.
import type { Format, Opener } from "./format.ts";
import { createGemmaReader, functionPattern } from "./gemma-calls.ts";
import { gemmaArguments } from "./gemma-layout.ts";
import { createNamedFormat } from "./named-format.ts";

// Marks

const closer = "<end_function_call>";
const quote = "<escape>";
const opener: Opener = {
  text: "<start_function_call>",
  special: true,
  position: "anywhere",
  strength: "certain",
};

/** Calls between marks, with strings between <escape> and <escape>. */
export const fnGemma: Format = createNamedFormat({
  name: "fn-gemma",
  openers: [opener],
  silent: [closer],
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
