// The contract of a way of writing calls. Pure: the template renderer is handed in, and nothing here knows llama.cpp.
import type { Grammar } from "../gbnf-builder/grammar.ts";
import type { CompiledSchema, Spacing } from "../schema-grammar/compiled-schema.ts";
import type { Layout } from "../schema-grammar/layout.ts";
import type {
  AnswerForm,
  Call,
  JsonObject,
  JsonValue,
  Message,
  ToolChoice,
  ToolDescription,
} from "../vocabulary/index.ts";
import type { ReasoningMarks } from "./reasoning-marks.ts";
import type { ValueKind } from "./value-kinds.ts";

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

/** A model's template and what probing it found. */
export interface ChatTemplate {
  readonly render: TemplateRenderer;
  /** Whether it is a plain transcript, since the model has no template or one that cannot be used. */
  readonly isPlain: boolean;
  readonly traits: TemplateTraits;
  /** Whether tools go through the template: it shows them, and asks for calls in a form that is known here. */
  readonly tellsOfTools: boolean;
  /** Whether it writes past calls in the format that was chosen. */
  readonly writesCalls: boolean;
  /** Values that it writes so that they do not read back equal. */
  readonly lostValues: readonly ValueKind[];
}

/** What a template was found to do, by rendering small conversations through it. */
export interface TemplateTraits {
  /** Whether a user's message keeps its content. Where not, the template cannot be used at all. */
  readonly user: boolean;
  /** Whether name, description and parameters of the tools come up in the prompt. */
  readonly showsTools: boolean;
  /** Whether a system message keeps its content. */
  readonly system: boolean;
  /** Whether one that comes later keeps it as well. */
  readonly laterSystem: boolean;
  /** Whether two user messages may follow each other. */
  readonly userAfterUser: boolean;
  /** The form of a past call's arguments that the template prints as JSON; `none` where past calls are lost. */
  readonly calls: "object" | "string" | "none";
  /** What the content of a turn with calls and no text has to be. */
  readonly emptyContent: "" | null;
  /** Whether a turn with calls keeps its text as well. */
  readonly textWithCalls: boolean;
  /** Whether such a turn may have reasoning beside its text. */
  readonly reasoningWithText: boolean;
  /** Whether all calls of a turn are there, and all their results. */
  readonly severalCalls: boolean;
  /** Whether a result has a form of its own that keeps its content, after a call of the template and after one written as text. */
  readonly results: boolean;
  readonly resultsAfterText: boolean;
  /** A past call as the template writes it, between the assistant's mark and the end of its turn. */
  readonly callText?: string;
  /** What the generation prompt ends in, after the marks that every assistant turn has. */
  readonly opensReasoning: boolean;
  /** Whether `enable_thinking` changes the prompt. */
  readonly reasoningSwitch: boolean;
  /** What the template raised while it was probed, one line each. */
  readonly faults: readonly string[];
}

export interface PromptRequest {
  readonly messages: readonly Message[];
  /** Empty where no tools are offered, then the prompt does not speak of tools at all. */
  readonly tools: readonly ToolDescription[];
  readonly toolChoice: ToolChoice;
  readonly parallel: boolean;
  readonly spacing: Spacing;
  /** Switches for the template. */
  readonly variables: JsonObject;
  /** Spellings of the vocabulary's control tokens, so that untrusted text that holds one is kept plain. */
  readonly specialTokens: readonly string[];
  /** The form that an answer has to have, for servers that are told; the constraint of the turn is what enforces it. */
  readonly answer?: AnswerForm;
}

export interface ConstraintRequest {
  /** Already narrowed to what may be called; compiled in the layout that `argumentsLayout` gives. */
  readonly tools: readonly OfferedTool[];
  readonly parallel: boolean;
  readonly spacing: Spacing;
  /** The opener that stands; absent: the format's primary one. */
  readonly opener?: Opener;
  /** Spellings of the vocabulary's control tokens: marks among them must come as that token. */
  readonly specialTokens?: readonly string[];
}

