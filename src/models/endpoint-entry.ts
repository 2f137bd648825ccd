// A server of models as the catalogue lists it. Data only.
import type { NamedProfile } from "./model-entry.ts";

/** Programs that serve models, each with fields of its own for what OpenAI's API has no word for. */
export type EndpointEngine = (typeof endpointEngines)[number];

export const endpointEngines = ["llama-server", "vllm", "sglang", "ollama", "openai"] as const;

/**
 * How a server is talked to. `completions`: the prompt is rendered here and the server continues text. `chat`: messages
 * and tools go to the server as they are, and calls come back.
 */
export type EndpointApi = (typeof endpointApis)[number];

export const endpointApis = ["completions", "chat"] as const;

export interface EndpointEntry {
  readonly id: string;
  readonly title?: string;
  /** Up to and including `/v1`. Several are replicas: servers of the same model with the same settings. */
  readonly urls: readonly string[];
  /** Absent: found out by asking the server. */
  readonly engine?: EndpointEngine;
  /** Absent: `completions` where the server says its chat template or the profile has one, else `chat`. */
  readonly api?: EndpointApi;
  /** The model's name there. Absent: the first that the server lists. */
  readonly model?: string;
  /** Name of the environment variable that holds the API key. Absent: none is sent. */
  readonly keyVariable?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens of the window, where the server does not say; where it does, never more than that. */
  readonly context?: number;
  /** Absent: that of the family which the model's name shows. */
  readonly profile?: string | NamedProfile;
}
