// smol3: calls as JSON objects, each between <tool_call> and </tool_call> without line breaks inside. SmolLM3, whose
// template loses past calls. The Python that it may write instead is read by smol3-code.
import { createEnvelopeFormat } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const closer = "</tool_call>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Calls as JSON between tags, in one line each. */
export const smol3: Format = createEnvelopeFormat({
  name: "smol3",
  openers: [opener],
  prompt: {
    instruction: "write its name and arguments as JSON between these tags",
    several: "For several calls, write one such line for each.",
  },
  frame: () => ({ first: opener.text, next: `${closer}\n${opener.text}`, last: closer }),
  section: () => ({ closer }),
});
