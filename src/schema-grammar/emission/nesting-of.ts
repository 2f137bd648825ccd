// How deep the values of a term nest at most: what a reader with a limit has to know.
import { isAnyLanguage } from "../algebra/language.ts";
import type { Term } from "../algebra/term.ts";
import { checkedLanguageOf } from "../normal-form/node-language.ts";
import type { Emission } from "./emission.ts";
import { childrenOf } from "./find-recursive.ts";

/** Levels of arrays and objects under the caps; where recursion comes round, no fewer than there are. */
export function nestingOf(emission: Emission, root: Term): number {
  const { depth = Number.POSITIVE_INFINITY } = emission.caps;
  const levels = new Map<Term, number>();
  const open = new Set<Term>();
  let isRecursive = false;
  const levelsOf = (term: Term): number => {
    const known = levels.get(term);
    if (known !== undefined) return known;
    if (open.has(term)) {
      isRecursive = true;
      return 0;
    }
    open.add(term);
    const found = ownLevels(term);
    open.delete(term);
    levels.set(term, found);
    return found;
  };
  const ownLevels = (term: Term): number => {
    const language = checkedLanguageOf(emission.compilation, term);
    // The deepest of any value are empty containers inside as many as the cap says.
    if (isAnyLanguage(emission.compilation.context, language)) return depth + 1;
    if (language.objects.length === 0 && language.arrays.length === 0) return 0;
    return 1 + Math.max(0, ...childrenOf(emission, term).map(levelsOf));
  };
  const once = levelsOf(root);
  return isRecursive ? once * (depth + 1) : once;
}
