// What every API of this folder gives: a request read into our own shape, and our events written as its reply or stream.
// Knows neither HTTP nor the engine; status codes are numbers here, and frames are text.
import type {
  AnswerForm,
  JsonObject,
  Message,
  SamplingOptions,
  ToolChoice,
  ToolDescription,
  TurnEvent,
} from "../vocabulary/index.ts";
import type { Reply } from "./collect-reply.ts";
import type { FaultKind, WireFault } from "./wire-fault.ts";

/** One turn as a client asks for it. */
export interface WireTurn {
  readonly messages: readonly Message[];
  /** Text to be gone on with as it stands, in place of messages. */
  readonly rawPrompt?: string;
  readonly tools: readonly ToolDescription[];
  readonly toolChoice?: ToolChoice;
  /** Names of the tools that may be called, where these are fewer than are shown. */
  readonly callable?: readonly string[];
  readonly parallel?: boolean;
  readonly seed?: number;
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
  readonly sampling?: SamplingOptions;
  readonly sampleCalls?: boolean;
  readonly answer?: AnswerForm;
  /** How many of the likeliest tokens are told with each token of the text. */
  readonly logprobs?: number;
  readonly reasoning?: {
    readonly mode?: "on" | "off" | "auto";
    readonly effort?: "low" | "medium" | "high";
    readonly budget?: number;
  };
  /** Switches for the model's chat template. */
  readonly variables?: JsonObject;
  /** `fit`: what does not fit is cut by the profile's rules and told. `whole`: nothing is. */
  readonly context?: "fit" | "whole";
  readonly onBadTool?: "refuse" | "leave-out";
}

export interface Notice {
  readonly code: string;
  readonly text: string;
}

export interface WireRequest {
  /** Absent where the client names none. */
  readonly model?: string;
  readonly turn: WireTurn;
  readonly stream: boolean;
  /** How many replies are asked for, 1 by default. */
  readonly choices: number;
  /** What of the request was left out. */
  readonly notices: readonly Notice[];
  /** Whether the evaluation of the prompt is told in the stream. */
  readonly progress: boolean;
  /** Whether the stream ends with its usage. */
  readonly includeUsage: boolean;
  /** What the reply repeats of the request. */
  readonly echo?: JsonObject;
  /** Seconds that the model stays loaded after the request; absent: as the server has it. */
  readonly keepAlive?: number;
  /** Milliseconds that it waited for its model. */
  readonly waitMilliseconds?: number;
  /** Loads (or, kept for 0 seconds, unloads) the model and asks it nothing. */
  readonly loadOnly?: boolean;
}

/** What names a reply. */
export interface ReplyIdentity {
  /** Unique; each API puts its own prefix before it. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** The model that answers, which need not be the one that was named. */
  readonly model: string;
}

/** Writes one reply as a stream. All results are text to be sent as it is. */
export interface StreamWriter {
  /** What stands before the first event. */
  start(): readonly string[];
  push(event: TurnEvent, choice: number): readonly string[];
  /** All turns are over. */
  end(): readonly string[];
  /** The reply breaks off here. */
  fail(fault: WireFault): readonly string[];
  /** Says nothing and shows that the stream lives. */
  readonly keepAlive: string;
}

export interface WireReplyOptions {
  readonly request: WireRequest;
  readonly identity: ReplyIdentity;
}

/** One API. Every folder here exports one for each of its endpoints that decode. */
export interface WireApi {
  readonly name: string;
  /** Throws `CallwrightError` `request-invalid` with a pointer into the body. */
  readRequest(body: unknown): WireRequest;
  writeReply(replies: readonly Reply[], options: WireReplyOptions): JsonObject;
  writeStream(options: WireReplyOptions): StreamWriter;
  /** The body of an error, in the API's own shape. */
  writeError(fault: WireFault): JsonObject;
  /** Statuses that the API has in place of HTTP's own. */
  readonly statuses?: Readonly<Partial<Record<FaultKind, number>>>;
  readonly contentType: "text/event-stream" | "application/x-ndjson";
}
