// How one turn reasons: what the request, the words of the conversation and the profile say, the nearest first, and what
// the template is told of it. Knows nothing of decoding.
import type { ReasoningMarks } from "../formats/index.ts";
import type { Profile, ReasoningEffort, ReasoningMode, ReasoningSwitch } from "../models/profile.ts";
import type { JsonObject, Message } from "../vocabulary/index.ts";

/** What a request may say of its reasoning; what it leaves out is the profile's. */
export interface ReasoningRequest {
  readonly mode?: ReasoningMode;
  readonly effort?: ReasoningEffort;
  /** Tokens after which its end is forced. */
  readonly budget?: number;
}

export interface ReasoningPlan {
  /** Absent: the model does not reason. */
  readonly marks?: ReasoningMarks;
  readonly mode: ReasoningMode;
  readonly budget: number;
  /** Whether the prompt tells the model of the mode, so that `off` needs nothing more. */
  readonly isTold: boolean;
  /** For the template. */
  readonly variables: JsonObject;
  /** What the system text has to say of it; empty: nothing. */
  readonly words: string;
  /** What of the request cannot be followed, one line each. */
  readonly unmet: readonly string[];
}

export function planReasoning(
  { reasoning }: Profile,
  request: ReasoningRequest,
  messages: readonly Message[],
): ReasoningPlan {
  const { marks, switch: its = {}, history } = reasoning;
  const said = newestWord(its.words, messages);
  const mode = request.mode ?? said ?? reasoning.mode;
  const effort = request.effort ?? reasoning.effort;
  const isSwitch = mode !== "auto" && its.variable !== undefined;
  const needsWords = mode !== "auto" && its.variable === undefined && said !== mode;
  return {
    ...(marks === undefined ? {} : { marks }),
    mode: marks === undefined ? "off" : mode,
    budget: request.budget ?? reasoning.budget,
    isTold: its.variable !== undefined || its.words !== undefined,
    variables: {
      ...(isSwitch ? { [its.variable]: mode === "on" } : {}),
      ...(effort !== undefined && its.effort !== undefined
        ? { [its.effort.variable]: its.effort[effort] }
        : {}),
      ...(history === "keep" ? keepVariables : {}),
    },
    words: needsWords ? (its.words?.[mode] ?? "") : "",
    unmet: [
      ...(request.mode === "on" && marks === undefined ? ["This model does not reason."] : []),
      ...(request.effort !== undefined && its.effort === undefined
        ? ["This model cannot be told how much effort to make; give a budget instead."]
        : []),
    ],
  };
}

// The names by which templates ask whether past reasoning is to be shown.
const keepVariables: JsonObject = {
  preserve_thinking: true,
  keep_past_thinking: true,
  clear_thinking: false,
  drop_thinking: false,
  truncate_history_thinking: false,
};

/** The mode that system text or user asked for last. */
function newestWord(words: ReasoningSwitch["words"], messages: readonly Message[]): "on" | "off" | undefined {
  if (words === undefined) return undefined;
  for (const message of messages.toReversed()) {
    if (message.role !== "system" && message.role !== "user") continue;
    const on = lastWord(message.content, words.on);
    const off = lastWord(message.content, words.off);
    if (on !== off) return on > off ? "on" : "off";
  }
  return undefined;
}

/** Where the word stands last on its own, else -1: `/think` is not in `a/think` nor in `/thinking`. */
function lastWord(text: string, word: string): number {
  for (let at = text.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    if (/\s/.test(before) && !/[\p{L}\p{N}_/-]/u.test(after)) return at;
  }
  return -1;
}
