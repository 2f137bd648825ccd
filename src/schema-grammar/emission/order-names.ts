// Which names of an object have a place in the order of keys, and which may come anywhere.
import type { ObjectShape } from "../algebra/object-shape.ts";
import type { Compilation } from "../normal-form/compilation.ts";

/** States that floating names may multiply an object to; beyond, they follow the others in a fixed order. */
const floatingLimit = 512;
/** Names that may come in any order where that is asked for. */
export const freeNameLimit = 5;

/**
 * Which names have a place in the order and which may come anywhere. Declared ones have a place; those that only
 * conditions speak of float, where that does not multiply the states too far.
 */
export function orderOfNames(
  compilation: Compilation,
  shape: ObjectShape,
  shapes: readonly ObjectShape[],
): { readonly placed: readonly string[]; readonly floating: readonly string[] } {
  const all = [...new Set(shapes.flatMap((each) => [...each.names.keys()]))];
  const isFree = compilation.keyOrder === "any" && shape.names.size <= freeNameLimit;
  const own = isFree ? [] : all.filter((name) => shape.names.get(name)?.isDeclared);
  const declared = all.filter((name) => shapes.some((each) => each.names.get(name)?.isDeclared));
  for (const placed of [own, declared]) {
    const floating = all.filter((name) => !placed.includes(name));
    if ((placed.length + 1) * 2 ** floating.length <= floatingLimit) return { placed, floating };
  }
  return { placed: [...new Set([...declared, ...all])], floating: [] };
}
