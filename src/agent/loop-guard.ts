// Tells a run that gets nowhere from one that makes progress. Looks at calls and their results together:
// polling whose result changes is progress, a call repeated with the same result is not.
import type { JsonObject, JsonValue } from "../vocabulary/index.ts";
import type { RunLimits } from "./run-limits.ts";

/** A call with what came of it. `identity`: the arguments that make it the same as another; absent: all. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly content: string;
  readonly identity?: readonly string[];
}

export type LoopVerdict =
  | { readonly type: "go-on" }
  | { readonly type: "correct"; readonly text: string }
  | { readonly type: "stop"; readonly text: string };

export interface LoopGuard {
  /** Whether one more call of a tool is within its number. Counts it if so. */
  admits(name: string): boolean;
  /** Judges the calls of one turn, once all are answered. */
  judge(round: readonly AnsweredCall[]): LoopVerdict;
}

/** Makes the guard of one run. */
export function createLoopGuard(limits: Pick<RunLimits, "identicalRounds" | "callsPerTool">): LoopGuard {
  const seen = new Set<string>();
  const calls = new Map<string, number>();
  let roundsWithoutNews = 0;
  return {
    admits: (name) => {
      const before = calls.get(name) ?? 0;
      if (before >= limits.callsPerTool) return false;
      calls.set(name, before + 1);
      return true;
    },
    judge: (round) => {
      const prints = round.map(fingerprint);
      const hasNews = prints.some((print) => !seen.has(print));
      for (const print of prints) seen.add(print);
      roundsWithoutNews = hasNews ? 0 : roundsWithoutNews + 1;
      // The first of N identical rounds was news.
      const identical = roundsWithoutNews + 1;
      if (identical < limits.identicalRounds || hasNews) return { type: "go-on" };
      const names = [...new Set(round.map((call) => call.name))].join(", ");
      if (identical > limits.identicalRounds) {
        return { type: "stop", text: `No more tools: ${names} brought nothing new ${identical} times.` };
      }
      return {
        type: "correct",
        // Measured on a model of 0.5 B: it obeys what it is asked to do, and goes on where it is told what not to do.
        text: "This result is known already. Answer in one sentence.",
      };
    },
  };
}

function fingerprint(call: AnsweredCall): string {
  const same = call.identity ?? Object.keys(call.input);
  const input = Object.fromEntries(same.map((key) => [key, call.input[key] ?? null]));
  return JSON.stringify([call.name, sortKeys(input), call.content]);
}

/** The order of keys is no difference between two calls. */
function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
