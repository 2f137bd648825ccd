// Presence and frequency penalties, by OpenAI's definition: what the reply has said already becomes less likely. Likewise tokens
// with a negative logit bias.
// Works on probabilities, where both are exact. A repeat penalty is none of these: it depends on the raw logits' zero.
import type { GenerateRequest } from "../model.ts";
import type { Candidate } from "./sample-token.ts";

export interface Penalties {
  /** How many more candidates have to be looked at: each penalised token may have stood before one that is now likelier. */
  readonly more: number;
  /** Counts a token that the reply goes on with. */
  take(token: number): void;
  /** The candidates with their probabilities after the penalties, the likeliest first. */
  apply(candidates: readonly Candidate[]): readonly Candidate[];
}

/**
 * The penalties of a request whose reply has these tokens already; undefined where there are none. Text under a grammar has
 * none: brackets, keys and digits have to repeat.
 */
export function createPenalties(
  { sampling, span }: Pick<GenerateRequest, "sampling" | "span">,
  reply: readonly number[],
): Penalties | undefined {
  const { presencePenalty = 0, frequencyPenalty = 0 } = sampling;
  const biases = new Map(Object.entries(sampling.logitBias ?? {}).map(([id, bias]) => [Number(id), bias]));
  const isPlain = presencePenalty === 0 && frequencyPenalty === 0 && biases.size === 0;
  if (span.type !== "free" || isPlain) return undefined;
  const counts = new Map<number, number>();
  const take = (token: number): void => {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  };
  for (const token of reply) take(token);
  return {
    get more() {
      return counts.size + biases.size;
    },
    take,
    apply(candidates) {
      const lowered = candidates.map(({ token, probability }): Candidate => {
        const count = counts.get(token);
        const said = count === undefined ? 0 : presencePenalty + frequencyPenalty * count;
        const loss = said - (biases.get(token) ?? 0);
        return { token, probability: probability * Math.exp(-loss) };
      });
      // Together with the tokens that were not looked at, they are one again.
      const all = sum(lowered) + Math.max(0, 1 - sum(candidates));
      const shared = lowered.map(({ token, probability }) => ({
        token,
        probability: probability / (all || 1),
      }));
      return shared.sort((a, b) => b.probability - a.probability);
    },
  };
}

function sum(candidates: readonly Candidate[]): number {
  return candidates.reduce((total, { probability }) => total + probability, 0);
}
