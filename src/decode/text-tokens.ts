// How likely the tokens of a text were: what the model's pieces say of it, in the shape of events.
import type { ModelEvent } from "../models/model.ts";
import type { TokenChance, TurnEvent } from "../vocabulary/index.ts";

/** Candidates that are looked at, so that the chosen one is mostly among them, however few are told. */
const leastLookedAt = 20;

/** How many alternatives the model is asked for, where `told` of them are wanted. */
export function alternativesWanted(told: number | undefined): number | undefined {
  return told === undefined ? undefined : Math.max(told, leastLookedAt);
}

/** Keeps the pieces' chances until their text is said. */
export function createTokenChances(told: number | undefined) {
  let waiting: TokenChance[] = [];
  return {
    take(piece: Extract<ModelEvent, { type: "piece" }>): void {
      if (told !== undefined) waiting.push(chanceOf(piece, told));
    },
    /** The events with the chances before the first text among them. */
    *before(events: Iterable<TurnEvent>): Generator<TurnEvent> {
      for (const event of events) {
        if (event.type === "text-delta" && waiting.length > 0) {
          yield { type: "text-tokens", tokens: waiting };
          waiting = [];
        }
        yield event;
      }
    },
  };
}

function chanceOf(
  { text, alternatives = [] }: Extract<ModelEvent, { type: "piece" }>,
  told: number,
): TokenChance {
  const rivals = alternatives.map((one) => ({ text: one.text, logProbability: Math.log(one.probability) }));
  const own = rivals.find((rival) => rival.text === text);
  return {
    text,
    ...(own === undefined ? {} : { logProbability: own.logProbability }),
    alternatives: rivals.slice(0, told),
  };
}
