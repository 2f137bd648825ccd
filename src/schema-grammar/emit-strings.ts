// String languages as grammar expressions: JSON text by default, or any other way of writing characters.
import { choice, repeat, sequence } from "../gbnf-builder/build.ts";
import type { Expression } from "../gbnf-builder/grammar.ts";
import { boundLengths } from "./languages/bound-lengths.ts";
import { allCodePoints } from "./languages/code-points.ts";
import { emitAutomaton, emitCharacters } from "./languages/emit-automaton.ts";
import type { EmitContext } from "./languages/emit-context.ts";
import { jsonSpelling, type Spelling } from "./languages/spelling.ts";
import type { StringTerm } from "./languages/string-term.ts";
import { emitWords } from "./languages/word-list.ts";
import type { StringLanguage } from "./string-language.ts";

/** The strings as the spelling writes them, what opens and closes them included. One step of the grammar is one character. */
export function emitString(
  language: StringLanguage,
  context: EmitContext,
  spelling: Spelling = jsonSpelling,
): Expression {
  const options = language.terms.map((term) => emitTerm(term, context, spelling));
  if (language.values.length > 0) options.push(emitWords(language.values, context, spelling));
  return sequence(spelling.open, choice(...options));
}

/** What follows the opening mark, the closing one included. */
function emitTerm(term: StringTerm, context: EmitContext, spelling: Spelling): Expression {
  const { automaton, min, max } = term;
  if (automaton === undefined) {
    return sequence(repeat(emitCharacters(allCodePoints, context, spelling), min, max), spelling.close);
  }
  if (min === 0 && max === undefined) return emitAutomaton({ automaton, tails: [] }, context, spelling);
  // The operations keep only bounds that fit their budget, so there is none here.
  const bounded = boundLengths(automaton, { min, max, states: Infinity });
  if (bounded === undefined) throw new Error("an unlimited product has no limit to exceed");
  return emitAutomaton(bounded, context, spelling);
}
