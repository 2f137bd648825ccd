// Chooses and sets up the guide of a span: free text, or text under a grammar, from where its prefix ends.
// Grammars are compiled once for each grammar object.
import {
  anyCharacter,
  createGrammar,
  createMasks,
  createMatcher,
  type Grammar,
  type Matcher,
  type TokenMasks,
  zeroOrMore,
} from "../../gbnf-builder/index.ts";
import type { GenerateRequest } from "../model.ts";
import { createFreeGuide } from "./free-guide.ts";
import { createGrammarGuide } from "./grammar-guide.ts";
import type { Guide } from "./guide.ts";
import type { MatcherVocabulary } from "./matcher-vocabulary.ts";
import { matcherBytes, partTokens, textBytes } from "./prompt-tokens.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { partsFrom, splitParts, type TurnPrefix } from "./turn-prefix.ts";

const anyText: Grammar = createGrammar("text", { text: zeroOrMore(anyCharacter()) });
/** Bytes of masks kept for each grammar. */
const maskBytes = 8 << 20;

/** A guide for a request whose prefix is known as far as `place` says. */
export type CreateSpanGuide = (
  request: Pick<GenerateRequest, "prefix" | "consumed" | "span">,
  place: TurnPrefix,
) => Guide;

export function createSpanGuides(tokenizer: Tokenizer, vocabulary: MatcherVocabulary): CreateSpanGuide {
  const grammars = new WeakMap<Grammar, { readonly matcher: Matcher; readonly masks: TokenMasks }>();

  return (request, place) => {
    const { span } = request;
    if (span.type === "free" && !span.forbidden) {
      return createFreeGuide(tokenizer, {
        specials: span.specials,
        remainder: partTokens(tokenizer, place.remainderParts),
        nonEmpty: span.nonEmpty ?? false,
      });
    }
    // Free text that must not begin in some ways is text of a grammar that allows all others.
    const { matcher, masks } = compiled(span.type === "free" ? anyText : span.grammar);
    const consumed = span.type === "free" ? 0 : (request.consumed ?? 0);
    const [beforeGrammar, inGrammar] = splitParts(request.prefix, consumed);
    const beforeBytes = textBytes(beforeGrammar).length;
    const decided = matcherBytes(tokenizer, place.remainderParts);
    const decidedInGrammar = matcherBytes(tokenizer, partsFrom(inGrammar, place.readBytes - beforeBytes));
    const all = matcherBytes(tokenizer, inGrammar);
    return createGrammarGuide({
      matcher,
      masks,
      trie: vocabulary.trie,
      bytesOf: vocabulary.bytesOf,
      tokenize: vocabulary.tokenize,
      decided,
      before: decided.length - decidedInGrammar.length,
      read: all.subarray(0, all.length - decidedInGrammar.length),
      ...(span.forbidden ? { forbidden: span.forbidden } : {}),
    });
  };

  function compiled(grammar: Grammar): { readonly matcher: Matcher; readonly masks: TokenMasks } {
    const known = grammars.get(grammar);
    if (known) return known;
    const matcher = createMatcher(grammar);
    const made = { matcher, masks: createMasks(matcher, vocabulary.trie, { cacheBytes: maskBytes }) };
    grammars.set(grammar, made);
    return made;
  }
}
