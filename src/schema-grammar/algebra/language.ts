// The normal form of a place: what it allows of each JSON type, with and, or, not and exactly-one-of.
// Knows nothing of keywords or grammars.
import {
  andNumbers,
  anyNumber,
  isAnyNumber,
  isNoNumber,
  type NumberSet,
  noNumber,
  notNumbers,
  orNumbers,
} from "../number-set.ts";
import {
  andStrings,
  anyString,
  containsString,
  isAnyString,
  isNoString,
  noString,
  notStrings,
  orStrings,
  type StringLanguage,
} from "../string-language.ts";
import type { ArrayShape } from "./array-shape.ts";
import {
  andDisjuncts,
  type Disjunct,
  exactlyOneDisjunct,
  type Kind,
  keyOfDisjunct,
  notDisjuncts,
  orDisjuncts,
} from "./disjunct.ts";
import type { ObjectShape } from "./object-shape.ts";

export interface Language {
  readonly isNull: boolean;
  /** Bit 1: false is allowed; bit 2: true is. */
  readonly booleans: number;
  readonly numbers: NumberSet;
  readonly strings: StringLanguage;
  readonly arrays: readonly Disjunct<ArrayShape>[];
  readonly objects: readonly Disjunct<ObjectShape>[];
  /** Whether numbers or strings are more than the schema allows, so that their complement cannot be told. */
  readonly areNumbersLoose: boolean;
  readonly areStringsLoose: boolean;
}

/** What the operations need: both kinds of container, and the states a string automaton may have. */
export interface LanguageContext {
  readonly arrays: Kind<ArrayShape>;
  readonly objects: Kind<ObjectShape>;
  readonly states: number;
}

export const noLanguage: Language = {
  isNull: false,
  booleans: 0,
  numbers: noNumber,
  strings: noString,
  arrays: [],
  objects: [],
  areNumbersLoose: false,
  areStringsLoose: false,
};

/** All JSON values. */
export function anyLanguage(context: LanguageContext): Language {
  return {
    ...noLanguage,
    isNull: true,
    booleans: 3,
    numbers: anyNumber,
    strings: anyString,
    arrays: [{ shape: context.arrays.any, where: { type: "true", id: 0 } }],
    objects: [{ shape: context.objects.any, where: { type: "true", id: 0 } }],
  };
}

export function andLanguages(context: LanguageContext, a: Language, b: Language): Language {
  const numbers = andNumbers(a.numbers, b.numbers, context.states);
  const strings = andStrings(a.strings, b.strings, context.states);
  return {
    isNull: a.isNull && b.isNull,
    booleans: a.booleans & b.booleans,
    numbers: numbers.numbers,
    strings: strings.language,
    arrays: andDisjuncts(context.arrays, a.arrays, b.arrays),
    objects: andDisjuncts(context.objects, a.objects, b.objects),
    areNumbersLoose: a.areNumbersLoose || b.areNumbersLoose || !numbers.exact,
    areStringsLoose: a.areStringsLoose || b.areStringsLoose || !strings.exact,
  };
}

export function orLanguages(context: LanguageContext, a: Language, b: Language): Language {
  const numbers = orNumbers(a.numbers, b.numbers, context.states);
  const strings = orStrings(a.strings, b.strings, context.states);
  return {
    isNull: a.isNull || b.isNull,
    booleans: a.booleans | b.booleans,
    numbers: numbers.numbers,
    strings: strings.language,
    arrays: orDisjuncts([a.arrays, b.arrays]),
    objects: orDisjuncts([a.objects, b.objects]),
    areNumbersLoose: a.areNumbersLoose || b.areNumbersLoose || !numbers.exact,
    areStringsLoose: a.areStringsLoose || b.areStringsLoose || !strings.exact,
  };
}

export function notLanguage(context: LanguageContext, a: Language): Language {
  const numbers = a.areNumbersLoose
    ? { numbers: anyNumber, exact: false }
    : notNumbers(a.numbers, context.states);
  const strings = a.areStringsLoose
    ? { language: anyString, exact: false }
    : notStrings(a.strings, context.states);
  return {
    isNull: !a.isNull,
    booleans: 3 & ~a.booleans,
    numbers: numbers.numbers,
    strings: strings.language,
    arrays: notDisjuncts(context.arrays, a.arrays),
    objects: notDisjuncts(context.objects, a.objects),
    areNumbersLoose: !numbers.exact,
    areStringsLoose: !strings.exact,
  };
}

/** What exactly one of the languages allows. */
export function exactlyOneLanguage(context: LanguageContext, list: readonly Language[]): Language {
  return {
    ...exactlyOneScalars(context, list),
    arrays: exactlyOneDisjunct(
      context.arrays,
      list.map((item) => item.arrays),
    ),
    objects: exactlyOneDisjunct(
      context.objects,
      list.map((item) => item.objects),
    ),
  };
}

function exactlyOneScalars(context: LanguageContext, list: readonly Language[]): Language {
  const scalars = list
    .map((item) => ({ ...item, arrays: [], objects: [] }))
    .filter((item) => !isNoLanguage(item));
  let [once = noLanguage, ...others] = scalars as readonly Language[];
  let any = once;
  for (const item of others) {
    if (areApart(any, item)) once = orLanguages(context, once, item);
    else {
      const onlyBefore = andLanguages(context, once, notLanguage(context, item));
      const onlyNow = andLanguages(context, item, notLanguage(context, any));
      once = orLanguages(context, onlyBefore, onlyNow);
    }
    any = orLanguages(context, any, item);
  }
  return { ...once, arrays: [], objects: [] };
}

/** Whether two scalar languages surely have nothing in common: by type, or as lists of strings. */
function areApart(a: Language, b: Language): boolean {
  if ((a.isNull && b.isNull) || (a.booleans & b.booleans) !== 0) return false;
  if (!isNoNumber(a.numbers) && !isNoNumber(b.numbers)) return false;
  const [fewer, more] =
    a.strings.values.length < b.strings.values.length ? [a.strings, b.strings] : [b.strings, a.strings];
  if (isNoString(fewer) || isNoString(more)) return true;
  if (fewer.terms.length > 0) return false;
  return fewer.values.every((value) => !containsString(more, value));
}

/** Whether the language surely allows nothing. Containers that turn out to be impossible deeper down are not seen. */
export function isNoLanguage(a: Language): boolean {
  return (
    !a.isNull &&
    a.booleans === 0 &&
    a.arrays.length === 0 &&
    a.objects.length === 0 &&
    isNoNumber(a.numbers) &&
    isNoString(a.strings)
  );
}

/** Whether every JSON value is allowed. */
export function isAnyLanguage(context: LanguageContext, a: Language): boolean {
  return (
    a.isNull &&
    a.booleans === 3 &&
    isAnyNumber(a.numbers) &&
    isAnyString(a.strings) &&
    a.arrays.some((item) => item.where.type === "true" && context.arrays.isAny(item.shape)) &&
    a.objects.some((item) => item.where.type === "true" && context.objects.isAny(item.shape))
  );
}

/** Equal for equal normal forms. */
export function keyOfLanguage(a: Language): string {
  const scalars = `${a.isNull ? "n" : ""}${a.booleans};${a.numbers.key};${a.strings.key}`;
  return `${scalars};${a.arrays.map(keyOfDisjunct).join(",")};${a.objects.map(keyOfDisjunct).join(",")}`;
}