/** A mark that opens a call. */
export interface Opener {
  readonly text: string;
  /** Whether a vocabulary may hold it as one special token, which then is the mark. */
  readonly special: boolean;
  /** `anywhere` in prose, only at the start of a line, or only as the first non-space characters of the turn. */
  readonly position: "anywhere" | "line-start" | "turn-start";
  /** `certain`: only calls begin so. `likely`: ordinary text may begin so too, and stays text if no call follows. */
  readonly strength: "certain" | "likely";
}

/** What may follow the opener. */
export interface Constraint {
  readonly grammar: Grammar;
  readonly opener: Opener;
}

export interface ReaderOptions {
  /** The opener that stands before the text; absent: the format's primary one. */
  readonly opener?: Opener;
  /** Reads on through faults whose meaning is certain, and names each in `repairs`. For text that was not constrained. */
  readonly lenient?: boolean;
}

/** Reads the text after an opener, in pieces of any size; never throws and never yields a call that is not in the text. */
export interface CallReader {
  push(text: string): readonly CallReaderEvent[];
  /** The text is over. */
  finish(): readonly CallReaderEvent[];
}

/** Offsets count UTF-16 units of the text pushed into this reader. */
export type CallReaderEvent =
  | { readonly type: "call-start"; readonly name: string }
  | { readonly type: "call-delta"; readonly text: string }
  | ReadCall
  /** What stands here is no complete call of this format; `at` is where reading stopped. */
  | {
      readonly type: "call-broken";
      readonly at: number;
      readonly reason: string;
      readonly name?: string;
      /** Whether the text ended before the call did. */
      readonly cut: boolean;
    }
  /** The format's part of the text ends at `at`; what follows is prose or another opener. The last event. */
  | { readonly type: "section-end"; readonly at: number };

/** A complete call as the text has it; nothing is validated yet. */
export interface ReadCall {
  readonly type: "call-end";
  readonly name: string;
  readonly input: JsonValue;
  /**
   * The arguments as JSON, with numbers in the text's own digits, which a number cannot keep (integers of 64 bits).
   * Where the call is `untyped`, the text as it stands.
   */
  readonly inputText: string;
  /** Whether the format writes values without their types, so that the tool's schema has to type them. */
  readonly untyped?: boolean;
  /** Rules by which a lenient reader read on, such as `split-objects`. */
  readonly repairs: readonly string[];
  /** Where the value at a JSON pointer into `input` stands, or the key that it stands under. */
  readonly locate: Locate;
}

/** A place in the text, as [start, end); undefined where the text does not show it. */
export type Locate = (
  pointer: string,
  part?: "value" | "key",
) => readonly [start: number, end: number] | undefined;

export interface WriteOptions {
  readonly parallel: boolean;
  readonly spacing: Spacing;
}

export interface LayoutOptions extends WriteOptions {
  /** Spellings of the vocabulary's control tokens: marks among them must come as that token. */
  readonly specialTokens?: readonly string[];
}

/** What reading needs of a format. */
export interface ReadableFormat {
  readonly name: string;
  /** Marks that open a call, the primary one first: that is what is forced when a call is required. */
  readonly openers: readonly Opener[];
  /** Marks around prose that are not part of it. */
  readonly silent?: readonly string[];
  /** The format's own marks of reasoning, where it has some. */
  readonly reasoning?: ReasoningMarks;
  parser(options?: ReaderOptions): CallReader;
}

/** One way of writing calls. Every file in this folder has the same sections: marks, prompt, constraint, parser. */
export interface Format extends ReadableFormat {
  prompt(request: PromptRequest, template: ChatTemplate): readonly PromptPart[];
  /** The layout in which the tools' schemas have to be compiled. The spacing `spaced` asks for the format's natural one. */
  argumentsLayout(options: LayoutOptions): Layout;
  /** Calls as the model itself writes them, openers and closers included. */
  writeCalls(calls: readonly WrittenCall[], options: WriteOptions): string;
  constraint(request: ConstraintRequest): Constraint;
}

/** A call to be written; its id matters only to formats that write ids. */
export type WrittenCall = Pick<Call, "name" | "input"> & Partial<Pick<Call, "id">>;
