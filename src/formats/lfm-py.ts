// lfm-py: <|tool_call_start|>[f(a='x', b=1), g()]<|tool_call_end|>, calls with Python literals.
// LFM2 and LFM2.5, which also write the bare list, or JSON between the marks.

import { createSectionReader } from "./call-section.ts";
import { combineReaders } from "./combine-readers.ts";
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createPythonReader, functionPattern } from "./python-calls.ts";
import { keywordArguments } from "./python-layout.ts";

// Marks

const closer = "<|tool_call_end|>";
const opener: Opener = {
  text: "<|tool_call_start|>",
  special: true,
  position: "anywhere",
  strength: "certain",
};
const bareOpener: Opener = { text: "[", special: false, position: "turn-start", strength: "likely" };

/** Calls as a list in Python between marks. */
export const lfmPy: Format = createNamedFormat({
  name: "lfm-py",
  openers: [opener, bareOpener],
  silent: [closer],
  prompt: {
    instruction: "write a Python call in a list between these marks",
    several: "For several calls, write them all in one list.",
  },
  names: new RegExp(`^${functionPattern}$`),
  frame: { first: `${opener.text}[`, between: "(", next: "), ", last: `)]${closer}` },
  layout: () => keywordArguments,
  root: ({ opener: { text }, parallel }) => {
    if (text === bareOpener.text) return parallel ? "bare-several" : "bare-one";
    return parallel ? "several" : "one";
  },
  reader: ({ opener: { text }, lenient }) => {
    if (text === bareOpener.text) return createPythonReader({ begun: true, lenient });
    return combineReaders([
      createPythonReader({ begun: false, closer, lenient }),
      createSectionReader({ lenient, closer }),
    ]);
  },
});
