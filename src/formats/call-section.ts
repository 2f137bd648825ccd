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
  /** Whether more objects may follow without a list, on lines of their own or behind semicolons. */
  readonly bareObjects?: boolean;
}

type State = "before-call" | "in-call" | "after-call" | "after-list" | "skipping" | "ended";

export function createSectionReader(options: SectionOptions): CallReader {
  const { lenient, closer, bareObjects = false } = options;
  /** What is not read yet, and where it begins. */
  let rest = "";
  let position = 0;
  let lastEnd = 0;
  let hasSeparator = false;
  let state: State = "before-call";
  let isList = options.begun === "list";
  let calls = 0;
  let envelope: EnvelopeReader | undefined;
  let events: CallReaderEvent[] = [];
  if (options.begun !== undefined) beginCall("{");

  function push(piece: string): readonly CallReaderEvent[] {
    if (state === "ended") return [];
    rest += piece;
    events = [];
    while (advance());
    return events;
  }

  function finish(): readonly CallReaderEvent[] {
    events = [];
    const textEnd = position + rest.length;
    if (state === "in-call" && !isTextAfterCalls()) events.push(...(envelope?.finish() ?? []));
    if (state === "before-call" && calls === 0) {
      events.push({ type: "call-broken", at: textEnd, reason: "the text ends before the call", cut: true });
    }
    const leavesRest =
      (state === "in-call" && isTextAfterCalls()) || (state === "after-call" && closer === undefined);
    end(leavesRest && !isList ? lastEnd : textEnd);
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
        return skipSpace() && openCall(rest[0] ?? "");
      case "after-call":
      case "after-list":
        return readAfter();
      default:
        return state satisfies never;
    }
  }

  function openCall(character: string): boolean {
    if (character === "{") return beginCall();
    if (character === "[" && !isList && calls === 0) {
      isList = true;
      take(1);
      return true;
    }
    // An empty list is a way of saying that nothing is called.
    if (character === "]" && isList && calls === 0) return closeList();
    return breakOff('a call as a JSON object, "{", expected');
  }

  function beginCall(prefix = "", rule?: string): true {
    envelope = createEnvelopeReader({
      lenient,
      base: position,
      prefix,
      ...(rule === undefined ? {} : { rule }),
    });
    state = "in-call";
    return true;
  }

  function readCall(): boolean {
    if (envelope === undefined || rest === "") return false;
    const before = envelope.offset;
    const read = envelope.push(rest);
    if (envelope.status === "broken" && isTextAfterCalls()) return end(lastEnd);
    events.push(...read);
    take(envelope.offset - before);
    if (envelope.status === "broken") state = "skipping";
    if (envelope.status === "done") {
      calls += 1;
      lastEnd = position;
      hasSeparator = false;
      state = "after-call";
      if (closer === undefined && !isList && !bareObjects) return end(position);
    }
    return true;
  }

  /** An object that is no call, separated from complete calls, is ordinary text. */
  function isTextAfterCalls(): boolean {
    return calls > 0 && bareObjects && !isList && envelope?.started === false;
  }

  function readAfter(): boolean {
    if (state === "after-list" && closer === undefined) return end(position);
    if (!skipSpace()) return false;
    const character = rest[0];
    if (state === "after-call" && isList) {
      if (character === "]") return closeList();
      if (character !== ",") return breakOff('"," or "]" expected after a call of a list');
      take(1);
      state = "before-call";
      return true;
    }
    if (character === ";" && state === "after-call" && bareObjects && !hasSeparator) {
      hasSeparator = true;
      take(1);
      return true;
    }
    if (character === "{" && state === "after-call") {
      if (hasSeparator) return beginCall();
      return lenient ? beginCall("", "split-objects") : end(lastEnd);
    }
    if (closer === undefined) return end(lastEnd);
    if (rest.startsWith(closer)) return end(position + closer.length);
    return closer.startsWith(rest) ? false : end(lastEnd);
  }

  function closeList(): true {
    isList = false;
    take(1);
    lastEnd = position;
    state = "after-list";
    return true;
  }

  function breakOff(reason: string): true {
    events.push({ type: "call-broken", at: position, reason, cut: false });
    state = "skipping";
    return true;
  }

  /** Everything up to the closer belongs to the broken call. */
  function skip(): boolean {
    const found = closer === undefined ? -1 : rest.indexOf(closer);
    if (found !== -1 && closer !== undefined) return end(position + found + closer.length);
    // Only what may be the closer's beginning has to be kept.
    take(Math.max(0, rest.length - (closer?.length ?? 0)));
    return false;
  }

  function end(at: number): false {
    if (state !== "ended") events.push({ type: "section-end", at });
    state = "ended";
    return false;
  }

  function skipSpace(): boolean {
    const trimmed = rest.trimStart();
    const space = rest.length - trimmed.length;
    hasSeparator ||= bareObjects && rest.slice(0, space).includes("\n");
    take(space);
    return rest !== "";
  }

  function take(length: number): void {
    rest = rest.slice(length);
    position += length;
  }

  return { push, finish };
}
