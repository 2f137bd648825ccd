// smol3-code: <code>f(a='x')⏎g()</code>, calls as lines of Python. What SmolLM3 writes where it takes tools for functions
// of a notebook, as its template's `python_tools` tell it. Other Python than calls of the tools is not read.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createCodeReader, functionPattern } from "./python-calls.ts";
import { keywordArguments } from "./python-layout.ts";

// Marks

const closer = "</code>";
const opener: Opener = { text: "<code>", special: false, position: "line-start", strength: "likely" };

/** Calls as lines of Python between tags. */
export const smol3Code: Format = createNamedFormat({
  name: "smol3-code",
  openers: [opener],
  prompt: {
    instruction: "write a Python call between these tags",
    several: "For several calls, write each on a line of its own.",
  },
  names: new RegExp(`^${functionPattern}$`),
  frame: { first: opener.text, between: "(", next: ")\n", last: `)${closer}` },
  layout: () => keywordArguments,
  reader: ({ lenient }) => createCodeReader({ closer, lenient }),
});
