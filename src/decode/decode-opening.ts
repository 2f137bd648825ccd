// A turn up to its first call: reasoning within its budget, prose with the openers watched for, or an opener at once.
// Knows nothing of what a call holds.
import {
  createTurnParser,
  type OpenedCall,
  type PromptPart,
  type TurnParserEvent,
} from "../formats/index.ts";
import type { SpanEnd } from "../models/model.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import { confirmOpening, decideOpening } from "./decide-opening.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import { type Attempt, attemptSeed, type Turn, tokensLeft } from "./turn.ts";

export type OpeningOutcome =
  | { readonly type: "opened"; readonly opened: OpenedCalls }
  | { readonly type: "ended"; readonly finish: "stop" | "length" };

/** Yields reasoning and prose; the outcome says whether a call was opened or the turn has ended. */
export async function* decodeOpening(
  turn: Turn,
  attempt: Attempt,
): AsyncGenerator<TurnEvent, OpeningOutcome> {
  const { reasoning } = turn.profile;
  const isReasoning = reasoning.enabled && reasoning.marks !== undefined;
  const parser = createTurnParser({
    formats: attempt.callable.length > 0 ? turn.formats : [],
    ...(reasoning.marks ? { reasoning: reasoning.marks } : {}),
    insideReasoning: isReasoning && reasoning.openedByPrompt,
    implicitEnd: true,
  });
  const written: PromptPart[] = [];
  const write = (text: string, special: boolean): Iterable<TurnEvent> => {
    written.push({ text, special });
    return proseEvents(parser.push(text));
  };

  if (isReasoning) {
    if (!reasoning.openedByPrompt) yield* write(`${reasoning.marks?.start ?? ""}\n`, true);
    const thought = yield* decodeReasoning(turn, attempt, { written, parser });
    if (thought.type === "ended") return thought;
    if (thought.opened) return { type: "opened", opened: openedCalls(turn, thought.opened, written) };
  }

  const opening = attempt.mustCall
    ? { type: "call" as const }
    : yield* decideOpening({ turn, attempt, prefix: [...written] });
  const [format] = turn.formats;
  const [opener] = format.openers;
  if (opening.type === "call" && opener) {
    yield* proseEvents(parser.finish());
    const prefix = [...written, { text: opener.text, special: opener.special }];
    return { type: "opened", opened: { format, opener, prefix } };
  }
  return yield* decodeProse(turn, attempt, { written, parser, forbidOpeners: opening.type === "text" });
}

interface Writing {
  /** The turn so far. */
  readonly written: PromptPart[];
  readonly parser: ReturnType<typeof createTurnParser>;
}

type ThoughtOutcome =
  | { readonly type: "thought"; readonly opened?: OpenedCall }
  | { readonly type: "ended"; readonly finish: "stop" | "length" };

/** Free text until the reasoning ends by its mark, by an opener, or by its budget; then its end is forced. */
async function* decodeReasoning(
  turn: Turn,
  attempt: Attempt,
  writing: Writing,
): AsyncGenerator<TurnEvent, ThoughtOutcome> {
  const { reasoning } = turn.profile;
  const { written, parser } = writing;
  let text = "";
  let opened: OpenedCall | undefined;
  let ended: SpanEnd | undefined;
  const events = turn.model.generate({
    prompt: attempt.prompt,
    prefix: [...written],
    span: { type: "free", specials: specialsOf(turn) },
    sampling: turn.profile.sampling.thinking,
    seed: attemptSeed(turn),
    // Room for the answer is kept, whatever the budget says.
    maxTokens: Math.min(reasoning.budget, Math.floor(tokensLeft(turn) / 2)),
    ...(turn.signal ? { signal: turn.signal } : {}),
  });
  for await (const event of events) {
    yield* turn.account.count(event);
    if (event.type === "end") ended = event.reason;
    if (event.type !== "piece") continue;
    const read = parser.pushUntilOpener(event.text);
    text += event.text.slice(0, read.consumed);
    yield* proseEvents(read.events);
    opened = read.opened;
    if (opened || parser.place !== "reasoning") break;
  }
  written.push({ text, special: false });
  if (opened) return { type: "thought", opened };
  if (parser.place !== "reasoning") return { type: "thought" };
  if (ended === "length" && tokensLeft(turn) === 0) return { type: "ended", finish: "length" };
  const end = `\n${reasoning.marks?.end ?? ""}\n\n`;
  written.push({ text: end, special: true });
  yield* proseEvents(parser.push(end));
  yield { type: "notice", code: "reasoning-ended", text: "The reasoning was ended at its budget." };
  return { type: "thought" };
}

