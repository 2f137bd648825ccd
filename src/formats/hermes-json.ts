// hermes-json: calls as JSON objects, each between <tool_call> and </tool_call>.
// Qwen2.5, Qwen3, Granite 4, Hermes 2 and 3, and the models that took it over.

import { createSectionReader } from "./call-section.ts";
import { callRules, composeGrammar, loadPieces } from "./compose-grammar.ts";
import type { Constraint, ConstraintRequest, Format, Opener, WriteOptions, WrittenCall } from "./format.ts";
import { renderPrompt } from "./render-prompt.ts";
import { envelopeText, innerSpacing, writeEnvelope } from "./write-json.ts";

// Marks

const closer = "</tool_call>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Calls as JSON between tags. */
export const hermesJson: Format = {
  name: "hermes-json",
  openers: [opener],
  prompt: (request, template) => renderPrompt(request, template, promptStyle),
  argumentsSpacing: ({ spacing }) => innerSpacing(spacing),
  writeCalls,
  constraint,
  parser: ({ lenient = false } = {}) => createSectionReader({ lenient, closer }),
};

// Prompt

const promptStyle = { callsThroughTemplate: true, writeCalls, describeCall };

function describeCall(parallel: boolean): string {
  const example = writeCalls([{ name: "TOOL", input: { PARAMETER: "value" } }], {
    spacing: "spaced",
    parallel,
  });
  const several = parallel ? "\nWrite one such block for each call." : "";
  return `To call a tool, write a JSON object with its name and arguments between these tags:\n${example}${several}`;
}

function writeCalls(calls: readonly WrittenCall[], { spacing }: WriteOptions): string {
  return calls
    .map(({ name, input }) => `${opener.text}\n${writeEnvelope(name, input, spacing)}\n${closer}`)
    .join("\n");
}

// Constraint

function constraint({ tools, parallel, spacing, specialTokens = [] }: ConstraintRequest): Constraint {
  const grammar = composeGrammar({
    pieces: loadPieces("hermes-json"),
    root: parallel ? "several" : "one",
    rules: callRules(tools, { call: envelopeText(spacing) }),
    specialTokens,
  });
  return { grammar, opener };
}
