// Free text: everything but control tokens that were not asked for, until the model ends by itself.
import type { Guide, GuideStep } from "./guide.ts";
import type { TokenFilter } from "./runtime-sequence.ts";
import type { Tokenizer } from "./tokenizer.ts";

export function createFreeGuide(
  tokenizer: Tokenizer,
  options: {
    readonly specials: readonly string[];
    readonly remainder: readonly number[];
    readonly nonEmpty: boolean;
  },
): Guide {
  const wanted = new Set(options.specials);
  const refused = [...tokenizer.vocabulary.control]
    .filter(([id, text]) => !wanted.has(text) && !tokenizer.endTokens.has(id))
    .map(([id]) => id);
  const filter: TokenFilter = { side: "refused", ids: refused, mayEnd: true };
  const firstFilter: TokenFilter = options.nonEmpty ? { ...filter, mayEnd: false } : filter;
  const refusedIds = new Set(refused);
  let remainder = options.remainder;
  let isEmpty = true;
  return {
    next(): GuideStep {
      if (remainder.length > 0) return { type: "feed", tokens: remainder };
      return { type: "choose", filter: isEmpty ? firstFilter : filter };
    },
    along(tokens): readonly TokenFilter[] {
      const allowed = tokens.findIndex((token) => refusedIds.has(token) || tokenizer.endTokens.has(token));
      return (allowed < 0 ? tokens : tokens.slice(0, allowed)).map(() => filter);
    },
    take(): void {
      if (remainder.length === 0) isEmpty = false;
      remainder = remainder.slice(1);
    },
  };
}
