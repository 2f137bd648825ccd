// A context for running one tool in a test.
import type { ToolContext } from "../../src/tools/index.ts";

export function toolContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return {
    runId: "run",
    turn: 1,
    callId: "call",
    signal,
    messages: [],
    ask: async () => {},
    isAllowed: () => true,
    progress: () => {},
  };
}