async function* decodeProse(
  turn: Turn,
  attempt: Attempt,
  writing: Writing & { readonly forbidOpeners: boolean },
): AsyncGenerator<TurnEvent, OpeningOutcome> {
  const { written, parser } = writing;
  let text = "";
  let forbidden = writing.forbidOpeners ? openerTexts(turn) : [];
  let unconfirmed: OpenedCalls | undefined;
  for (;;) {
    let opened: OpenedCall | undefined;
    let ended: SpanEnd = "end-of-generation";
    const events = turn.model.generate({
      prompt: attempt.prompt,
      prefix: [...written, { text, special: false }],
      span: {
        type: "free",
        specials: specialsOf(turn),
        ...(forbidden.length > 0 ? { forbidden: { texts: forbidden } } : {}),
      },
      sampling: turn.profile.sampling.text,
      seed: attemptSeed(turn),
      maxTokens: tokensLeft(turn),
      ...(turn.signal ? { signal: turn.signal } : {}),
    });
    for await (const event of events) {
      yield* turn.account.count(event);
      if (event.type === "end") ended = event.reason;
      if (event.type !== "piece") continue;
      const read = parser.pushUntilOpener(event.text);
      text += event.text.slice(0, read.consumed);
      yield* proseEvents(read.events);
      // What was taken for text turns out to be a call after all: it is decoded again, under its grammar.
      if (unconfirmed && read.events.some((event) => event.type === "call-start")) {
        return { type: "opened", opened: unconfirmed };
      }
      opened = read.opened;
      if (opened || isPastOpeners(text, forbidden)) break;
    }
    if (isPastOpeners(text, forbidden)) {
      forbidden = [];
      if (!opened) continue;
    }
    if (!opened) {
      yield* proseEvents(parser.finish());
      return { type: "ended", finish: ended === "length" ? "length" : "stop" };
    }
    const calls = openedCalls(turn, opened, [...written, { text, special: false }]);
    if (await confirmOpening(turn, attempt, calls)) return { type: "opened", opened: calls };
    // Something that only looks like a call stays text: the parser reads on with what the model writes next.
    unconfirmed = calls;
  }
}

function openerTexts(turn: Turn): readonly string[] {
  return turn.formats.flatMap((format) => format.openers.map((opener) => opener.text.trimEnd()));
}

/** Whether a text has begun with something else than any of the forbidden openers. */
function isPastOpeners(text: string, forbidden: readonly string[]): boolean {
  return forbidden.length > 0 && forbidden.every((opener) => text.trimStart().length > opener.length);
}

/** The parser knows formats as far as reading needs; the turn knows them whole. */
function openedCalls(turn: Turn, opened: OpenedCall, prefix: readonly PromptPart[]): OpenedCalls {
  const format = turn.formats.find((candidate) => candidate.name === opened.format.name) ?? turn.formats[0];
  return { format, opener: opened.opener, prefix };
}

/** Marks of the formats and of reasoning: the only special tokens that free text may hold. */
function specialsOf(turn: Turn): readonly string[] {
  const marks = turn.profile.reasoning.marks;
  return [
    ...turn.formats.flatMap((format) => format.openers.map((opener) => opener.text.trim())),
    ...(marks ? [marks.start, marks.end] : []),
  ];
}

/** Reasoning and prose; the parser's call events are none of this stage's business. */
function* proseEvents(events: readonly TurnParserEvent[]): Generator<TurnEvent> {
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
