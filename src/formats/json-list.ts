// json-list: calls as one bare JSON list, which is the whole turn. xLAM-2. That no tool fits it says in words or by an empty
// list, which stays text: hiding it would leave an answer with nothing in it.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const opener: Opener = { text: "[{", special: false, position: "turn-start", strength: "likely" };

/** Calls as a bare JSON list at the turn's start. */
export const jsonList: Format = createEnvelopeFormat({
  name: "json-list",
  openers: [opener],
  prompt: {
    instruction: "answer with nothing but a JSON list of this form",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: "[", next: listComma(options), last: "]" }),
  rules: (options) => ({ comma: listComma(options) }),
  section: () => ({ begun: "list" }),
});
