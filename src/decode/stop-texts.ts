// Ends a turn where one of the request's stop texts comes up in its answer. Text that may yet become one is held back.
// Reasoning and calls are not looked at: a call that stopped in its midst would be none.
import type { TurnEvent } from "../vocabulary/index.ts";

/** What the events end in: the outcome of the turn, or the stop text that ended it. */
export type Stopped<Outcome> =
  | { readonly type: "outcome"; readonly outcome: Outcome }
  | { readonly type: "stopped"; readonly text: string };

/** The events up to the first stop text. Leaving the turn's own events ends its decoding. */
export async function* stopAtTexts<Outcome>(
  events: AsyncGenerator<TurnEvent, Outcome>,
  texts: readonly string[],
): AsyncGenerator<TurnEvent, Stopped<Outcome>> {
  let held = "";
  try {
    for (;;) {
      const step = await events.next();
      if (step.done === true) return { type: "outcome", outcome: step.value };
      const event = step.value;
      if (event.type === "text-end" && held !== "") {
        yield { type: "text-delta", text: held };
        held = "";
      }
      if (event.type !== "text-delta" || texts.length === 0) {
        yield event;
        continue;
      }
      held += event.text;
      const found = firstStop(held, texts);
      const end = found?.index ?? held.length - mayBecomeStop(held, texts);
      if (end > 0) yield { type: "text-delta", text: held.slice(0, end) };
      if (found !== undefined) {
        yield { type: "text-end" };
        return { type: "stopped", text: found.text };
      }
      held = held.slice(end);
    }
  } finally {
    await events.return(undefined as Outcome);
  }
}

/** The stop text that stands first; of two at one place the longer. */
function firstStop(text: string, stops: readonly string[]) {
  return stops
    .map((stop) => ({ text: stop, index: text.indexOf(stop) }))
    .filter(({ index }) => index !== -1)
    .sort((a, b) => a.index - b.index || b.text.length - a.text.length)[0];
}

/** How many characters at the end are the beginning of a stop text. */
function mayBecomeStop(text: string, stops: readonly string[]): number {
  const longest = Math.max(...stops.map((stop) => stop.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
