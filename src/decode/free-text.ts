// How a turn asks its model for free text: prose, reasoning, or a whole reply without a grammar.
import type { PromptPart } from "../formats/index.ts";
import type { ModelEvent } from "../models/model.ts";
import type { Sampling } from "../models/profile.ts";
import { type Attempt, attemptSeed, type Turn } from "./turn.ts";

export interface FreeTextOptions {
  /** The turn so far. */
  readonly prefix: readonly PromptPart[];
  readonly sampling: Sampling;
  /** 0 only brings prompt and prefix into the model's sequence. */
  readonly maxTokens: number;
  readonly nonEmpty?: boolean;
  /** Texts that must not stand right behind the prefix. */
  readonly forbidden?: readonly string[];
  /** How many of the likeliest tokens to tell with each piece. */
  readonly alternatives?: number | undefined;
}

export function generateFreeText(
  turn: Turn,
  attempt: Attempt,
  options: FreeTextOptions,
): AsyncIterable<ModelEvent> {
  const { prefix, sampling, maxTokens, nonEmpty = false, forbidden = [], alternatives } = options;
  return turn.model.generate({
    prompt: attempt.prompt,
    ...(attempt.stablePrefix ? { stablePrefix: attempt.stablePrefix } : {}),
    prefix,
    span: {
      type: "free",
      specials: markTokens(turn),
      nonEmpty,
      ...(forbidden.length > 0 ? { forbidden: { texts: forbidden } } : {}),
    },
    sampling,
    seed: attemptSeed(turn),
    maxTokens,
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(turn.signal ? { signal: turn.signal } : {}),
  });
}

/** Tokens that spell marks of the formats or of reasoning: the only special ones that free text may hold. */
function markTokens(turn: Turn): readonly string[] {
  const { marks } = turn.reasoning;
  const pairs = [marks, ...turn.formats.map((format) => format.reasoning)];
  const texts = [
    ...turn.formats.flatMap((format) => format.openers.map((opener) => opener.text)),
    ...turn.formats.flatMap((format) => format.silent ?? []),
    ...pairs.flatMap((pair) => (pair === undefined ? [] : [pair.start, pair.end])),
  ];
  return turn.model.info.specialTokens.filter((token) => texts.some((text) => text.includes(token)));
}
