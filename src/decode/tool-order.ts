// Tools that come in another order than last time are shown in that one, so that the prompt's beginning stays the same.
import type { Model } from "../models/model.ts";

const lastOrders = new WeakMap<Model, readonly string[]>();

/** The tools in the order in which this model was last shown the very same names; else as they come. */
export function keepToolOrder<Tool extends { readonly name: string }>(
  model: Model,
  tools: readonly Tool[],
): readonly Tool[] {
  if (tools.length === 0) return tools;
  const last = lastOrders.get(model) ?? [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const isSame = last.length === byName.size && last.every((name) => byName.has(name));
  if (isSame) return last.flatMap((name) => byName.get(name) ?? []);
  lastOrders.set(
    model,
    tools.map(({ name }) => name),
  );
  return tools;
}
