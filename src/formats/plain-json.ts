// plain-json: calls as bare JSON objects, one on each line; the generic format for models without a tools block.
// A call stands at the turn's start, so its first character tells it from an answer.
import { createEnvelopeFormat, oneLine } from "./envelope-format.ts";
import type { Format, Opener } from "./format.ts";

// Marks

const shared = { special: false, position: "turn-start", strength: "likely" } as const;
const objectOpener: Opener = { text: "{", ...shared };
const listOpener: Opener = { text: "[{", ...shared };
const linesOpener: Opener = { text: "[\n  {", ...shared };

/** Calls as bare JSON. Lists are read and continued where the model opens one; lines are what it is asked for. */
export const plainJson: Format = createEnvelopeFormat({
  name: "plain-json",
  openers: [objectOpener, listOpener, linesOpener],
  prompt: {
    instruction: "answer with nothing but a JSON object of this form",
    several: "For several calls, write one such object on each line.",
  },
  // Calls are told apart by their lines, so that none goes over several.
  callSpacing: oneLine,
  frame: () => ({ first: "", next: "\n", last: "" }),
  root: ({ opener: { text }, parallel }) => {
    if (text === listOpener.text) return "list";
    if (text === linesOpener.text) return "lines";
    return parallel ? "several" : "one";
  },
  section: ({ text }) => ({ begun: text === objectOpener.text ? "object" : "list", bareObjects: true }),
});
