// Rung 2 of the ladder: repairs a call that was not constrained, where that loses nothing and guesses nothing.
// A repair is kept only if it takes faults away, and all of them are given up if the call is not valid in the end.
import type { CallFault } from "../vocabulary/index.ts";
import { type CheckedTool, checkCall, type UncheckedCall } from "./check-call.ts";
import { type Repair, repairRules } from "./repair-rules.ts";

/** Rules that are off, by name (`parsed-string`), or all of them. */
export interface RepairOptions {
  readonly off: "all" | readonly string[];
}

export type RepairOutcome =
  | { readonly type: "valid"; readonly call: UncheckedCall; readonly repairs: readonly Repair[] }
  | {
      readonly type: "invalid";
      /** As far as it could be read, with what it is about. */
      readonly call: UncheckedCall;
      readonly faults: readonly CallFault[];
      /** Whether pointers of the faults still are those of the text. */
      readonly keepsPlaces: boolean;
    };

// One repair may bring another one's place to light; more than this is no repair but a guess.
const maxRepairs = 16;
const movesPlaces = new Set([
  "decoded-arguments-string",
  "unwrapped-envelope",
  "wrapped-array",
  "parsed-string",
]);

/** The call as it is where that is valid, else repaired, else why not. */
export function repairCall(
  call: UncheckedCall,
  tools: readonly CheckedTool[],
  options: RepairOptions,
): RepairOutcome {
  const rules = repairRules.filter((rule) => isRuleOn(rule.name, options));
  let current = call;
  let faults = checkCall(call, tools);
  const repairs: Repair[] = [];
  while (faults.length > 0 && repairs.length < maxRepairs) {
    const next = firstThatHelps(rules, current, faults, tools);
    if (next === undefined) break;
    current = next.call;
    faults = next.faults;
    repairs.push(next.repair);
  }
  if (faults.length === 0) return { type: "valid", call: current, repairs };
  const keepsPlaces = !repairs.some(({ rule }) => movesPlaces.has(ruleName(rule)));
  return { type: "invalid", call: current, faults, keepsPlaces };
}

/** Whether a rule, named with or without what it was applied to, may be used. */
export function isRuleOn(rule: string, { off }: RepairOptions): boolean {
  return off !== "all" && !off.includes(ruleName(rule));
}

function ruleName(rule: string): string {
  return rule.split(":", 1)[0] ?? rule;
}

function firstThatHelps(
  rules: typeof repairRules,
  call: UncheckedCall,
  faults: readonly CallFault[],
  tools: readonly CheckedTool[],
): { call: UncheckedCall; repair: Repair; faults: readonly CallFault[] } | undefined {
  for (const rule of rules) {
    for (const proposal of rule.propose(call, faults, tools)) {
      const left = checkCall(proposal.call, tools);
      if (helps(faults, left)) return { ...proposal, faults: left };
    }
  }
  return undefined;
}

/** Fewer faults, or deeper ones: what was no object at all, or no known tool, can only then be judged. */
function helps(before: readonly CallFault[], after: readonly CallFault[]): boolean {
  if (after.length < before.length) return true;
  const wasUnjudged = before.some(({ pointer, keyword }) => pointer === "" && keyword !== "required");
  const isUnjudged = after.some(({ pointer, keyword }) => pointer === "" && keyword !== "required");
  return wasUnjudged && !isUnjudged;
}
