// Kinds of agents: instructions, tools and permissions for a kind of task. Knows nothing of how they are run.
import type { PermissionRule } from "../tools/index.ts";

export interface Agent {
  readonly name: string;
  /** What it is for; a model that may start one reads it. */
  readonly description: string;
  readonly system: string;
  /** Names of the tools it has; absent: all there are. */
  readonly tools?: readonly string[];
  /** Laid under the rules of whoever starts it: it can only be given less. */
  readonly rules?: readonly PermissionRule[];
  /** Turns at most. */
  readonly steps?: number;
}

/** Few, since each costs a small model attention. */
const readingTools = ["list_files", "read_file", "search_files", "calculator"];

/** Agents that are always there. Short instructions, since a small model reads every word of them with every request. */
export const builtInAgents: readonly Agent[] = [
  {
    name: "read",
    description: "Answers questions about files; changes nothing.",
    system:
      "You are a helpful assistant. Call one tool at a time. When you have its result, call the next tool or answer.",
    tools: readingTools,
  },
  {
    name: "build",
    description: "Does tasks: reads and changes files, runs commands.",
    system:
      "You are a helpful assistant that works in a folder. Read a file before you change it. Call one tool at a time. When you have its result, call the next tool or say in one sentence what you did.",
  },
];
