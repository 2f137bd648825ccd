// A place as grammar rules: one rule per normal form and layout, which also ties recursion.
import { choice, literal, nothing } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import type { Disjunct } from "../algebra/disjunct.ts";
import { isAnyLanguage, isNoLanguage, keyOfLanguage, type Language } from "../algebra/language.ts";
import { type ObjectShape, objectShape } from "../algebra/object-shape.ts";
import { pointerOf, type Term } from "../algebra/term.ts";
import { doesCapDigits, emitNumber } from "../emit-numbers.ts";
import { anyLayout, type Layout, roundsOf, withRounds } from "../layout.ts";
import { isTimeSpent, report } from "../normal-form/compilation.ts";
import { checkedLanguageOf } from "../normal-form/node-language.ts";
import { isNoNumber, type NumberSet } from "../number-set.ts";
import { isNoString } from "../string-language.ts";
import { applyCap, type Emission } from "./emission.ts";
import { emitAny } from "./emit-any.ts";
import { emitArray } from "./emit-array.ts";
import { emitObject } from "./emit-object.ts";
import { emitStringsOf, type StringPlace } from "./emit-string-forms.ts";
import { freeNameLimit } from "./order-names.ts";
import { smallNumberExpression } from "./small-numbers.ts";

/** The texts of a term's values, laid out so. */
export function emitPlace(emission: Emission, term: Term, layout: Layout): Expression {
  const places = emission.places.get(layout.key) ?? new Map<number, Expression>();
  const known = places.get(term.id);
  if (known !== undefined) return known;
  const expression = writePlace(emission, term, layout);
  emission.places.set(layout.key, places.set(term.id, expression));
  return expression;
}

function writePlace(emission: Emission, term: Term, layout: Layout): Expression {
  const { compilation } = emission;
  const language = checkedLanguageOf(compilation, term);
  if (isNoLanguage(language)) return nothing;
  if (emission.spent.rules > compilation.budget.rules || isTimeSpent(compilation))
    return emitRelaxed(emission, term, layout);
  if (isAnyLanguage(compilation.context, language))
    return emitAny(emission, anyLayout(layout, emission.caps), 0);
  const pointer = pointerOf(term);
  if (language.arrays.length === 0 && language.objects.length === 0 && layout.onlyObjects !== true)
    return emitScalars(emission, language, { layout, pointer });
  const inside = emission.recursive.has(term) ? nextRound(emission, layout) : layout;
  if (inside === undefined) return nothing;
  const key = `${keyOfLanguage(language)}@${inside.key}`;
  const known = emission.placeKeys.get(key);
  const ruleKey = known ?? `${nameOf(pointer)}:${key}`;
  if (known === undefined) {
    emission.placeKeys.set(key, ruleKey);
    emission.spent.rules++;
  }
  return emission.collector.rule(ruleKey, () => {
    const objects = language.objects.flatMap((item) => ordersOf(emission, item));
    const options = objects.map((item) => emitObject(emission, item, { layout: inside, pointer }));
    if (inside.onlyObjects === true) return choice(...options);
    options.push(...language.arrays.map((item) => emitArray(emission, item, { layout: inside, pointer })));
    return choice(...options, ...scalarOptions(emission, language, { layout: inside, pointer }));
  });
}

/** The layout of one more round of recursion, on one line; undefined where there may be no more. */
function nextRound(emission: Emission, layout: Layout): Layout | undefined {
  const line = layout.flat();
  if (emission.caps.depth === undefined) return line;
  const rounds = roundsOf(layout);
  return rounds < (applyCap(emission, "depth") ?? 0) ? withRounds(line, rounds + 1) : undefined;
}

/** Any value, because the budget is spent. */
function emitRelaxed(emission: Emission, term: Term, layout: Layout): Expression {
  const reason = "the budget of rules or of time was spent before this place was reached";
  report(emission.compilation, { pointer: pointerOf(term), keyword: "*", direction: "over", reason });
  return emitAny(emission, anyLayout(layout, emission.caps), 0);
}

/** The alternative, and where any order is asked for but the names are too many, with the required ones first. */
function ordersOf(emission: Emission, item: Disjunct<ObjectShape>): readonly Disjunct<ObjectShape>[] {
  const { keyOrder, algebra } = emission.compilation;
  const { names } = item.shape;
  if (keyOrder === "schema" || names.size <= freeNameLimit) return [item];
  const required = [...names].filter(([, key]) => key.isRequired);
  const optional = [...names].filter(([, key]) => !key.isRequired);
  const entries = [...required, ...optional].map(
    ([name, key]) => [name, { ...key, isDeclared: true }] as const,
  );
  const shape = objectShape(algebra, { ...item.shape, names: new Map(entries) });
  return shape === undefined || shape === item.shape ? [item] : [item, { ...item, shape }];
}

function emitScalars(emission: Emission, language: Language, place: StringPlace): Expression {
  const options = scalarOptions(emission, language, place);
  if (options.every((option) => option.type === "literal")) return choice(...options);
  const key = `${keyOfLanguage(language)}${place.layout.scalars.key}`;
  const known = emission.placeKeys.get(key);
  const ruleKey = known ?? `${nameOf(place.pointer)}:${key}`;
  if (known === undefined) emission.placeKeys.set(key, ruleKey);
  return emission.collector.rule(ruleKey, () => choice(...options));
}

function scalarOptions(emission: Emission, language: Language, place: StringPlace): readonly Expression[] {
  const options: Expression[] = [];
  const { words } = place.layout.scalars;
  if (!isNoString(language.strings)) options.push(emitStringsOf(emission, language, place));
  if (!isNoNumber(language.numbers)) options.push(emitCappedNumber(emission, language.numbers));
  if ((language.booleans & 2) !== 0) options.push(literal(words.true));
  if ((language.booleans & 1) !== 0) options.push(literal(words.false));
  if (language.isNull) options.push(literal(words.null));
  return options;
}

/** The numbers, with no more digits than the cap where they have no bound of their own. */
export function emitCappedNumber(emission: Emission, numbers: NumberSet): Expression {
  const { digits } = emission.caps;
  const limit =
    digits === undefined || !doesCapDigits(numbers, digits) ? undefined : applyCap(emission, "digits");
  const { collector } = emission;
  const small = smallNumberExpression(numbers, limit);
  if (small === undefined) return emitNumber(numbers, collector, { digits: limit });
  return collector.rule(`number:${numbers.key}:${limit ?? ""}`, () => small);
}

/** A rule's name after the last step of the pointer that is a word. */
function nameOf(pointer: string): string {
  const steps = pointer.split("/").filter((step) => /[a-zA-Z]/.test(step) && !structural.has(step));
  const name = (steps.at(-1) ?? "value").replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return name === "" ? "value" : name.slice(0, 40);
}

const structural = new Set([
  "properties",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "additionalProperties",
  "prefixItems",
]);
