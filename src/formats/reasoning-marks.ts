// How models set their reasoning apart from the answer, and what the end of a prompt says of it.
// Knows neither switches nor budgets; what is done about reasoning is decided in decode/.
import type { PromptPart } from "./format.ts";

/** As the model writes them, white space included. They are recognised without it. */
export interface ReasoningMarks {
  readonly start: string;
  readonly end: string;
}

/** The marks of the model families there are. */
const knownMarks: readonly ReasoningMarks[] = [
  { start: "<think>\n", end: "\n</think>\n\n" },
  { start: "[THINK]", end: "[/THINK]" },
  { start: "<seed:think>", end: "</seed:think>" },
  { start: "<mm:think>", end: "</mm:think>" },
  { start: "<|START_THINKING|>", end: "<|END_THINKING|>" },
  { start: "<|channel>thought\n", end: "\n<channel|>" },
  // The answer is a message of its own, so that the end of the reasoning begins it.
  { start: "<|channel|>analysis<|message|>", end: "<|end|><|start|>assistant" },
];

/** The marks that a chat template speaks of; undefined where it knows of no reasoning. */
export function findReasoningMarks(template: string): ReasoningMarks | undefined {
  return knownMarks.find(({ start }) => template.includes(start.trim()));
}

/** Marks without the white space around them. */
export function bareMarks({ start, end }: ReasoningMarks): ReasoningMarks {
  return { start: start.trim(), end: end.trim() };
}

/**
 * Whether a prompt ends inside reasoning (`open`: its start has no end) or behind reasoning that it has itself filled in
 * (`closed`); `none` where it leaves the start to the model.
 */
export function reasoningAtEnd(
  prompt: readonly PromptPart[],
  marks: ReasoningMarks,
): "open" | "closed" | "none" {
  const { start, end } = bareMarks(marks);
  const text = prompt
    .map((part) => part.text)
    .join("")
    .trimEnd();
  if (text.endsWith(start)) return "open";
  return text.endsWith(end) ? "closed" : "none";
}
