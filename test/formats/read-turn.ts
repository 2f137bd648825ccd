// Reads texts as a turn in the tests of parsers, whole and cut into pieces.
import { createTurnParser, type TurnParserEvent, type TurnParserOptions } from "../../src/formats/index.ts";

/** The events of a text pushed in pieces that end at `cuts`. */
export function readTurn(
  text: string,
  options: TurnParserOptions,
  cuts: readonly number[] = [],
): readonly TurnParserEvent[] {
  const parser = createTurnParser(options);
  const events: TurnParserEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    events.push(...parser.push(text.slice(from, cut)));
    from = cut;
  }
  return [...events, ...parser.finish()];
}

/** What events say, with adjacent deltas joined: these depend on how the text was cut. */
export function story(events: readonly TurnParserEvent[]): readonly unknown[] {
  const said: unknown[] = [];
  for (const event of events) {
    const last = said.at(-1);
    const isDelta = event.type.endsWith("-delta") && "text" in event;
    if (isDelta && Array.isArray(last) && last[0] === event.type) last[1] += event.text;
    else if (isDelta) said.push([event.type, event.text]);
    else if (event.type === "call-end") said.push([event.type, event.index, event.name, event.input]);
    else if (event.type === "call-start") said.push([event.type, event.index, event.name]);
    else if (event.type === "call-broken")
      said.push([event.type, event.index, event.reason, event.text, event.at]);
    else said.push([event.type]);
  }
  return said;
}

/** Every place where a text can be cut. */
export function everyCut(text: string): readonly number[] {
  return Array.from({ length: text.length + 1 }, (_, index) => index);
}

/** The complete calls among events. */
export function callsOf(events: readonly TurnParserEvent[]): readonly { name: string; input: unknown }[] {
  return events.flatMap((event) =>
    event.type === "call-end" ? [{ name: event.name, input: event.input }] : [],
  );
}

/** All the text among events. */
export function textOf(events: readonly TurnParserEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}
