// Reads what follows an opener in the formats that write calls as JSON objects: one object or a list of them, then a closer.
// Knows JSON envelopes and the closer it is given, but not the tools.
import { createEnvelopeReader, type EnvelopeReader } from "./call-envelope.ts";
import type { CallReader, CallReaderEvent } from "./format.ts";

export interface SectionOptions {
  readonly lenient: boolean;
  /** What ends the section; absent: the last object or list does. */
  readonly closer?: string;
  /** What of the first call already stands in the opener. */
  readonly begun?: "object" | "list";
  /** Whether more objects may follow without a list, each on a line of its own. */
  readonly lines?: boolean;
}

type State = "before-call" | "in-call" | "after-call" | "after-list" | "skipping" | "ended";

export function createSectionReader(options: SectionOptions): CallReader {
  const { lenient, closer, lines = false } = options;
  let text = "";
  let position = 0;
  let base = 0;
  let lastEnd = 0;
  let state: State = "before-call";
  let isList = options.begun === "list";
  let calls = 0;
  let envelope: EnvelopeReader | undefined;
  let events: CallReaderEvent[] = [];
  if (options.begun !== undefined) beginCall("{");

  function push(piece: string): readonly CallReaderEvent[] {
    if (state === "ended") return [];
    text += piece;
    events = [];
    while (advance());
    return events;
  }

  function finish(): readonly CallReaderEvent[] {
    events = [];
    if (state === "in-call") {
      const more = envelope?.finish() ?? [];
      if (calls > 0 && lines && !envelope?.started) end(lastEnd);
      else events.push(...more);
    } else if (state === "before-call" && calls === 0) {
      events.push({
        type: "call-broken",
        at: text.length,
        reason: "the text ends before the call",
        cut: true,
      });
    }
    end(closer === undefined && !isList && state === "after-call" ? lastEnd : text.length);
    return events;
  }

  /** One step; false where more text is needed or all is said. */
  function advance(): boolean {
    switch (state) {
      case "ended":
        return false;
      case "in-call":
        return readCall();
      case "skipping":
        return skip();
      case "before-call":
        return skipSpace() && openCall(text[position] ?? "");
      case "after-call":
      case "after-list":
        return readAfter();
      default:
        state satisfies never;
        return false;
    }
  }

  function openCall(character: string): boolean {
    if (character === "{") {
      beginCall();
      return true;
    }
    if (character === "[" && !isList && calls === 0) {
      isList = true;
      position += 1;
      return true;
    }
    // An empty list is a way of saying that nothing is called.
    if (character === "]" && isList && calls === 0) return closeList();
    return breakOff('a call as a JSON object, "{", expected');
  }

  function beginCall(prefix = "", rule?: string): void {
    envelope = createEnvelopeReader({
      lenient,
      base: position,
      prefix,
      ...(rule === undefined ? {} : { rule }),
    });
    base = position;
    state = "in-call";
  }

  function readCall(): boolean {
    if (envelope === undefined || position >= text.length) return false;
    const more = envelope.push(text.slice(position));
    if (envelope.status === "broken" && calls > 0 && lines && !isList && !envelope.started) {
      // An object that is no call, on a line after complete calls, is ordinary text.
      return end(lastEnd);
    }
    events.push(...more);
    position = envelope.status === "reading" ? text.length : base + envelope.offset;
    if (envelope.status === "broken") state = "skipping";
    if (envelope.status === "done") {
      calls += 1;
      lastEnd = position;
      state = "after-call";
      if (closer === undefined && !isList && !lines) return end(position);
    }
    return true;
  }

  function readAfter(): boolean {
    if (state === "after-list" && closer === undefined) return end(position);
    if (!skipSpace()) return false;
    const character = text[position] ?? "";
    if (state === "after-call" && isList) {
      if (character === "]") return closeList();
      if (character === ",") {
        position += 1;
        state = "before-call";
        return true;
      }
      return breakOff('"," or "]" expected after a call of a list');
    }
    if (character === "{" && state === "after-call") {
      const isNewLine = text.slice(lastEnd, position).includes("\n");
      if (lines && isNewLine) beginCall();
      else if (lenient) beginCall("", "split-objects");
      else return end(lastEnd);
      return true;
    }
    if (closer === undefined) return end(lastEnd);
    const rest = text.slice(position, position + closer.length);
    if (rest === closer) return end(position + closer.length);
    return closer.startsWith(rest) ? false : end(lastEnd);
  }

  function closeList(): boolean {
    isList = false;
    position += 1;
    lastEnd = position;
    state = "after-list";
    return true;
  }

  function breakOff(reason: string): boolean {
    events.push({ type: "call-broken", at: position, reason, cut: false });
    state = "skipping";
    return true;
  }

  /** Everything up to the closer belongs to the broken call. */
  function skip(): boolean {
    const found = closer === undefined ? -1 : text.indexOf(closer, position);
    return found === -1 || closer === undefined ? false : end(found + closer.length);
  }

  function end(at: number): boolean {
    if (state !== "ended") events.push({ type: "section-end", at });
    state = "ended";
    return false;
  }

  function skipSpace(): boolean {
    while (position < text.length && /\s/.test(text[position] ?? "")) position += 1;
    return position < text.length;
  }

  return { push, finish };
}
