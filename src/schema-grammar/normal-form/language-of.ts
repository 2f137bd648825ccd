// The normal form of a term, each worked out once. A term that is met inside its own working out is a cycle.

import { arrayShape } from "../algebra/array-shape.ts";
import {
  andLanguages,
  anyLanguage,
  type Language,
  noLanguage,
  notLanguage,
  orLanguages,
} from "../algebra/language.ts";
import { objectShape } from "../algebra/object-shape.ts";
import { pointerOf, type Term, unstatedTerm } from "../algebra/term.ts";
import { type Compilation, isTimeSpent, report } from "./compilation.ts";
import { CycleError } from "./cycle-error.ts";
import { nodeLanguage } from "./node-language.ts";
import { valuesLanguage } from "./values-language.ts";

/** Throws `CycleError` where the term leads back to an open one. */
export function languageOf(compilation: Compilation, term: Term): Language {
  const known = compilation.languages.get(term.id);
  if (known !== undefined) return known;
  const { open } = compilation;
  const place = open.get(term.id);
  if (place !== undefined) {
    compilation.cycleStart = Math.min(compilation.cycleStart, place);
    throw new CycleError(pointerOf(term));
  }
  const depth = open.size;
  open.set(term.id, depth);
  try {
    const language = workOut(compilation, term);
    // What was found inside a cycle may lack what the cycle's start has; only the start is final.
    if (compilation.cycleStart >= depth) {
      compilation.cycleStart = Infinity;
      compilation.languages.set(term.id, language);
    }
    return language;
  } finally {
    open.delete(term.id);
  }
}

function workOut(compilation: Compilation, term: Term): Language {
  const { context } = compilation;
  switch (term.type) {
    case "any":
    case "unstated":
      return anyLanguage(context);
    case "none":
      return noLanguage;
    case "unknown":
      return unknownLanguage(compilation);
    case "schema":
      return schemaLanguage(compilation, term);
    case "value":
      return valuesLanguage(compilation, [term.value]);
    case "has":
      return hasLanguage(compilation, term.name);
    case "and":
      return term.items
        .map((item) => languageOf(compilation, item))
        .reduce((a, b) => andLanguages(context, a, b));
    case "or":
      return term.items
        .map((item) => languageOf(compilation, item))
        .reduce((a, b) => orLanguages(context, a, b));
    case "not":
      return notLanguage(context, languageOf(compilation, term.item));
  }
}

function schemaLanguage(compilation: Compilation, term: Extract<Term, { type: "schema" }>): Language {
  if (!isTimeSpent(compilation)) return nodeLanguage(compilation, term);
  const reason = "the time budget was spent before this place was reached";
  report(compilation, { pointer: term.node.pointer, keyword: "*", direction: "over", reason });
  return unknownLanguage(compilation);
}

/** Anything, and nothing can be told of what is outside it. */
function unknownLanguage(compilation: Compilation): Language {
  const { algebra, context } = compilation;
  const object = objectShape(algebra, { isLoose: true });
  const array = arrayShape(algebra, { isLoose: true });
  return {
    ...anyLanguage(context),
    arrays: array === undefined ? [] : [{ shape: array, where: { type: "true", id: 0 } }],
    objects: object === undefined ? [] : [{ shape: object, where: { type: "true", id: 0 } }],
    areNumbersLoose: true,
    areStringsLoose: true,
  };
}

function hasLanguage(compilation: Compilation, name: string): Language {
  const names = new Map([[name, { value: unstatedTerm, isRequired: true, isDeclared: false }]]);
  const shape = objectShape(compilation.algebra, { names });
  return { ...noLanguage, objects: shape === undefined ? [] : [{ shape, where: { type: "true", id: 0 } }] };
}
