// Reads a whole assistant turn in pieces of any size: reasoning, prose, and calls of one or several formats.
// Holds back what may yet become a mark, so that no mark ever leaks into text. Knows no tools and validates nothing.
import { combineReaders } from "./combine-readers.ts";
import type { CallReader, CallReaderEvent, Locate, Opener, ReadableFormat } from "./format.ts";
import { bareMarks, type ReasoningMarks } from "./reasoning-marks.ts";
import { asLineOpener, collectMarks, findMark, heldBack, type Mark } from "./turn-marks.ts";
import { createTurnText, type TurnParserEvent } from "./turn-text.ts";

export interface TurnParserOptions {
  /** Formats whose openers are watched for, the preferred one first. */
  readonly formats: readonly ReadableFormat[];
  /** Marks of reasoning; a format's own marks count as well. */
  readonly reasoning?: ReasoningMarks;
  /** Whether the prompt has opened the reasoning already. */
  readonly insideReasoning?: boolean;
  /** Whether an opener on a line of its own ends reasoning that was not ended. */
  readonly implicitEnd?: boolean;
  /** Reads through faults whose meaning is certain; for text that was not constrained. */
  readonly lenient?: boolean;
}

/** An opener that stands in the turn; `offset` is where it ends. */
export interface OpenedCall {
  readonly format: ReadableFormat;
  readonly opener: Opener;
  readonly offset: number;
}

export interface TurnParser {
  push(text: string): readonly TurnParserEvent[];
  /**
   * As `push`, but stops where an opener ends: what follows it in `text` is not read, so that the host can switch its
   * constraint on exactly there. `consumed` is how much of `text` was read.
   */
  pushUntilOpener(text: string): {
    readonly events: readonly TurnParserEvent[];
    readonly consumed: number;
    readonly opened?: OpenedCall;
  };
  /** The turn is over: what was held back is said, what is open is closed or broken. */
  finish(): readonly TurnParserEvent[];
  /** The newest opener, once there is one. */
  readonly opened: OpenedCall | undefined;
  /** Whether the text read so far ends in reasoning, in prose, or inside a call's section. */
  readonly place: "reasoning" | "prose" | "call";
}

interface Section {
  readonly reader: CallReader;
  readonly opener: Opener;
  readonly start: number;
  text: string;
  calls: number;
  started: boolean;
  broken: Extract<CallReaderEvent, { type: "call-broken" }> | undefined;
}

// Units of text that are looked at together.
const windowLength = 512;

