// json-fence: calls as pretty-printed JSON in a Markdown fence; several calls as a list in one fence.
// What Qwen2.5-Coder and other coder models write, whatever their template says.

import type { Expression } from "../gbnf-builder/grammar.ts";
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import { createSectionReader } from "./call-section.ts";
import { callRules, composeGrammar, loadPieces } from "./compose-grammar.ts";
import type { Constraint, ConstraintRequest, Format, Opener, WriteOptions, WrittenCall } from "./format.ts";
import { renderPrompt } from "./render-prompt.ts";
import { envelopeText, innerSpacing, lineBreak, writeEnvelope } from "./write-json.ts";

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
export const jsonFence: Format = {
  name: "json-fence",
  openers: [opener],
  prompt: (request, template) => renderPrompt(request, template, promptStyle),
  argumentsSpacing: (options) => innerSpacing(callSpacing(options)),
  writeCalls,
  constraint,
  parser: ({ lenient = false } = {}) => createSectionReader({ lenient, closer: fence }),
};

/** The same with the fences that models write beside it; for text that was not constrained. */
export const anyJsonFence = { ...jsonFence, openers: [opener, ...otherOpeners] };

// Prompt

const promptStyle = { callsThroughTemplate: false, writeCalls, describeCall };

function describeCall(parallel: boolean): string {
  const example = writeCalls([{ name: "TOOL", input: { PARAMETER: "value" } }], {
    spacing: "spaced",
    parallel,
  });
  const several = parallel ? "\nList all the calls that are needed." : "";
  return `To call a tool, answer with JSON in a code block:\n${example}${several}`;
}

function writeCalls(calls: readonly WrittenCall[], options: WriteOptions): string {
  const spacing = callSpacing(options);
  const written = calls.map(({ name, input }) => writeEnvelope(name, input, spacing));
  if (!options.parallel) return written.map((call) => `${opener.text}${call}\n${fence}`).join("\n");
  const { first, next, last } = listBreaks(options.spacing);
  return `${opener.text}[${first}${written.join(next)}${last}]\n${fence}`;
}

/** `spaced` asks for the layout these models have by themselves: over lines, two spaces further in at each level. */
function naturalSpacing(spacing: Spacing): Spacing {
  return spacing === "spaced" ? { indent: 2, level: 0 } : spacing;
}

function callSpacing({ spacing, parallel }: WriteOptions): Spacing {
  const natural = naturalSpacing(spacing);
  return parallel ? innerSpacing(natural) : natural;
}

function listBreaks(spacing: Spacing): { first: string; next: string; last: string } {
  const natural = naturalSpacing(spacing);
  const inner = lineBreak(innerSpacing(natural));
  return { first: inner, next: `,${inner}`, last: lineBreak(natural) };
}

// Constraint

function constraint({ tools, parallel, spacing, specialTokens = [] }: ConstraintRequest): Constraint {
  const breaks = listBreaks(spacing);
  const rules = new Map<string, Expression>([
    ...callRules(tools, { call: envelopeText(callSpacing({ parallel, spacing })) }),
    ["list-first", { type: "literal", text: breaks.first }],
    ["list-next", { type: "literal", text: breaks.next }],
    ["list-last", { type: "literal", text: breaks.last }],
  ]);
  const grammar = composeGrammar({
    pieces: loadPieces("json-fence"),
    root: parallel ? "list" : "one",
    rules,
    specialTokens,
  });
  return { grammar, opener };
}
