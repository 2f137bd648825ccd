// A session's runs as lines: what each turn cost, what was tried, mended and refused, what each call came to.
import type { SessionRecord } from "../journal/index.ts";
import type { RunEvent } from "../vocabulary/index.ts";
import { describeUsage } from "./print-events.ts";

/** One block for each run. */
export function describeTrace(session: SessionRecord): string {
  const runIds = [...new Set(session.events.map(({ runId }) => runId))];
  const blocks = runIds.map((id) => {
    const run = session.runs.find((candidate) => candidate.id === id);
    const head = `run ${id.slice(0, 8)}${run === undefined ? " (an agent's)" : ` ${run.model}, ${run.reason ?? "did not end"}`}`;
    const lines = session.events
      .filter(({ runId }) => runId === id)
      .flatMap((event) => describeEvent(event, session));
    return [head, ...lines].join("\n");
  });
  const undone = session.changes.filter((change) => change.undone).length;
  const changes =
    session.changes.length === 0 ? [] : [`${session.changes.length} file changes, ${undone} taken back`];
  return [...blocks, ...changes].join("\n\n");
}

function describeEvent(event: RunEvent, session: SessionRecord): readonly string[] {
  switch (event.type) {
    case "turn-start":
      return [
        `  turn ${event.turn}: ${event.format}, ${event.tools.length} tools, ${writeBudget(event.budget)}`,
        ...event.cuts.map(({ part, text }) => `    cut from ${part}: ${text}`),
      ];
    case "call-repaired":
      return [`    repaired (${event.rule}): ${event.before} → ${event.after}`];
    case "call-refused":
      return event.faults.map(
        ({ pointer, expected, came }) =>
          `    refused ${pointer || "the call"}: expected ${expected}, came ${came}`,
      );
    case "retry":
      return [
        `    tried again from ${event.from} (rung ${event.rung}, ${event.cost.reevaluated} tokens again)`,
      ];
    case "call-invalid":
      return [`    no valid call after ${event.attempts.length} attempts`];
    case "permission-asked":
      return [`    asked: ${[event.permission, ...event.patterns].join(" ")}`];
    case "permission-answered":
      return [`    answered: ${event.answer}`];
    case "tool-end": {
      const call = session.calls.find(({ id }) => id === event.callId);
      const input = call === undefined ? "" : ` ${JSON.stringify(call.input).slice(0, 200)}`;
      return [`    ${event.name}${input}: ${event.outcome}`];
    }
    case "notice":
      return [`    ${event.text}`];
    case "turn-end":
      return describeUsage(event.usage, 1)
        .split("\n")
        .map((line) => `    ${line}`)
        .concat(`    ended by ${event.finish}, ${event.usage.attempts} attempts`);
    case "run-end":
      return [`  ended by ${event.reason}`];
    default:
      return [];
  }
}

function writeBudget(budget: Readonly<Record<string, number>>): string {
  return Object.entries(budget)
    .map(([part, tokens]) => `${part} ${tokens}`)
    .join(", ");
}
