// Reads calls whose name stands in marks of its own, with the arguments behind it as one JSON object, in pieces of any size.
// Knows JSON arguments; what stands before and behind them, it is told in marks. Validates nothing.
import type { CallReader, CallReaderEvent } from "./format.ts";
import { locateIn, mendedStrings } from "./json-node.ts";
import { createJsonReader, type JsonReader } from "./json-reader.ts";
import { skipSpace, standsAt } from "./stepping-reader.ts";

export interface NamedSectionOptions {
  readonly lenient: boolean;
  /** Reads what stands before the arguments of a call that begins at the start of `text`. */
  head(text: string): Head;
  /** Marks that follow the arguments of each call, white space apart. */
  readonly tail: readonly string[];
  /** What opens another call of the same section; absent: there is one call only. */
  readonly next?: string;
  /** What ends the section; absent: the last call does. */
  readonly closer?: string;
}

/** What stands before the arguments, as far as it is there. `at` counts from the start of the text that was read. */
export type Head =
  | { readonly type: "head"; readonly name: string; readonly length: number }
  | { readonly type: "more" }
  | { readonly type: "broken"; readonly at: number; readonly reason: string };

type State = "head" | "arguments" | "tail" | "after-call" | "skipping" | "ended";

export function createNamedReader(options: NamedSectionOptions): CallReader {
  const { lenient, tail, next, closer } = options;
  /** What is not read yet, and where it begins. */
  let rest = "";
  let position = 0;
  let state: State = "head";
  let isOver = false;
  let tailsRead = 0;
  let lastEnd = 0;
  let name: string | undefined;
  let json: JsonReader | undefined;
  let jsonStart = 0;
  let inputText = "";
  let events: CallReaderEvent[] = [];

  function read(piece: string): readonly CallReaderEvent[] {
    rest += piece;
    events = [];
    while (advance());
    return events;
  }

  function finish(): readonly CallReaderEvent[] {
    isOver = true;
    const said = [...read("")];
    events = said;
    if (state === "head") breakOff("the text ends before the arguments", position + rest.length, true);
    if (state === "arguments") {
      breakOff("the JSON ends before the call is complete", position + rest.length, true);
    }
    end(state === "skipping" ? position + rest.length : lastEnd);
    return said;
  }

  /** One step; false where more text is needed or all is said. */
  function advance(): boolean {
    switch (state) {
      case "ended":
        return false;
      case "head":
        return readHead();
      case "arguments":
        return readArguments();
      case "tail":
        return readTail();
      case "after-call":
        return readAfterCall();
      case "skipping":
        return skip();
      default:
        return state satisfies never;
    }
  }

  function readHead(): boolean {
    const head = options.head(rest);
    if (head.type === "more") return false;
    if (head.type === "broken") return breakOff(head.reason, position + head.at);
    name = head.name;
    take(head.length);
    json = createJsonReader({ lenient });
    jsonStart = position;
    inputText = "";
    state = "arguments";
    return true;
  }

  function readArguments(): boolean {
    if (json === undefined || name === undefined || rest === "") return false;
    const hadStarted = json.root !== undefined;
    const before = json.offset;
    json.push(rest);
    const { root } = json;
    const from = hadStarted ? before : (root?.start ?? json.offset);
    const delta = rest.slice(from - before, json.offset - before);
    take(json.offset - before);
    inputText += delta;
    if (!hadStarted && root !== undefined) events.push({ type: "call-start", name });
    if (root !== undefined && delta !== "") events.push({ type: "call-delta", text: delta });
    if (json.status === "broken") return breakOff(json.reason, jsonStart + json.faultAt);
    if (json.status !== "done" || root === undefined) return false;
    events.push({
      type: "call-end",
      name,
      input: root.value ?? {},
      inputText,
      repairs: [...json.mends, ...mendedStrings(root)],
      locate: locateIn(root, jsonStart),
    });
    lastEnd = position;
    tailsRead = 0;
    name = undefined;
    state = "tail";
    return true;
  }

  /** Marks that never come take nothing from a call that is complete. */
  function readTail(): boolean {
    const mark = tail[tailsRead];
    if (mark === undefined) {
      if (next === undefined && closer === undefined) return end(lastEnd);
      state = "after-call";
      return true;
    }
    const stands = takeMark(mark);
    if (stands === "no") return end(lastEnd);
    if (stands === "yes") tailsRead += 1;
    return stands === "yes";
  }

  function readAfterCall(): boolean {
    const goesOn = next === undefined ? "no" : standsAt(next, rest, skipSpace(rest, 0));
    if (goesOn === "yes") {
      state = "head";
      return true;
    }
    const closes = closer === undefined ? "no" : takeMark(closer);
    if (closes !== "no" && closes !== "maybe") return end(lastEnd);
    return goesOn === "maybe" || closes === "maybe" ? false : end(lastEnd);
  }

  /** Moves behind a mark where it stands, white space apart. */
  function takeMark(mark: string): "yes" | "no" | "maybe" {
    const at = skipSpace(rest, 0);
    const stands = standsAt(mark, rest, at);
    if (stands !== "yes") return isOver ? "no" : stands;
    take(at + mark.length);
    lastEnd = position;
    return "yes";
  }

  function breakOff(reason: string, at: number, cut = false): true {
    events.push({ type: "call-broken", at, reason, cut, ...(name === undefined ? {} : { name }) });
    state = "skipping";
    return true;
  }

  /** Everything up to the closer belongs to the broken call. */
  function skip(): boolean {
    const mark = closer ?? tail.at(-1);
    const found = mark === undefined ? -1 : rest.indexOf(mark);
    if (found === -1 || mark === undefined) return false;
    return end(position + found + mark.length);
  }

  function end(at: number): false {
    if (state !== "ended") events.push({ type: "section-end", at });
    state = "ended";
    return false;
  }

  function take(length: number): void {
    rest = rest.slice(length);
    position += length;
  }

  return { push: read, finish };
}
