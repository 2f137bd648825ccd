// smol2: calls as one JSON list between <tool_call> and </tool_call>, one on each line. SmolLM2-1.7B, which was taught to
// say with an empty list that no tool fits.
import { createEnvelopeFormat, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const closer = "</tool_call>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Calls as a JSON list between tags. */
export const smol2: Format = createEnvelopeFormat({
  name: "smol2",
  openers: [opener],
  // Longer than the opener, so that an empty list opens no call that would have to be filled.
  silent: [`${opener.text}[]${closer}`, `${opener.text}[\n]${closer}`],
  prompt: {
    instruction: "write a JSON list of calls between these tags",
    several: "List all the calls that are needed, one on each line.",
  },
  callSpacing: oneLine,
  frame: () => ({ first: `${opener.text}[\n`, next: ",\n", last: `\n]${closer}` }),
  section: () => ({ closer }),
});
