// What the formats share that write each call as a JSON object, `{"name": …, "arguments": …}`, one after the other or in a
// list. Knows envelopes; a format's own file gives its marks, its words, and which of its grammar's rules to start from.
import type { Expression } from "../gbnf-builder/grammar.ts";
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import { jsonLayout } from "../schema-grammar/layout.ts";
import { createSectionReader, type SectionOptions } from "./call-section.ts";
import { callRules, composeGrammar, loadPieces } from "./compose-grammar.ts";
import type { Constraint, ConstraintRequest, Format, Opener, WriteOptions, WrittenCall } from "./format.ts";
import { renderPrompt } from "./render-prompt.ts";
import { type EnvelopeKeys, envelopeText, innerSpacing, writeEnvelope } from "./write-json.ts";

export interface EnvelopeStyle {
  /** The format's name, which its grammar's file has as well. */
  readonly name: string;
  readonly openers: readonly [Opener, ...Opener[]];
  readonly silent?: readonly string[];
  readonly prompt: {
    /** How to call a tool, as a clause that an example follows. */
    readonly instruction: string;
    /** How several calls are written, as a sentence. */
    readonly several: string;
  };
  readonly keys?: EnvelopeKeys;
  /** The layout of one call; absent: as asked for. */
  callSpacing?(options: WriteOptions): Spacing;
  /** What stands before the first call, between two, and after the last one. */
  frame(options: WriteOptions): Frame;
  /** The rule of the grammar that tells what may follow the opener; absent: `several` or `one`. */
  root?(request: { readonly opener: Opener; readonly parallel: boolean }): string;
  /** Rules whose text follows the layout. They take the place of those in the grammar's file. */
  rules?(options: WriteOptions): Readonly<Record<string, string>>;
  /** How the text after the opener is read. */
  section(opener: Opener): Omit<SectionOptions, "lenient">;
}

export interface Frame {
  readonly first: string;
  readonly next: string;
  readonly last: string;
}

export function createEnvelopeFormat(style: EnvelopeStyle): Format {
  const { name, openers, silent, prompt: words, keys = {} } = style;
  const callSpacing = (options: WriteOptions) => style.callSpacing?.(options) ?? options.spacing;

  // Prompt

  function describeCall(parallel: boolean): string {
    const example = writeCalls([{ name: "TOOL", input: { PARAMETER: "value" } }], {
      spacing: "spaced",
      parallel,
    });
    return `To call a tool, ${words.instruction}:\n${example}${parallel ? `\n${words.several}` : ""}`;
  }

  function writeCalls(calls: readonly WrittenCall[], options: WriteOptions): string {
    const { first, next, last } = style.frame(options);
    const spacing = callSpacing(options);
    const written = calls.map((call, index) => writeEnvelope(call, { spacing, keys, index }));
    return first + written.join(next) + last;
  }

  // Constraint

  function constraint(request: ConstraintRequest): Constraint {
    const { tools, parallel, spacing, specialTokens = [], opener = openers[0] } = request;
    const layout = envelopeText(callSpacing({ parallel, spacing }), keys);
    const layoutRules = Object.entries(style.rules?.({ parallel, spacing }) ?? {}).map(
      ([rule, text]): [string, Expression] => [rule, { type: "literal", text }],
    );
    const grammar = composeGrammar({
      pieces: loadPieces(name),
      root: style.root?.({ opener, parallel }) ?? (parallel ? "several" : "one"),
      // `call-rest` is a call whose first brace stands in the opener.
      rules: new Map([
        ...callRules(tools, { call: layout, "call-rest": { ...layout, before: layout.before.slice(1) } }),
        ...layoutRules,
      ]),
      specialTokens,
    });
    return { grammar, opener };
  }

  return {
    name,
    openers,
    ...(silent === undefined ? {} : { silent }),
    prompt: (request, template) =>
      renderPrompt(request, template, {
        writeCalls,
        describeCall,
      }),
    argumentsLayout: (options) => jsonLayout(innerSpacing(callSpacing(options))),
    writeCalls,
    constraint,
    parser: ({ lenient = false, opener = openers[0] } = {}) =>
      createSectionReader({ lenient, ...style.section(opener) }),
  };
}

/** The layout in one line that comes closest, for formats whose calls do not go over several. */
export function oneLine({ spacing }: WriteOptions): "compact" | "spaced" {
  return typeof spacing === "string" ? spacing : "spaced";
}

/** What stands between the items of a list in one line. */
export function listComma(options: WriteOptions): string {
  return oneLine(options) === "compact" ? "," : ", ";
}
