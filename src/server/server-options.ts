// What a server is made with, its defaults, and the models that it serves.
import type { Engine } from "../engine.ts";

/** A model that can be asked for. */
export interface ServedModel {
  /** The name by which clients ask for it. */
  readonly id: string;
  /** Makes the engine; the weights are loaded when it is opened. Called again after it was unloaded. */
  readonly createEngine: () => Engine;
  /** Tokens of the window that it will have. */
  readonly contextSize?: number;
  /** Tokens of a reply where a request does not say. */
  readonly replySize?: number;
  /** Whether it can reason. */
  readonly reasons?: boolean;
  /** Memory that it takes once it is loaded, as far as that can be known before. */
  readonly bytes?: number;
  readonly family?: string;
  readonly quantisation?: string;
  /** Turns that it decodes at once. Default: as many as it has sequences, and 32 where it takes as many as come. */
  readonly slots?: number;
  /** Anything that changes when the model has to be opened anew, such as its profile. */
  readonly version?: string;
}

/** Models that may change while the server runs. */
export interface ModelSource {
  /** Asked before each request; a source that cannot tell any more keeps giving what it gave last. */
  list(): Promise<readonly ServedModel[]>;
  /** What went wrong when it was last asked; told by `/health`. */
  readonly fault?: string | undefined;
}

export interface ServerLimits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number;
  /** Bytes of a request's headers. */
  readonly headerBytes: number;
  /** Levels of nesting in a body. */
  readonly depth: number;
  readonly messages: number;
  readonly tools: number;
  /** Characters of all tool schemas and the answer's schema together, as JSON. */
  readonly schemaCharacters: number;
  /** Milliseconds in which a body has to come. */
  readonly bodyMilliseconds: number;
  /** Requests that wait for one model. */
  readonly queue: number;
  /** Milliseconds that a request waits for its turn and its model. */
  readonly queueMilliseconds: number;
  /** Milliseconds that decoding may take. */
  readonly requestMilliseconds: number;
  /** Models that are loaded at once. */
  readonly models: number;
  /** Bytes that loaded models may take together; one alone may take more. */
  readonly modelBytes: number;
}

export interface ServerOptions {
  readonly models: readonly ServedModel[] | ModelSource;
  /** The model of requests that name none, or one that there is not. Default: the first. */
  readonly defaultModel?: string;
  /** What a request for an unknown model gets: the default one with a notice, or 404. Default: `default`. */
  readonly unknownModel?: "default" | "refuse";
  /** Asked of every request but `/health` where given. */
  readonly apiKey?: string;
  /** Names that the `Host` header may have beside those of the loopback; `any` where whoever embeds the app checks it. */
  readonly hosts?: readonly string[] | "any";
  /** Origins of web pages that may ask. None by default. */
  readonly origins?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  /** Whether a tool that cannot be offered refuses its request, where that does not say. Default: `refuse`. */
  readonly onBadTool?: "refuse" | "leave-out";
  /** Milliseconds without an event after which a stream shows that it lives. Default: 10,000. */
  readonly keepAliveMilliseconds?: number;
  /** Milliseconds without a request after which a model is unloaded. Default: never. */
  readonly idleMilliseconds?: number;
  /** Told what an operator should see, one line each. Never told keys or what people write. */
  readonly log?: (line: string) => void;
}

export const defaultServerLimits: ServerLimits = {
  bodyBytes: 8 << 20,
  headerBytes: 16 << 10,
  depth: 128,
  messages: 10_000,
  tools: 512,
  schemaCharacters: 1 << 20,
  bodyMilliseconds: 30_000,
  queue: 32,
  queueMilliseconds: 240_000,
  requestMilliseconds: 1_800_000,
  models: 2,
  modelBytes: Number.POSITIVE_INFINITY,
};