export function createTurnParser(options: TurnParserOptions): TurnParser {
  const { lenient = false } = options;
  const marks = collectMarks(options.formats, options.reasoning);
  const lineOpeners = marks.flatMap(asLineOpener);
  const words = createTurnText((event) => events.push(event));
  let events: TurnParserEvent[] = [];
  let pending = "";
  let pendingStart = 0;
  let place: TurnParser["place"] = "prose";
  let reasoningEnd = "";
  let section: Section | undefined;
  let opened: OpenedCall | undefined;
  let stopsAtOpener = false;
  let stopped = false;
  let isOver = false;
  let index = 0;

  if (options.insideReasoning && options.reasoning !== undefined)
    beginReasoning(bareMarks(options.reasoning).end);
  const firstEvents = events;
  events = [];

  function read(text: string, stops: boolean): TurnParserEvent[] {
    events = firstEvents.splice(0);
    let queue = text;
    stopsAtOpener = stops;
    stopped = false;
    while (!stopped) {
      if (advance()) continue;
      if (queue === "") break;
      // In windows, so that no mark is looked for again and again through all that follows; a call that is read on takes
      // ever more at once.
      const length = Math.max(windowLength, section?.text.length ?? 0);
      pending += queue.slice(0, length);
      queue = queue.slice(length);
    }
    return events;
  }

  /** One step over `pending`; false where more text is needed. */
  function advance(): boolean {
    if (section !== undefined) return readSection(section);
    if (place === "reasoning") return readReasoning();
    return readProse();
  }

  function readProse(): boolean {
    const found = findMark(marks, pending, words.context, isOver);
    if (found === undefined) {
      words.sayText(taken(pending.length - heldBack(marks, pending, words.context)));
      return false;
    }
    // White space before a call or reasoning separates it from the text and belongs to neither.
    const said = found.mark.type === "silent" ? found.index : pending.slice(0, found.index).trimEnd().length;
    words.sayText(taken(said));
    take(found.index - said + found.mark.text.length);
    act(found.mark);
    return true;
  }

  function act(mark: Mark): void {
    switch (mark.type) {
      case "silent":
        return;
      case "reasoning":
        words.endText();
        beginReasoning(mark.end);
        return;
      case "opener":
        words.endText();
        beginSection(mark.opener, mark.formats);
        return;
      default:
        mark satisfies never;
    }
  }

  function readReasoning(): boolean {
    const ends: Mark[] = [{ type: "silent", text: reasoningEnd, position: "anywhere" }];
    if (options.implicitEnd) ends.push(...lineOpeners);
    const found = findMark(ends, pending, words.context, isOver);
    if (found === undefined) {
      words.sayReasoning(taken(pending.length - heldBack(ends, pending, words.context)));
      return false;
    }
    const said = pending.slice(0, found.index).trimEnd().length;
    words.sayReasoning(taken(said));
    take(found.index - said + found.mark.text.length);
    words.endReasoning();
    place = "prose";
    if (found.mark.type === "opener") act(found.mark);
    return true;
  }

  function beginReasoning(end: string): void {
    place = "reasoning";
    reasoningEnd = end;
    words.beginReasoning();
  }

  function beginSection(opener: Opener, owners: readonly [ReadableFormat, ...ReadableFormat[]]): void {
    const [first, ...others] = owners;
    const readerOf = (format: ReadableFormat) => format.parser({ opener, lenient });
    section = {
      reader: combineReaders([readerOf(first), ...others.map(readerOf)]),
      opener,
      start: pendingStart,
      text: "",
      calls: 0,
      started: false,
      broken: undefined,
    };
    place = "call";
    opened = { format: first, opener, offset: pendingStart };
    if (!stopsAtOpener) return;
    pending = "";
    stopped = true;
  }

  function readSection(current: Section): boolean {
    if (pending === "") return false;
    const piece = pending;
    current.text += piece;
    take(piece.length);
    sayCalls(current, current.reader.push(piece));
    return section === undefined;
  }

  function sayCalls(current: Section, read: readonly CallReaderEvent[]): void {
    for (const event of read) {
      if (event.type === "call-broken") current.broken = event;
      else if (event.type === "section-end") endSection(current, event.at);
      else if (event.type === "call-delta") events.push({ ...event, index });
      else if (event.type === "call-start") {
        current.started = true;
        events.push({ ...event, index });
      } else {
        const { locate } = event;
        const shifted: Locate = (pointer, part) => shift(locate(pointer, part), current.start);
        events.push({ ...event, locate: shifted, index });
        current.calls += 1;
        current.started = false;
        index += 1;
      }
      // A text that only looked like a call goes back to being text at once, before its section ends.
      if (current.broken !== undefined && isText(current)) {
        revert(current);
        return;
      }
    }
  }

  function isText(current: Section): boolean {
    return current.opener.strength === "likely" && current.calls === 0 && !current.started;
  }

  function revert(current: Section): void {
    section = undefined;
    place = "prose";
    pending = current.text + pending;
    pendingStart = current.start;
    words.sayText(current.opener.text);
  }

  function endSection(current: Section, at: number): void {
    if (current.broken !== undefined) {
      const { reason, name, cut } = current.broken;
      const text = current.opener.text + current.text.slice(0, at);
      const place = { at: current.start + current.broken.at, index, text };
      events.push({ type: "call-broken", ...place, reason, cut, ...(name === undefined ? {} : { name }) });
      index += 1;
    }
    if (section !== current) return;
    section = undefined;
    place = "prose";
    words.passSection();
    pending = current.text.slice(at) + pending;
    pendingStart = current.start + at;
  }

  /** Takes the first units of what is pending, to be said. */
  function taken(length: number): string {
    const text = pending.slice(0, length);
    take(length);
    return text;
  }

  function take(length: number): void {
    pending = pending.slice(length);
    pendingStart += length;
  }

  function finish(): readonly TurnParserEvent[] {
    isOver = true;
    const said: TurnParserEvent[] = [...read("", false)];
    events = said;
    while (section !== undefined) {
      const current: Section = section;
      sayCalls(current, current.reader.finish());
      if (section === current) endSection(current, current.text.length);
      // What lies behind the section's end, or what turned out to be text, is read as usual.
      while (advance());
    }
    const rest = pending.trimEnd().length;
    if (place === "reasoning") {
      words.sayReasoning(taken(rest));
      words.endReasoning();
    } else {
      words.sayText(taken(rest));
      words.endText();
    }
    pending = "";
    return events;
  }

  return {
    push: (text) => read(text, false),
    pushUntilOpener(text) {
      const before = pendingStart + pending.length;
      const wasOpened = opened;
      const said = read(text, true);
      const consumed = stopped ? pendingStart - before : text.length;
      return { events: said, consumed, ...(opened === wasOpened || !opened ? {} : { opened }) };
    },
    finish,
    get opened() {
      return opened;
    },
    get place() {
      return place;
    },
  };
}

function shift(
  range: readonly [number, number] | undefined,
  by: number,
): readonly [number, number] | undefined {
  return range === undefined ? undefined : [range[0] + by, range[1] + by];
}
