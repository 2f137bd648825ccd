// A profile says how one model is treated. All values have defaults; its JSON Schema is `profile-schema.ts`.
import type { ReasoningMarks } from "../formats/index.ts";
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import type { JsonObject } from "../vocabulary/index.ts";

export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  /** 0 keeps all. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  /**
   * What is taken from the logit of each token that the reply has already, once and for each time it came (OpenAI's
   * definition), 0–2. Absent: nothing. Text under a grammar is never penalised.
   */
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  /** Added to a token's logit in free text, by its id, -100 (never) to 0. Only a request says this. */
  readonly logitBias?: Readonly<Record<number, number>>;
}

/** `auto`: as the model itself does. */
export type ReasoningMode = "on" | "off" | "auto";
export type ReasoningEffort = "low" | "medium" | "high";

export interface Reasoning {
  /** Absent: the model does not reason. */
  readonly marks?: ReasoningMarks;
  /** How the model is told whether and how much to reason; what is absent it cannot be told. */
  readonly switch?: ReasoningSwitch;
  readonly mode: ReasoningMode;
  /** For models that can be told. Absent: the template's own. */
  readonly effort?: ReasoningEffort;
  /** Tokens of reasoning after which its end is forced. */
  readonly budget: number;
  /** Which past reasoning later requests show: none, that since the newest user message, or all. */
  readonly history: "drop" | "keep-in-tool-loop" | "keep";
}

export interface ReasoningSwitch {
  /** Template variable that is true or false. */
  readonly variable?: string;
  /** Words in the system text or in what the user says, of which the newest counts. */
  readonly words?: { readonly on: string; readonly off: string };
  /** Template variable for the effort, and what it is set to. */
  readonly effort?: { readonly variable: string } & Readonly<Record<ReasoningEffort, string>>;
}

export interface Profile {
  readonly name: string;
  /** A format's name, or `auto`: chosen from the file's own template and confirmed by a probe. */
  readonly format: string;
  /** Formats whose openers are watched for in `auto`, the most used first. Empty: the format's own. */
  readonly openers: readonly string[];
  /** Mends of the template: a whole replacement, or variables that are always set. */
  readonly template: { readonly replacement?: string; readonly variables: JsonObject };
  readonly reasoning: Reasoning;
  readonly sampling: { readonly thinking: Sampling; readonly text: Sampling; readonly call: Sampling };
  readonly calls: {
    readonly parallel: boolean;
    readonly keyOrder: "schema" | "any";
    readonly spacing: Spacing;
    /** Whether forms that descriptions state are asked for where the model finds them likely. */
    readonly hints: boolean;
    /** Whether optional arguments are left out that nothing in the conversation speaks of. */
    readonly grounding: boolean;
    /** Tools that a first call may name at most, where the request speaks of one by its name; 0 for all. */
    readonly candidates: number;
    /**
     * After so many rounds of the same calls with the same results a single turn in `auto` may not call their tools again;
     * 0 never. Runs have a guard of their own.
     */
    readonly repeats: number;
    /** What the model is told about when to call, at the end of the system text. Empty: nothing. */
    readonly instruction: string;
    /**
     * `greedy`: the model's own first token opens a call. `score`: the probability of an offered tool's call against a
     * threshold, in log-odds, to which `nameWeight` is added in the measure in which the request speaks of a tool's name.
     */
    readonly decision: {
      readonly kind: "greedy" | "score";
      readonly threshold: number;
      readonly nameWeight: number;
    };
    /** Characters an unbounded string argument may have, so that no call runs away. */
    readonly stringLimit: number;
    /** Items an unbounded array argument may have. */
    readonly itemLimit: number;
    /** Levels of any JSON value, and rounds of a schema that refers to itself. */
    readonly depthLimit: number;
  };
  readonly diet: {
    /** How much of a tool's prose the model reads. */
    readonly descriptions: "full" | "first-sentence";
    /** Share of the window that the tools may take before only those that fit the request are offered. */
    readonly share: number;
    /** Tools that are then offered at most. */
    readonly tools: number;
    /** Whether a run then offers a tool that finds the others. */
    readonly finder: boolean;
  };
  readonly context: {
    /** Tokens of the window. */
    readonly size: number;
    /** Tokens always kept for the reply. */
    readonly reserve: number;
    /** Largest share of the window that one tool result may take. */
    readonly resultShare: number;
    /** Tokens of an old result's preview. */
    readonly preview: number;
  };
  readonly retry: {
    /** Decoding attempts of one turn, the first included. */
    readonly attempts: number;
    /** Temperature of each attempt; the last holds for the rest. */
    readonly temperatures: readonly number[];
    /** Tokens that all retries of a turn may sample together. */
    readonly tokens: number;
  };
  readonly runtime: {
    /** 0: as many as the machine has. */
    readonly threads: number;
    readonly batch: number;
    /** Conversations kept at once, each with a window of its own. */
    readonly sequences: number;
    readonly flashAttention: "auto" | boolean;
    readonly kv: "f16";
  };
}

const greedy: Sampling = { temperature: 0, topK: 0, topP: 1, minP: 0 };

/** What holds for a model that nothing is known of. */
export const defaultProfile: Profile = {
  name: "unknown",
  format: "auto",
  openers: [],
  template: { variables: {} },
  reasoning: { mode: "auto", budget: 1024, history: "keep-in-tool-loop" },
  sampling: { thinking: { temperature: 0.6, topK: 20, topP: 0.95, minP: 0 }, text: greedy, call: greedy },
  calls: {
    parallel: true,
    keyOrder: "schema",
    spacing: "spaced",
    hints: false,
    grounding: false,
    candidates: 0,
    repeats: 2,
    instruction: "",
    decision: { kind: "greedy", threshold: 0.5, nameWeight: 0 },
    stringLimit: 4000,
    itemLimit: 100,
    depthLimit: 8,
  },
  diet: { descriptions: "full", share: 0.5, tools: 8, finder: true },
  context: { size: 8192, reserve: 1024, resultShare: 0.4, preview: 64 },
  retry: { attempts: 4, temperatures: [0, 0.3, 0.7], tokens: 2048 },
  runtime: { threads: 0, batch: 512, sequences: 2, flashAttention: false, kv: "f16" },
};

/** A profile as a catalogue writes it: any part may be left out. */
export type PartialProfile = DeepPartial<Profile>;

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** Lays partial profiles over the default, later ones winning; arrays are replaced whole. Nothing given is changed. */
export function resolveProfile(...layers: readonly PartialProfile[]): Profile {
  return layProfiles(defaultProfile, ...layers) as Profile;
}

/** Lays partial profiles over each other as `resolveProfile` does, without the defaults. */
export function layProfiles(...layers: readonly PartialProfile[]): PartialProfile {
  return layers.reduce<unknown>((merged, layer) => mergeValue(merged, layer), {}) as PartialProfile;
}

function mergeValue(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isPlainObject(base) || !isPlainObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = mergeValue(base[key], value);
  return merged;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
