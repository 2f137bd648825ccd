// plain-json: calls as bare JSON objects, one on each line; the generic format for models without a tools block.
// A call stands at the turn's start, so its first character tells it from an answer.

import { createSectionReader } from "./call-section.ts";
import { callRules, composeGrammar, loadPieces } from "./compose-grammar.ts";
import type { Constraint, ConstraintRequest, Format, Opener, WriteOptions, WrittenCall } from "./format.ts";
import { renderPrompt } from "./render-prompt.ts";
import { envelopeText, innerSpacing, writeEnvelope } from "./write-json.ts";

// Marks

const shared = { special: false, position: "turn-start", strength: "likely" } as const;
const objectOpener: Opener = { text: "{", ...shared };
const listOpener: Opener = { text: "[{", ...shared };
const linesOpener: Opener = { text: "[\n  {", ...shared };

/** Calls as bare JSON. Lists are read and continued where the model opens one; lines are what it is asked for. */
export const plainJson: Format = {
  name: "plain-json",
  openers: [objectOpener, listOpener, linesOpener],
  prompt: (request, template) => renderPrompt(request, template, promptStyle),
  argumentsSpacing: ({ spacing }) => innerSpacing(oneLine(spacing)),
  writeCalls,
  constraint,
  parser: ({ lenient = false, opener = objectOpener } = {}) =>
    createSectionReader({
      lenient,
      begun: opener.text === objectOpener.text ? "object" : "list",
      lines: true,
    }),
};

// Prompt

const promptStyle = { callsThroughTemplate: false, writeCalls, describeCall };

function describeCall(parallel: boolean): string {
  const example = writeCalls([{ name: "TOOL", input: { PARAMETER: "value" } }], {
    spacing: "spaced",
    parallel,
  });
  const several = parallel ? "\nFor several calls, write one such object on each line." : "";
  return `To call a tool, answer with nothing but a JSON object of this form:\n${example}${several}`;
}

function writeCalls(calls: readonly WrittenCall[], { spacing }: WriteOptions): string {
  return calls.map(({ name, input }) => writeEnvelope(name, input, oneLine(spacing))).join("\n");
}

/** Calls are told apart by their lines, so that none goes over several. */
function oneLine(spacing: WriteOptions["spacing"]): "compact" | "spaced" {
  return typeof spacing === "string" ? spacing : "spaced";
}

// Constraint

function constraint(request: ConstraintRequest): Constraint {
  const { tools, parallel, spacing, specialTokens = [], opener = objectOpener } = request;
  const layout = envelopeText(oneLine(spacing));
  const isList = opener.text !== objectOpener.text;
  const listRoot = opener.text === linesOpener.text ? "lines" : "list";
  const singleRoot = parallel ? "several" : "one";
  const grammar = composeGrammar({
    pieces: loadPieces("plain-json"),
    root: isList ? listRoot : singleRoot,
    rules: callRules(tools, { call: layout, "call-rest": { ...layout, before: layout.before.slice(1) } }),
    specialTokens,
  });
  return { grammar, opener };
}
