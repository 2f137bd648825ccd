// mistral-list: calls as one JSON list behind [TOOL_CALLS], each with an id. Mistral 7B v0.3 and Nemo.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";
import { nineCharacters } from "./nine-characters.ts";

// Marks

const opener: Opener = { text: "[TOOL_CALLS]", special: true, position: "anywhere", strength: "certain" };

/** Calls as a JSON list behind a mark, with ids of exactly nine letters and digits. */
export const mistralList: Format = createEnvelopeFormat({
  name: "mistral-list",
  openers: [opener],
  keys: { id: ({ id }, index) => nineCharacters(id ?? `call ${index}`) },
  prompt: {
    instruction: "answer with this mark and a JSON list, giving each call an id of nine letters and digits",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: `${opener.text}[`, next: listComma(options), last: "]" }),
  rules: (options) => ({ comma: listComma(options) }),
  section: () => ({}),
});
