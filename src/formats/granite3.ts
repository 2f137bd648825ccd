// granite3: calls as one JSON list behind <|tool_call|>, which nothing closes. Granite 3, whose template leaves past calls out.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const opener: Opener = { text: "<|tool_call|>", special: true, position: "anywhere", strength: "certain" };

/** Calls as a JSON list behind a mark. */
export const granite3: Format = createEnvelopeFormat({
  name: "granite3",
  openers: [opener],
  // After its reasoning, Granite 3.3 wraps the answer.
  silent: ["<response>", "</response>"],
  prompt: {
    instruction: "answer with this mark and a JSON list",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: `${opener.text}[`, next: listComma(options), last: "]" }),
  rules: (options) => ({ comma: listComma(options) }),
  section: () => ({}),
});
