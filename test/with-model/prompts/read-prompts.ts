// Reads the hand-made sets beside it. Knows their shape, and not how they are run or judged.
import { readFileSync } from "node:fs";
import type { ToolDescription, UserMessage } from "../../../src/vocabulary/index.ts";
import type { ExpectedCall } from "./match-expected.ts";

export interface Prompt {
  readonly id: string;
  readonly tags: readonly string[];
  readonly messages: readonly UserMessage[];
  readonly tools: readonly ToolDescription[];
}

/** `expected` is null where no tool should be called. */
export interface PromptWithExpectation extends Prompt {
  readonly expected: ExpectedCall | null;
}

/** Forty requests that want one call each. */
export function readToolPrompts(): readonly PromptWithExpectation[] {
  return readJson<readonly PromptWithExpectation[]>("tool-prompts.json");
}

/** Twenty requests that want no call although tools are offered: small talk, and questions that no offered tool answers. */
export function readSmallTalk(): readonly PromptWithExpectation[] {
  return readJson<readonly PromptWithExpectation[]>("small-talk.json");
}

interface LadderSet {
  readonly tools: readonly ToolDescription[];
  readonly prompts: readonly {
    readonly id: string;
    readonly tags: readonly string[];
    readonly request: string;
    /** Names of the tools offered. */
    readonly tools: readonly string[];
  }[];
}

/** A hundred requests over strict schemas, tagged `open`, and a hundred that tempt a fault no grammar sees, tagged `residual`. */
export function readLadderPrompts(): readonly Prompt[] {
  const set = readJson<LadderSet>("../ladder/prompts.json");
  const tools = new Map(set.tools.map((tool) => [tool.name, tool]));
  return set.prompts.map((prompt) => ({
    id: prompt.id,
    tags: prompt.tags,
    messages: [{ role: "user", content: prompt.request }],
    tools: prompt.tools.map((name) => {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`the ladder has no tool ${name}`);
      return tool;
    }),
  }));
}

/** The files are our own, checked item by item by a test. */
function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as T;
}
