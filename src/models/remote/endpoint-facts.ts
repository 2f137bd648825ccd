// What is known of a server: what it says of itself, and what a few tiny requests showed of it. Data only.
import type { EndpointApi, EndpointEngine } from "../endpoint-entry.ts";

/** What a server says of itself. */
export interface ServerIdentity {
  readonly engine: EndpointEngine;
  readonly version: string;
  /** The model's name there. */
  readonly model: string;
  /** Tokens of the window; absent where it does not say. */
  readonly contextSize?: number;
  readonly trainedContextSize?: number;
  readonly template?: string;
  /** Spellings of the tokens that begin and end a text, empty where it does not say. */
  readonly beginText: string;
  readonly endText: string;
}

/** The fields by which servers take a grammar with a raw completion. */
export type GrammarField = "grammar" | "structured_outputs" | "guided_grammar" | "ebnf";

/** What a server was seen to do. */
export interface ServerBehaviour {
  readonly api: EndpointApi;
  /** The field in which it enforces a grammar; absent: in none. */
  readonly grammarField?: GrammarField;
  /** Whether it held a chat reply to a JSON Schema. */
  readonly enforcesSchema: boolean;
  /** Whether `tool_choice: "required"` gave a call with valid arguments. */
  readonly enforcesToolChoice: boolean;
  /** Whether it puts the beginning token before a prompt by itself. */
  readonly addsBegin: boolean;
  /** Spellings in the template that the server's vocabulary holds as special tokens. */
  readonly specialTokens: readonly string[];
}

export interface EndpointFacts {
  readonly identity: ServerIdentity;
  readonly behaviour: ServerBehaviour;
  /** When the behaviour was seen, as an ISO date. */
  readonly seen: string;
}
