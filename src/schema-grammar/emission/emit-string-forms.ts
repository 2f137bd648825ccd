// Strings as a layout writes them: in one of several forms, some of which cannot write every string.
// What is lost by that, and what a form makes too costly to tell, is reported.
import { choice } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import type { Language } from "../algebra/language.ts";
import { andStringsOnce, notStringsOnce } from "../algebra/string-memo.ts";
import { emitString } from "../emit-strings.ts";
import type { Layout, StringForm } from "../layout.ts";
import { report } from "../normal-form/compilation.ts";
import { isNoNumber } from "../number-set.ts";
import {
  andStrings,
  isNoString,
  lengthRange,
  notStrings,
  type StringLanguage,
  type StringResult,
  stringsOfLength,
} from "../string-language.ts";
import { stringsMatching } from "../string-patterns.ts";
import { applyCap, type Emission } from "./emission.ts";

/** States of a text with a bound of its own beside what must not end it. */
const boundedStates = 4000;

/** Where strings stand: how they are written there, and what the place's schema is called in reports. */
export interface StringPlace {
  readonly layout: Layout;
  readonly pointer: string;
}

/** The strings of a language of values, whose other values matter where text tells them apart. */
export function emitStringsOf(emission: Emission, language: Language, place: StringPlace): Expression {
  const { strings } = language;
  if (place.layout.typedByText !== true) return emitStringForms(emission, strings, place);
  const texts = jsonTextsOf(language);
  if (texts === undefined) return emitStringForms(emission, strings, place);
  const reason = "a text that is JSON of another allowed value is read as that value";
  const left = takeAway(emission, strings, { only: notStrings(texts).language, reason }, place.pointer);
  return emitStringForms(emission, left, place);
}

function emitStringForms(emission: Emission, strings: StringLanguage, place: StringPlace): Expression {
  return choice(
    ...place.layout.scalars.strings.map((form) => emitStringForm(emission, strings, form, place.pointer)),
  );
}

/** The strings that a form has, as it writes them. */
export function emitStringForm(
  emission: Emission,
  strings: StringLanguage,
  form: StringForm,
  pointer: string,
): Expression {
  const { only, writable, spelling } = form;
  const its = only === undefined ? strings : takeAway(emission, strings, { only }, pointer);
  const kept =
    writable === undefined
      ? its
      : takeAway(emission, its, { only: writable.strings, reason: writable.reason }, pointer);
  const capped = cappedStrings(emission, kept);
  // Where counting as well would cost the form its closing marks, the limit of tokens has to do.
  const written = kept === strings || capped.exact ? capped.language : kept;
  return emitString(written, emission.collector, spelling);
}

/** The strings that are in `only`. The others are reported as lost if there is a reason for it. */
function takeAway(
  emission: Emission,
  strings: StringLanguage,
  { only, reason }: { readonly only: StringLanguage; readonly reason?: string },
  pointer: string,
): StringLanguage {
  const { compilation } = emission;
  const { algebra } = compilation;
  const outside = andStringsOnce(algebra, strings, notStringsOnce(algebra, only).language);
  if (isNoString(outside.language)) return strings;
  if (reason !== undefined) report(compilation, { pointer, keyword: "type", direction: "under", reason });
  const both = andStrings(strings, only, boundedStates);
  if (!both.exact) {
    const costly =
      "beside the bound, telling apart where the text ends takes more states than the budget allows";
    const isBoundLost = lengthRange(both.language)?.max !== lengthRange(strings)?.max;
    const keyword = isBoundLost ? "maxLength" : "pattern";
    report(compilation, { pointer, keyword, direction: "over", reason: costly });
  }
  return both.language;
}

/** The strings, bounded by the cap where they have no bound of their own. */
function cappedStrings(emission: Emission, strings: StringLanguage): StringResult {
  const range = lengthRange(strings);
  if (emission.caps.stringLength === undefined || range === undefined || range.max !== undefined)
    return { language: strings, exact: true };
  const limit = Math.max(range.min, applyCap(emission, "stringLength") ?? 0);
  return andStrings(strings, stringsOfLength(0, limit), emission.compilation.budget.states);
}

/** Texts that are read as JSON of one of the values that are no strings; undefined where there are none. */
function jsonTextsOf({ numbers, booleans, isNull, arrays, objects }: Language): StringLanguage | undefined {
  const kinds: string[] = [];
  if (!isNoNumber(numbers)) kinds.push("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");
  if ((booleans & 2) !== 0) kinds.push("true");
  if ((booleans & 1) !== 0) kinds.push("false");
  if (isNull) kinds.push("null");
  if (arrays.length > 0) kinds.push("\\[[^]*\\]");
  if (objects.length > 0) kinds.push("\\{[^]*\\}");
  return kinds.length === 0 ? undefined : stringsMatching(`^\\s*(?:${kinds.join("|")})\\s*$`).language;
}
