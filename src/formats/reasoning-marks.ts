// How models set their reasoning apart from the answer, and what the end of a prompt says of it.
// Knows neither switches nor budgets; what is done about reasoning is decided in decode/.
import type { PromptPart } from "./format.ts";

/** As the model writes them, white space included. They are recognised without it. */
export interface ReasoningMarks {
  readonly start: string;
  readonly end: string;
}

/** Marks, and what of a template speaks of them; absent: their start. */
interface KnownMarks extends ReasoningMarks {
  readonly sign?: string;
}

/** The marks of the model families there are. Of two that a template speaks of, the first are meant. */
const knownMarks: readonly KnownMarks[] = [
  { start: "<think>\n", end: "\n</think>\n\n" },
  { start: "[THINK]", end: "[/THINK]" },
  { start: "<seed:think>", end: "</seed:think>" },
  { start: "<mm:think>", end: "</mm:think>" },
  { start: "<|START_THINKING|>", end: "<|END_THINKING|>" },
  { start: "<|channel>thought\n", end: "\n<channel|>" },
  // The answer is a message of its own, so that the end of the reasoning begins it.
  { start: "<|channel|>analysis<|message|>", end: "<|end|><|start|>assistant" },
  { start: "<|think|>", end: "<|end|><|begin|>assistant<|content|>" },
  { start: " to=self<|message|>", end: "<|eom|><|start|>assistant to=user<|message|>" },
  {
    start: "<|open|>think<|sep|>",
    end: "<|close|>think<|sep|><|open|>response<|sep|>",
    sign: "open_tag('think'",
  },
  { start: "<think:opensource>", end: "</think:opensource>", sign: "HYTK = ':opensource'" },
  { start: "<|inner_prefix|>", end: "<|inner_suffix|>" },
  { start: "Here are my reasoning steps:\n", end: "\n[BEGIN FINAL RESPONSE]\n" },
  { start: "<thinking>", end: "</thinking>" },
];

/** The marks that a chat template speaks of; undefined where it knows of no reasoning. */
export function findReasoningMarks(template: string): ReasoningMarks | undefined {
  const found = knownMarks.find(({ start, sign = start.trim() }) => template.includes(sign));
  return found && { start: found.start, end: found.end };
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
