// What whoever asks for a turn may say of how it is written, beside messages and tools. Shared by wire, engine and decoding.
import type { JsonSchema } from "./json.ts";

/** How tokens are drawn; what is left out is the profile's. */
export interface SamplingOptions {
  /** 0 is greedy. */
  readonly temperature?: number;
  /** 0 keeps all. */
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  /** Taken from the logit of each token that the reply has already (OpenAI's definition), 0–2. */
  readonly presencePenalty?: number;
  /** The same for each time it came, 0–2. */
  readonly frequencyPenalty?: number;
  /** Added to the logit of a token, by its id: -100 (never) to 0. Only in free text. */
  readonly logitBias?: Readonly<Record<number, number>>;
}

/** The form that a turn's answer has to have where it is no call. */
export type AnswerForm =
  /** Any JSON object. */
  | { readonly type: "json" }
  /** A JSON value that the schema allows. */
  | { readonly type: "schema"; readonly schema: JsonSchema }
  /** A text of the grammar, written in GBNF. */
  | { readonly type: "grammar"; readonly gbnf: string };
