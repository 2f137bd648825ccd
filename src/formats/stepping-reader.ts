// A reader of calls one by one: each call is read anew from its start until it is complete.
// Knows no format; what one call is, a step function says.

import { type JsonValue, pointerSteps } from "../vocabulary/index.ts";
import type { CallReader, CallReaderEvent, Locate } from "./format.ts";

export interface StepInput {
  readonly text: string;
  /** Where the next call, or the section's end, begins. */
  readonly at: number;
  /** Whether no more text comes. */
  readonly isOver: boolean;
  /** Calls read so far. */
  readonly calls: number;
}

export type Step =
  | { readonly type: "more" }
  | { readonly type: "call"; readonly call: SteppedCall; readonly next: number }
  | { readonly type: "end"; readonly at: number }
  | { readonly type: "broken"; readonly at: number; readonly reason: string; readonly name?: string };

export interface SteppedCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly inputText: string;
  readonly untyped?: boolean;
  readonly repairs?: readonly string[];
  /** Where each argument's value stands, by its key. */
  readonly places?: ReadonlyMap<string, readonly [start: number, end: number]>;
  readonly locate?: Locate;
}

export const needsMore: Step = { type: "more" };

/** `closer` ends the section of a broken call; without one, everything that follows belongs to it. */
export function createSteppingReader(step: (input: StepInput) => Step, closer?: string): CallReader {
  let text = "";
  let at = 0;
  let calls = 0;
  let isBroken = false;
  let hasEnded = false;

  function read(isOver: boolean): CallReaderEvent[] {
    const events: CallReaderEvent[] = [];
    while (!hasEnded && !isBroken) {
      // Closers that never came take nothing from calls that are complete.
      const nothingLeft = isOver && calls > 0 && text.slice(at).trim() === "";
      const result = nothingLeft ? endAt(text.length) : step({ text, at, isOver, calls });
      if (result.type === "more" && !isOver) break;
      if (result.type === "call") {
        events.push(...callEvents(result.call));
        at = result.next;
        calls += 1;
      } else if (result.type === "end") {
        end(events, result.at);
      } else {
        isBroken = true;
        events.push(brokenEvent(result, text.length));
      }
    }
    if (isBroken && !hasEnded) skip(events, isOver);
    return events;
  }

  function skip(events: CallReaderEvent[], isOver: boolean): void {
    const found = closer === undefined ? -1 : text.indexOf(closer, at);
    if (found !== -1 && closer !== undefined) end(events, found + closer.length);
    else if (isOver) end(events, text.length);
  }

  function end(events: CallReaderEvent[], where: number): void {
    hasEnded = true;
    events.push({ type: "section-end", at: where });
  }

  return {
    push(piece) {
      text += piece;
      return read(false);
    },
    finish: () => read(true),
  };
}

function endAt(at: number): Step {
  return { type: "end", at };
}

function callEvents(call: SteppedCall): readonly CallReaderEvent[] {
  const { name, input, inputText, untyped = false, repairs = [], places, locate } = call;
  const byKey: Locate = (pointer, part) => {
    const [key, ...deeper] = pointerSteps(pointer);
    return key === undefined || deeper.length > 0 || part === "key" ? undefined : places?.get(key);
  };
  return [
    { type: "call-start", name },
    // Text without types is no arguments yet.
    ...(untyped ? [] : [{ type: "call-delta", text: inputText } as const]),
    {
      type: "call-end",
      name,
      input,
      inputText,
      repairs,
      locate: locate ?? byKey,
      ...(untyped ? { untyped } : {}),
    },
  ];
}

function brokenEvent(result: Extract<Step, { type: "more" | "broken" }>, length: number): CallReaderEvent {
  if (result.type === "more") {
    return {
      type: "call-broken",
      at: length,
      reason: "the text ends before the call is complete",
      cut: true,
    };
  }
  const { at, reason, name } = result;
  return { type: "call-broken", at, reason, cut: false, ...(name === undefined ? {} : { name }) };
}

/** The first place from `at` on that is no white space. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && /\s/.test(text[next] ?? "")) next += 1;
  return next;
}

/** Whether `mark` stands at `at`: yes, no, or it may once more text comes. */
export function standsAt(mark: string, text: string, at: number): "yes" | "no" | "maybe" {
  const rest = text.slice(at, at + mark.length);
  if (rest === mark) return "yes";
  return at + rest.length === text.length && mark.startsWith(rest) ? "maybe" : "no";
}
