// hammer: calls as one JSON list in a code fence that names no language. Hammer 2.1. That no tool fits it says in words or by
// an empty list, which stays text.
import { createEnvelopeFormat, listComma, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const fence = "```";
const shared = { special: false, position: "line-start", strength: "likely" } as const;
const opener: Opener = { text: `${fence}\n[{`, ...shared };
const namedOpener: Opener = { text: `${fence}json\n[{`, ...shared };

/** Calls as a JSON list in a fence. */
export const hammer: Format = createEnvelopeFormat({
  name: "hammer",
  openers: [opener, namedOpener],
  prompt: {
    instruction: "answer with a JSON list in a code block",
    several: "List all the calls that are needed.",
  },
  callSpacing: oneLine,
  frame: (options) => ({ first: `${fence}\n[`, next: listComma(options), last: `]\n${fence}` }),
  rules: (options) => ({ comma: listComma(options) }),
  section: () => ({ begun: "list", closer: fence }),
});
