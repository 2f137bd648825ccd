// What the stages that write prose share: the turn's text so far with its parser, and what of the parser's events is told.
import type { createTurnParser, OpenedCall, PromptPart, TurnParserEvent } from "../formats/index.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import type { Turn } from "./turn.ts";

export interface Writing {
  /** The turn so far. */
  readonly written: PromptPart[];
  readonly parser: ReturnType<typeof createTurnParser>;
}

/** The parser knows formats as far as reading needs; the turn knows them whole. */
export function openedCalls(turn: Turn, opened: OpenedCall, prefix: readonly PromptPart[]): OpenedCalls {
  const format = turn.formats.find((candidate) => candidate.name === opened.format.name) ?? turn.formats[0];
  return { format, opener: opened.opener, prefix };
}

/** Reasoning alone. */
export function* reasoningEvents(events: readonly TurnParserEvent[]): Generator<TurnEvent> {
  yield* proseEvents(events.filter(({ type }) => type.startsWith("reasoning")));
}

/** Reasoning and prose; the parser's call events are none of this stage's business. */
export function* proseEvents(events: readonly TurnParserEvent[]): Generator<TurnEvent> {
  for (const event of events) {
    switch (event.type) {
      case "reasoning-start":
      case "reasoning-end":
      case "text-start":
      case "text-end":
        yield { type: event.type };
        break;
      case "reasoning-delta":
      case "text-delta":
        yield { type: event.type, text: event.text };
        break;
      case "call-start":
      case "call-delta":
      case "call-end":
      case "call-broken":
        break;
      default:
        event satisfies never;
    }
  }
}
