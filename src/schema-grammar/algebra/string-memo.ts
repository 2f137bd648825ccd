// Products and complements of languages, each worked out once per compile: the same patterns of keys stand in many places.
import {
  andStrings,
  isAnyString,
  notStrings,
  type StringLanguage,
  type StringResult,
} from "../string-language.ts";
import type { Algebra } from "./algebra.ts";

/** As `andStrings`, within the compile's budget of states. */
export function andStringsOnce(algebra: Algebra, a: StringLanguage, b: StringLanguage): StringResult {
  if (isAnyString(a)) return { language: b, exact: true };
  if (isAnyString(b)) return { language: a, exact: true };
  const key = `&${a.key}\n${b.key}`;
  const known = algebra.strings.get(key) ?? andStrings(a, b, algebra.states);
  algebra.strings.set(key, known);
  return known;
}

/** As `notStrings`, within the compile's budget of states. */
export function notStringsOnce(algebra: Algebra, a: StringLanguage): StringResult {
  const key = `!${a.key}`;
  const known = algebra.strings.get(key) ?? notStrings(a, algebra.states);
  algebra.strings.set(key, known);
  return known;
}
