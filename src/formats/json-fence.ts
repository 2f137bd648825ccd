// json-fence: calls as pretty-printed JSON in a Markdown fence; several calls as a list in one fence.
// What Qwen2.5-Coder and other coder models write, whatever their template says.
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import { createEnvelopeFormat, type Frame } from "./envelope-format.ts";
import type { Format, Opener, WriteOptions } from "./format.ts";
import { innerSpacing, lineBreak } from "./write-json.ts";

// Marks

const fence = "```";
const opener: Opener = {
  text: `${fence}json\n`,
  special: false,
  position: "line-start",
  strength: "likely",
};
const otherOpeners: readonly Opener[] = [`${fence}\n`, `${fence}tool_call\n`, `${fence}tool_code\n`].map(
  (text) => ({
    ...opener,
    text,
  }),
);

/** Calls as JSON in a code fence. A list opens where calls may be several, since models then write all they need. */
export const jsonFence: Format = createEnvelopeFormat({
  name: "json-fence",
  openers: [opener],
  prompt: {
    instruction: "answer with JSON in a code block",
    several: "List all the calls that are needed.",
  },
  callSpacing,
  frame,
  root: ({ parallel }) => (parallel ? "list" : "one"),
  rules: ({ spacing }) => {
    const { first, next, last } = listBreaks(spacing);
    return { "list-first": first, "list-next": next, "list-last": last };
  },
  section: () => ({ closer: fence }),
});

/** The same with the fences that models write beside it; for text that was not constrained. */
export const anyJsonFence = { ...jsonFence, openers: [opener, ...otherOpeners] };

// Layout

function frame({ parallel, spacing }: WriteOptions): Frame {
  const last = `\n${fence}`;
  if (!parallel) return { first: opener.text, next: `${last}\n${opener.text}`, last };
  const breaks = listBreaks(spacing);
  return { first: `${opener.text}[${breaks.first}`, next: breaks.next, last: `${breaks.last}]${last}` };
}

/** `spaced` asks for the layout these models have by themselves: over lines, two spaces further in at each level. */
function naturalSpacing(spacing: Spacing): Spacing {
  return spacing === "spaced" ? { indent: 2, level: 0 } : spacing;
}

function callSpacing({ spacing, parallel }: WriteOptions): Spacing {
  const natural = naturalSpacing(spacing);
  return parallel ? innerSpacing(natural) : natural;
}

function listBreaks(spacing: Spacing): Frame {
  const natural = naturalSpacing(spacing);
  const inner = lineBreak(innerSpacing(natural));
  return { first: inner, next: `,${inner}`, last: lineBreak(natural) };
}
