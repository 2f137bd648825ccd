// Tells a run that gets nowhere from one that makes progress. Looks at calls and their results together:
// polling whose result changes is progress, a call repeated with the same result is not.
import { callKey } from "../decode/call-key.ts";
import type { JsonObject, ToolOutcome } from "../vocabulary/index.ts";
import type { RunLimits } from "./run-limits.ts";

/** A call with what came of it. `identity`: the arguments that make it the same as another; absent: all. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly content: string;
  readonly outcome: ToolOutcome;
  readonly identity?: readonly string[];
}

export type LoopVerdict =
  | { readonly type: "go-on" }
  /** The model is told, and may not call these tools until something new has come. */
  | { readonly type: "narrow"; readonly text: string; readonly tools: readonly string[] }
  | { readonly type: "correct"; readonly text: string }
  | { readonly type: "stop"; readonly text: string };

export interface LoopGuard {
  /** Whether one more call of a tool is within its number. Counts it if so. */
  admits(name: string): boolean;
  /** Judges the calls of one turn, once all are answered. `hasOthers`: whether there are tools that it did not call. */
  judge(round: readonly AnsweredCall[], hasOthers?: boolean): LoopVerdict;
}

/** Characters of an error that the model is told again. */
const longestReason = 200;

/** Makes the guard of one run. */
export function createLoopGuard(
  limits: Pick<RunLimits, "identicalRounds" | "callsPerTool"> & Partial<Pick<RunLimits, "failedRounds">>,
): LoopGuard {
  const { failedRounds = Infinity } = limits;
  const seen = new Set<string>();
  const calls = new Map<string, number>();
  let roundsWithoutNews = 0;
  let failures = 0;
  return {
    admits: (name) => {
      const before = calls.get(name) ?? 0;
      if (before >= limits.callsPerTool) return false;
      calls.set(name, before + 1);
      return true;
    },
    judge: (round, hasOthers = true) => {
      const prints = round.map(fingerprint);
      const hasNews = prints.some((print) => !seen.has(print));
      for (const print of prints) seen.add(print);
      roundsWithoutNews = hasNews ? 0 : roundsWithoutNews + 1;
      failures = round.every(hasFailed) ? failures + 1 : 0;
      // Each failure may read differently: other arguments, the same trouble.
      if (hasNews && failures >= failedRounds) return judgeFailures(failures, failedRounds, round);
      // The first of N identical rounds was news.
      const identical = roundsWithoutNews + 1;
      if (identical < limits.identicalRounds || hasNews) return { type: "go-on" };
      const names = [...new Set(round.map((call) => call.name))];
      if (identical === limits.identicalRounds) return { type: "correct", text: correction(round) };
      const mayNarrow = hasOthers && round.every(({ outcome }) => outcome === "completed");
      if (mayNarrow && identical === limits.identicalRounds + 1) {
        return { type: "narrow", text: nextStep, tools: names };
      }
      const text = `No more tools: ${names.join(", ")} brought nothing new ${identical} times.`;
      return { type: "stop", text };
    },
  };
}

/** A denial is counted elsewhere, and is no failure of the tool. */
function hasFailed({ outcome }: AnsweredCall): boolean {
  return outcome === "failed" || outcome === "crashed";
}

/** Told once; two more failures, and the tools are gone. */
function judgeFailures(failures: number, bound: number, round: readonly AnsweredCall[]): LoopVerdict {
  if (failures === bound) return { type: "correct", text: correction(round) };
  if (failures < bound + 2) return { type: "go-on" };
  const names = [...new Set(round.map((call) => call.name))].join(", ");
  return { type: "stop", text: `No more tools: ${names} failed ${failures} times in a row.` };
}

/** What the model does next is among the other tools, or an answer. */
const nextStep = "This result is known already. Do the next step of the task, or answer.";

/** Measured on a model of 0.5 B: it obeys what it is asked to do, and goes on where it is told what not to do. */
function correction(round: readonly AnsweredCall[]): string {
  const unsuccessful = round.find(({ outcome }) => outcome !== "completed");
  if (unsuccessful === undefined) return "This result is known already. Answer in one sentence.";
  const { name, outcome, content } = unsuccessful;
  const what = outcome === "denied" ? "was denied again" : "failed in the same way again";
  return `${name} ${what}: ${firstLine(content)}\nSay in one sentence what could not be done and why.`;
}

/** The error as the model repeats it: one line, and not a long one. */
function firstLine(content: string): string {
  const [line = ""] = content.trim().split("\n");
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}

function fingerprint(call: AnsweredCall): string {
  const same = call.identity ?? Object.keys(call.input);
  const input = Object.fromEntries(same.map((key) => [key, call.input[key] ?? null]));
  return JSON.stringify([callKey({ name: call.name, input }), call.content]);
}
