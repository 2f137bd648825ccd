// Free text: everything but control tokens that were not asked for, until the model ends by itself.
import type { Guide, GuideStep } from "./guide.ts";
import type { LlamaRuntime, TokenFilter } from "./llama-runtime.ts";

export function createFreeGuide(
  runtime: LlamaRuntime,
  options: { readonly specials: readonly string[]; readonly remainder: readonly number[] },
): Guide {
  const wanted = new Set(options.specials);
  const refused = [...runtime.vocabulary.control]
    .filter(([id, text]) => !wanted.has(text) && !runtime.endTokens.has(id))
    .map(([id]) => id);
  const filter: TokenFilter = { side: "refused", ids: refused, mayEnd: true };
  let remainder = options.remainder;
  return {
    next(): GuideStep {
      if (remainder.length > 0) return { type: "feed", tokens: remainder };
      return { type: "choose", filter };
    },
    take(): void {
      remainder = remainder.slice(1);
    },
  };
}
