// Where recursion comes round. Only asked where it has to end somewhere: an indent cannot grow forever, nor can what a
// cap on depth bounds.
import { pointerOf, type Term } from "../algebra/term.ts";
import { checkedLanguageOf } from "../normal-form/node-language.ts";
import { arrayPlanOf, type Emission, objectAutomatonOf } from "./emission.ts";

type Search = Pick<Emission, "compilation" | "objects" | "arrays">;

/** Terms below `root` that a way down from them leads back to, at least one on each circle of terms. */
export function findRecursive(search: Search, root: Term): ReadonlySet<Term> {
  const found = new Set<Term>();
  const seen = new Set([root]);
  const path = new Set([root]);
  const steps = [{ term: root, children: childrenOf(search, root) }];
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const child = step.children.pop();
    if (child === undefined) {
      path.delete(step.term);
      steps.pop();
    } else if (path.has(child)) {
      found.add(child);
    } else if (!seen.has(child)) {
      seen.add(child);
      path.add(child);
      steps.push({ term: child, children: childrenOf(search, child) });
    }
  }
  return found;
}

/** The terms that values of this one hold. */
export function childrenOf(search: Search, term: Term): Term[] {
  const language = checkedLanguageOf(search.compilation, term);
  const found = new Set<Term>();
  for (const item of language.objects) {
    for (const state of objectAutomatonOf(search, item, pointerOf(term)).states)
      for (const edge of state.edges) found.add(edge.value);
  }
  for (const item of language.arrays) {
    const plan = arrayPlanOf(search, item, pointerOf(term));
    if (plan.type === "list") for (const value of [...plan.prefix, plan.rest]) found.add(value);
    else for (const state of plan.states) for (const edge of state.edges) found.add(edge.value);
  }
  return [...found];
}
