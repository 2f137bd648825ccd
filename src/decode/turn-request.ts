// What a turn is asked for, and of whom.
import type { KeptResult } from "../context/plan-cuts.ts";
import type { Model } from "../models/model.ts";
import type { Profile } from "../models/profile.ts";
import type {
  AnswerForm,
  JsonObject,
  Message,
  SamplingOptions,
  ToolChoice,
  ToolDescription,
} from "../vocabulary/index.ts";
import type { Levers } from "./levers.ts";
import type { ReasoningRequest } from "./plan-reasoning.ts";

export interface TurnRequest {
  readonly messages: readonly Message[];
  /**
   * Text that is gone on with as it stands, in place of messages: no template, no tools, no reasoning. Marks in it become the
   * model's special tokens.
   */
  readonly rawPrompt?: string;
  readonly tools: readonly ToolDescription[];
  /** `auto` by default. */
  readonly toolChoice?: ToolChoice;
  /** Names of the tools that may be called, where others are shown as well, so that the prompt stays the same. */
  readonly callable?: readonly string[];
  /** Whether one turn may hold several calls. By default one where the choice names a tool, else as the profile says. */
  readonly parallel?: boolean;
  /** Makes a turn repeatable. 0 by default. */
  readonly seed?: number;
  /** Tokens the reply may have; the profile's reserve by default. */
  readonly maxTokens?: number;
  /** Texts that end the answer where they come up, and are no part of it. Calls and reasoning may hold them. */
  readonly stop?: readonly string[];
  /** How text and reasoning are sampled; the profile's by default. */
  readonly sampling?: SamplingOptions;
  /** Whether that holds for calls too. By default they are sampled as the profile says, whatever the text is. */
  readonly sampleCalls?: boolean;
  /** The form of an answer that is no call; free text by default. */
  readonly answer?: AnswerForm;
  /** Tells how likely each token of the text was, with this many of its rivals. Needs a model that gives probabilities. */
  readonly logprobs?: number;
  /** Switches for the model's chat template, laid over the profile's. */
  readonly variables?: JsonObject;
  /** `fit` (the default): what does not fit is cut by the profile's rules and told. `whole`: nothing is cut. */
  readonly context?: "fit" | "whole";
  /** Whether and how much the model reasons before it answers; the profile's by default. */
  readonly reasoning?: ReasoningRequest;
  readonly levers?: Partial<Levers>;
  /** A tool whose schema is malformed or cannot be met refuses the request, or is left out with a notice. */
  readonly onBadTool?: "refuse" | "leave-out";
  /** What only a run knows of its turn; a single turn has none of it. */
  readonly run?: TurnOfRun;
  readonly signal?: AbortSignal;
}

/** The run's part in fitting a turn to the window. Its tools are answered by the run. */
export interface TurnOfRun {
  /** The message that the run is to answer. */
  readonly request?: Message;
  /** Results whose whole text the run keeps, by call id. */
  readonly keptResults: ReadonlyMap<string, KeptResult>;
  /** A tool that reads kept results; offered where one is shown cut. */
  readonly reader?: ToolDescription;
  /** A tool that finds tools; offered where some are hidden. */
  readonly finder?: ToolDescription;
  /** Names of tools that were found, which are offered from then on. */
  readonly foundTools: readonly string[];
  /** Names of tools that the prompt still has and that may not be called this time, as long as another may. */
  readonly withheld?: readonly string[];
}

/** Who decodes. */
export interface DecodeContext {
  readonly model: Model;
  readonly profile: Profile;
}
