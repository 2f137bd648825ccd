// What a turn is asked for, and of whom.
import type { Model } from "../models/model.ts";
import type { Profile } from "../models/profile.ts";
import type { Message, ToolChoice, ToolDescription } from "../vocabulary/index.ts";
import type { Levers } from "./levers.ts";

export interface TurnRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** `auto` by default. */
  readonly toolChoice?: ToolChoice;
  /** Whether one turn may hold several calls; the profile's by default. */
  readonly parallel?: boolean;
  /** Makes a turn repeatable. 0 by default. */
  readonly seed?: number;
  /** Tokens the reply may have; the profile's reserve by default. */
  readonly maxTokens?: number;
  readonly levers?: Partial<Levers>;
  /** A tool whose schema is malformed or cannot be met refuses the request, or is left out with a notice. */
  readonly onBadTool?: "refuse" | "leave-out";
  readonly signal?: AbortSignal;
}

/** Who decodes. */
export interface DecodeContext {
  readonly model: Model;
  readonly profile: Profile;
}
