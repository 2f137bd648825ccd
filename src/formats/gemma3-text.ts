// gemma3-text: a bare list of calls in Python, [f(a=1)], at the turn's start. Gemma 3, which has no marks for calls and writes
// what it is told to.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createPythonReader, functionPattern } from "./python-calls.ts";
import { keywordArguments } from "./python-layout.ts";

// Marks

const opener: Opener = { text: "[", special: false, position: "turn-start", strength: "likely" };

/** Calls as a bare list in Python. */
export const gemma3Text: Format = createNamedFormat({
  name: "gemma3-text",
  openers: [opener],
  prompt: {
    instruction: "answer with nothing but a Python call in a list",
    several: "For several calls, write them all in one list.",
  },
  names: new RegExp(`^${functionPattern}$`),
  frame: { first: opener.text, between: "(", next: "), ", last: ")]" },
  layout: () => keywordArguments,
  reader: ({ lenient }) => createPythonReader({ begun: true, lenient }),
});
