// llama3-json: a call as a bare JSON object whose arguments stand under `parameters`, and which is the whole turn; several
// are joined by semicolons. Llama 3.1 to 3.3, some of which begin with <|python_tag|>.
import { createEnvelopeFormat, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const opener: Opener = { text: "{", special: false, position: "turn-start", strength: "likely" };
const tagOpener: Opener = {
  text: "<|python_tag|>",
  special: true,
  position: "anywhere",
  strength: "certain",
};

/** Calls as bare JSON objects with `parameters`. Their templates know one call in a turn. */
export const llama3Json: Format = createEnvelopeFormat({
  name: "llama3-json",
  openers: [opener, tagOpener],
  keys: { arguments: "parameters" },
  prompt: {
    instruction: "answer with nothing but a JSON object of this form",
    several: "For several calls, write several such objects with semicolons between them.",
  },
  callSpacing: oneLine,
  frame: () => ({ first: "", next: "; ", last: "" }),
  root: ({ opener: { text }, parallel }) =>
    `${text === tagOpener.text ? "tag-" : ""}${parallel ? "several" : "one"}`,
  section: ({ text }) => ({
    bareObjects: true,
    ...(text === opener.text ? { begun: "object" } : {}),
  }),
});
