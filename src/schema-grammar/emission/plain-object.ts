// The automaton of an object whose keys each stand for themselves. Most objects are so, and this is the quick way.
import type { Disjunct } from "../algebra/disjunct.ts";
import type { ObjectShape } from "../algebra/object-shape.ts";
import { noneTerm, unstatedTerm } from "../algebra/term.ts";
import type { Compilation } from "../normal-form/compilation.ts";
import type { ObjectAutomaton, ObjectEdge, ObjectState } from "./object-automaton.ts";
import { splitOpenKeys } from "./open-keys.ts";

/** Whether each key stands for itself: no condition, no count, one order. Most objects are so. */
export function isPlain(compilation: Compilation, { shape, where }: Disjunct<ObjectShape>): boolean {
  if (where.type !== "true" || shape.min > 0 || shape.max !== undefined) return false;
  return compilation.keyOrder === "schema" && [...shape.names.values()].every((key) => key.isDeclared);
}

/** The same automaton as the general way gives, with less work. */
export function plainAutomaton(compilation: Compilation, shape: ObjectShape): ObjectAutomaton {
  const closes = compilation.isClosed && shape.isClosable;
  const names = [...shape.names.keys()];
  const states = [...shape.names].map(([key, { value, isRequired }], at): ObjectState => {
    const isWritten = value !== noneTerm && (isRequired || !closes || value !== unstatedTerm);
    return {
      isFinal: false,
      name: key,
      skip: isRequired ? undefined : at + 1,
      edges: isWritten ? [{ key, value, target: at + 1 }] : [],
      bounds: undefined,
    };
  });
  const split = splitOpenKeys(compilation, [shape], names);
  const open = split.cells.map(({ keys, except, parts }): ObjectEdge => {
    const value = parts.get(shape) ?? shape.open[0]?.value ?? noneTerm;
    return { key: { keys, except }, value, target: names.length };
  });
  const edges = open.filter(({ value }) => value !== noneTerm && (!closes || value !== unstatedTerm));
  states.push({ isFinal: true, name: undefined, skip: undefined, edges, bounds: undefined });
  return {
    states,
    repeatedKeys: split.reason,
    isClosed: closes && shape.open.some((part) => part.value === unstatedTerm),
  };
}
