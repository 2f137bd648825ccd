// A turn up to its first call: reasoning within its budget, prose with the openers watched for, or an opener at once.
// Knows nothing of what a call holds.
import { createTurnParser, type OpenedCall, type PromptPart } from "../formats/index.ts";
import type { SpanEnd } from "../models/model.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import { decideOpening } from "./decide-opening.ts";
import { decodeProse, type OpeningOutcome } from "./decode-prose.ts";
import { generateFreeText } from "./free-text.ts";
import { type Attempt, type Turn, tokensLeft } from "./turn.ts";
import { openedCalls, proseEvents, type Writing } from "./writing.ts";

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
  const events = generateFreeText(turn, attempt, {
    prefix: [...written],
    sampling: turn.profile.sampling.thinking,
    // Room for the answer is kept, whatever the budget says.
    maxTokens: Math.min(reasoning.budget, Math.floor(tokensLeft(turn) / 2)),
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
