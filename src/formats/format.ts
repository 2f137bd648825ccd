// The contract of a way of writing calls. Pure: the template renderer is handed in, and nothing here knows llama.cpp.
import type { Grammar } from "../gbnf-builder/grammar.ts";
import type { CompiledSchema, Spacing } from "../schema-grammar/compiled-schema.ts";
import type { JsonObject, JsonValue, Message, ToolChoice, ToolDescription } from "../vocabulary/index.ts";

/** A piece of prompt text. Only `special` text may become special tokens; the rest is plain text whatever it spells. */
export interface PromptPart {
  readonly text: string;
  readonly special: boolean;
}

/** A tool as offered in one request, with its compiled input schema. */
export interface OfferedTool extends ToolDescription {
  readonly compiled: CompiledSchema;
}

/** What a model's own chat template is given. Extra switches (`enable_thinking`, …) go in `variables`. */
export interface TemplateInput {
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly addGenerationPrompt: boolean;
  readonly variables?: JsonObject;
}

/** Renders the model's own template; throws where the template raises. */
export type TemplateRenderer = (input: TemplateInput) => string;

export interface PromptRequest {
  readonly messages: readonly Message[];
  /** Empty where no tools are offered, then the prompt does not speak of tools at all. */
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: ToolChoice;
  readonly parallel: boolean;
  readonly spacing: Spacing;
  /** Switches for the template. */
  readonly variables: JsonObject;
  /** Spellings of the vocabulary's control tokens, so that untrusted text that holds one is kept plain. */
  readonly specialTokens: readonly string[];
}

export interface ConstraintRequest {
  /** Already narrowed to what may be called. */
  readonly tools: readonly OfferedTool[];
  readonly parallel: boolean;
  readonly spacing: Spacing;
}

/** A mark that opens a call. */
export interface Opener {
  readonly text: string;
  /** Whether it is a special token of the vocabulary. */
  readonly special: boolean;
  /** `anywhere` in prose, only at the start of a line, or only as the first non-space characters of the turn. */
  readonly position: "anywhere" | "line-start" | "turn-start";
}

/** What may follow, and where that starts. */
export interface Constraint {
  readonly grammar: Grammar;
  /** `at-once`: the grammar covers the text from here. `after-opener`: it covers what follows one of the openers. */
  readonly start:
    | { readonly type: "at-once" }
    | { readonly type: "after-opener"; readonly openers: readonly Opener[] };
}

/** Reads the text after an opener, in pieces of any size; never throws and never yields a call that is not in the text. */
export interface CallReader {
  push(text: string): readonly CallReaderEvent[];
}

/** Offsets count UTF-16 units of the text pushed into this reader. */
export type CallReaderEvent =
  | { readonly type: "call-start"; readonly name: string }
  | { readonly type: "call-delta"; readonly text: string }
  | {
      readonly type: "call-end";
      readonly name: string;
      readonly input: JsonValue;
      /** Where the value at a JSON pointer into `input` stands, as [start, end). */
      readonly locate: (pointer: string) => readonly [start: number, end: number] | undefined;
    }
  /** The text here is no call of this format; `at` is where reading stopped. */
  | { readonly type: "call-broken"; readonly at: number; readonly reason: string };

/** One way of writing calls. Every file in this folder has the same sections: marks, prompt, constraint, parser. */
export interface Format {
  readonly name: string;
  /** Marks that open a call, the primary one first: that is what is forced when a call is required. */
  readonly openers: readonly Opener[];
  prompt(request: PromptRequest, render: TemplateRenderer): readonly PromptPart[];
  constraint(request: ConstraintRequest): Constraint;
  parser(): CallReader;
}
