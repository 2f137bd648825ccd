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
  return readSet<PromptWithExpectation>("tool-prompts.json");
}

/** Ten requests that want no call although tools are offered. */
export function readSmallTalk(): readonly PromptWithExpectation[] {
  return readSet<PromptWithExpectation>("small-talk.json");
}

/** A hundred requests over strict schemas, tagged `open`, and a hundred that tempt a fault no grammar sees, tagged `residual`. */
export function readLadderPrompts(): readonly Prompt[] {
  return readSet<Prompt>("../ladder/prompts.json");
}

/** The sets are our own files, checked item by item by a test of their own. */
function readSet<T>(file: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as readonly T[];
}
