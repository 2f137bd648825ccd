// BFCL's single-turn items as a suite, judged by its own rules.
import type { BenchAnswer, BenchItem, Suite } from "../bench-item.ts";
import { readJson } from "../read-json.ts";
import { checkAnswer } from "./check-answer.ts";
import { bfclCategories, bfclRequirement, type DataSetOptions, readCategory } from "./data-set.ts";
import { type PythonValue, parsePython } from "./python-value.ts";
import { type BfclItem, readItems } from "./read-items.ts";

/** All single-turn items. */
export async function loadBfcl(options: DataSetOptions): Promise<Suite> {
  const hashes: Record<string, string> = {};
  const items: BenchItem[] = [];
  for (const category of bfclCategories) {
    const text = await readCategory(category, options);
    hashes[category] = text.hash;
    items.push(...readItems(category, text).map(toBenchItem));
  }
  return { name: "bfcl", items, provenance: { data: bfclRequirement, hashes } };
}

function toBenchItem(item: BfclItem): BenchItem {
  const { id, category, messages, offered } = item;
  const wanted = item.expected.map(({ name }) => name);
  return {
    id,
    category,
    messages,
    tools: offered,
    ...(category === "live_relevance" ? {} : { wanted }),
    judge: (answer) => checkAnswer(item, answerAsBfcl(answer)),
  };
}

/**
 * The answer as a result file of BFCL has it: a list of calls, or the text where there is none, or where arguments are no
 * JSON, which its decoder cannot read either.
 */
export function answerAsBfcl({ calls, text }: Pick<BenchAnswer, "calls" | "text">): PythonValue {
  if (calls.length === 0) return text;
  if (calls.some((call) => readJson(call.text) === undefined)) {
    return calls.map((call) => `${call.name}(${call.text})`).join("\n");
  }
  return calls.map((call): PythonValue => new Map([[call.name, parsePython(call.text)]]));
}
