// Which places lead back to themselves. Only needed where containers go over lines, because an indent cannot grow forever.
import { pointerOf, type Term } from "../algebra/term.ts";
import { checkedLanguageOf } from "../normal-form/node-language.ts";
import { arrayPlanOf, type Emission, objectAutomatonOf } from "./emission.ts";

type Search = Pick<Emission, "compilation" | "objects" | "arrays">;

/** All terms below `root` that are part of a circle of terms. */
export function findRecursive(search: Search, root: Term): ReadonlySet<Term> {
  const children = new Map<Term, readonly Term[]>();
  const pending = [root];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (children.has(term)) continue;
    const found = childrenOf(search, term);
    children.set(term, found);
    pending.push(...found);
  }
  // What no circle leads through falls away from both ends.
  const parents = new Map<Term, Set<Term>>([...children.keys()].map((term) => [term, new Set()]));
  for (const [term, found] of children) for (const child of found) parents.get(child)?.add(term);
  const kept = new Map([...children].map(([term, found]) => [term, new Set(found)]));
  const ends = [...kept.keys()].filter((term) => kept.get(term)?.size === 0);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    for (const parent of parents.get(end) ?? []) {
      const rest = kept.get(parent);
      if (rest?.delete(end) && rest.size === 0) ends.push(parent);
    }
    kept.delete(end);
  }
  return new Set([...kept.keys()].filter((term) => reaches(kept, term)));
}

function reaches(children: ReadonlyMap<Term, ReadonlySet<Term>>, start: Term): boolean {
  const seen = new Set<Term>();
  const pending = [...(children.get(start) ?? [])];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (term === start) return true;
    if (seen.has(term)) continue;
    seen.add(term);
    pending.push(...(children.get(term) ?? []));
  }
  return false;
}

function childrenOf(search: Search, term: Term): readonly Term[] {
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
