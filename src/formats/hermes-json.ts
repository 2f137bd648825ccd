// hermes-json: calls as JSON objects, each between <tool_call> and </tool_call>.
// Qwen2.5, Qwen3, Granite 4, Hermes 2 and 3, and the models that took it over.
import { createEnvelopeFormat } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const closer = "</tool_call>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Calls as JSON between tags, on lines of their own. */
export const hermesJson: Format = createEnvelopeFormat({
  name: "hermes-json",
  openers: [opener],
  prompt: {
    instruction: "write a JSON object with its name and arguments between these tags",
    several: "Write one such block for each call.",
  },
  frame: () => ({
    first: `${opener.text}\n`,
    next: `\n${closer}\n${opener.text}\n`,
    last: `\n${closer}`,
  }),
  section: () => ({ closer }),
});
