// Messages of a conversation and the tools a model may be told of, in our own shape.
// Every wire format (OpenAI, Anthropic, Ollama) is translated to and from this; nothing else is the truth.
import type { JsonObject, JsonSchema } from "./json.ts";

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly reasoning?: string;
  readonly calls?: readonly Call[];
}

/** The one result of one call. */
export interface ToolMessage {
  readonly role: "tool";
  readonly callId: string;
  readonly name: string;
  readonly content: string;
  readonly isError?: boolean;
}

/** What the model asks for. `input` has passed validation wherever a call is delivered. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** What a model is told of a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Refuses the tool where its schema has a keyword that nobody can check, such as a pattern that is no expression. */
  readonly strict?: boolean;
}

/** `auto`: the model decides; `required`: at least one call; `none`: no tools are shown; a name: just that tool. */
export type ToolChoice = "auto" | "required" | "none" | { readonly name: string };
