// nemotron2: calls as one JSON list between <TOOLCALL> and </TOOLCALL>. Nemotron-Nano 2.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const closer = "</TOOLCALL>";
const opener: Opener = { text: "<TOOLCALL>", special: true, position: "anywhere", strength: "certain" };

/** Calls as a JSON list between tags. */
export const nemotron2: Format = createEnvelopeFormat({
  name: "nemotron2",
  openers: [opener],
  prompt: {
    instruction: "answer with a JSON list between these tags",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: `${opener.text}[`, next: listComma(options), last: `]${closer}` }),
  rules: (options) => ({ comma: listComma(options) }),
  section: () => ({ closer }),
});
