// The calls of a turn, from just after an opener: decoded under the grammar, validated, and on a fault decoded again from
// the place of the fault with the refused value forbidden (rung 3). Knows nothing of how the opener came about.
import {
  createTurnParser,
  type Format,
  type OfferedTool,
  type Opener,
  type PromptPart,
  type ReadCall,
  type TurnParserEvent,
} from "../formats/index.ts";
import type { SpanEnd } from "../models/model.ts";
import { type CallFault, type InvalidAttempt, isJsonObject, type TurnEvent } from "../vocabulary/index.ts";
import { callKey, repeatedCallNotice } from "./call-key.ts";
import { checkCall } from "./check-call.ts";
import { readFaults } from "./say-what-is-wrong.ts";
import {
  type Attempt,
  attemptSeed,
  callSampling,
  constraintOf,
  mayGoBack,
  newCallId,
  type Turn,
  tokensLeft,
} from "./turn.ts";
import { typeValues } from "./type-values.ts";

export interface OpenedCalls {
  readonly format: Format;
  readonly opener: Opener;
  /** The turn so far, the opener included. */
  readonly prefix: readonly PromptPart[];
}

export type CallsOutcome =
  | { readonly type: "delivered"; readonly count: number }
  | { readonly type: "length" }
  /** Going back did not mend it, or was not possible. */
  | { readonly type: "refused"; readonly attempt: InvalidAttempt };

/** Where a refused call is to be decoded again from. */
interface Rewind {
  readonly offset: number;
  readonly pointer: string;
  readonly forbidden: readonly string[];
}

/** Yields the events of the calls; the outcome says how the turn goes on. */
export async function* decodeCalls(
  turn: Turn,
  attempt: Attempt,
  opened: OpenedCalls,
): AsyncGenerator<TurnEvent, CallsOutcome> {
  const { grammar } = constraintOf(turn, attempt, opened);
  const forbidden = new Map<number, string[]>();
  const delivery = createDelivery(turn, attempt);
  let text = "";
  let rewind: Rewind | undefined;
  for (;;) {
    const reader = createTurnParser({ formats: [opened.format] });
    delivery.replay(reader.push(opened.opener.text + text));
    let ended: SpanEnd | undefined;
    const events = turn.model.generate({
      prompt: attempt.prompt,
      prefix: text === "" ? opened.prefix : [...opened.prefix, { text, special: opened.opener.special }],
      consumed: text.length,
      span: { type: "constrained", grammar, ...(rewind ? { forbidden: { texts: rewind.forbidden } } : {}) },
      sampling: callSampling(turn),
      seed: attemptSeed(turn),
      maxTokens: tokensLeft(turn),
      ...(turn.signal ? { signal: turn.signal } : {}),
    });
    let refused: RefusedCall | undefined;
    for await (const event of events) {
      yield* turn.account.count(event);
      if (event.type === "end") ended = event.reason;
      if (event.type !== "piece") continue;
      text += event.text;
      refused = yield* delivery.take(reader.push(event.text));
      if (refused || delivery.isRepeating) break;
    }
    // Who repeats a call would go on with it up to the token limit.
    if (delivery.isRepeating) return { type: "delivered", count: delivery.count };
    if (!refused && ended === "length") return { type: "length" };
    if (!refused && ended !== "impossible" && delivery.count > 0)
      return { type: "delivered", count: delivery.count };
    const last: RefusedCall | undefined = refused ?? delivery.lastRefused;
    if (!last) {
      const attempted = unreadable(text);
      turn.refused.push(attempted);
      return { type: "refused", attempt: attempted };
    }
    if (refused) {
      turn.refused.push(attemptOf(refused, text));
      yield { type: "call-refused", callId: refused.callId, faults: refused.faults };
    }
    rewind =
      refused && mayGoBack(turn)
        ? placeOfFault(refused, { text, opener: opened.opener, forbidden })
        : undefined;
    if (!rewind) return { type: "refused", attempt: attemptOf(last, text) };
    turn.account.startRetry(3, rewind.pointer);
    text = text.slice(0, rewind.offset);
  }
}

interface RefusedCall {
  readonly callId: string;
  readonly call: ReadCall;
  readonly faults: readonly CallFault[];
}

/** Turns what the reader reads into events. Calls whose grammar is exact stream; others wait until they are validated. */
function createDelivery({ delivered, levers }: Turn, attempt: Attempt) {
  let count = 0;
  let callId = newCallId();
  let held: string | undefined;
  let lastRefused: RefusedCall | undefined;
  let isRepeating = false;

  /** Reads again what was read before going back: calls delivered then are not told twice. */
  function replay(events: readonly TurnParserEvent[]): void {
    callId = newCallId();
    held = "";
    for (const event of events) {
      if (event.type === "call-start" || event.type === "call-end") held = "";
      else if (event.type === "call-delta") held += event.text;
    }
  }

  async function* take(
    events: readonly TurnParserEvent[],
  ): AsyncGenerator<TurnEvent, RefusedCall | undefined> {
    for (const event of events) {
      if (event.type === "call-start") {
        const tool = attempt.callable.find((candidate) => candidate.name === event.name);
        // One more call of a tool may repeat an earlier one, which shows at its end.
        const mayRepeat = [...delivered.values()].includes(event.name);
        const isSure = levers.grammar !== "names" && tool !== undefined && isEnforced(tool);
        held = isSure && !mayRepeat ? undefined : "";
        if (held === undefined) yield { type: "call-start", callId, name: event.name };
      } else if (event.type === "call-delta") {
        if (held === undefined) yield { type: "call-delta", callId, text: event.text };
        else held += event.text;
      } else if (event.type === "call-end") {
        const { input, inputText } = event.untyped === true ? typeValues(event, attempt.callable) : event;
        const faults = checkCall({ name: event.name, input }, attempt.callable);
        if (faults.length > 0 || !isJsonObject(input)) {
          lastRefused = { callId, call: { ...event, input }, faults };
          return lastRefused;
        }
        const key = callKey({ name: event.name, input });
        if (delivered.has(key)) {
          isRepeating = true;
          yield repeatedCallNotice(event.name);
          return undefined;
        }
        delivered.set(key, event.name);
        if (held !== undefined) yield { type: "call-start", callId, name: event.name };
        // Arguments that were held back, or that only now have types, are told as a whole.
        if (held !== undefined || event.untyped === true)
          yield { type: "call-delta", callId, text: inputText };
        yield { type: "call-end", callId, name: event.name, input };
        count += 1;
        callId = newCallId();
      }
    }
    return undefined;
  }

  return {
    replay,
    take,
    get count() {
      return count;
    },
    /** Whether a call came that was delivered before in this turn. */
    get isRepeating() {
      return isRepeating;
    },
    get lastRefused() {
      return lastRefused;
    },
  };
}

/** Whether everything that the grammar lets through is valid, so that a call can be shown while it is written. */
function isEnforced({ compiled }: OfferedTool): boolean {
  return compiled.residual.every((residual) => residual.direction === "under");
}

/** The start of the first faulty value, and all that was refused there. Undefined where the text does not show it. */
function placeOfFault(
  refused: RefusedCall,
  place: { readonly text: string; readonly opener: Opener; readonly forbidden: Map<number, string[]> },
): Rewind | undefined {
  for (const fault of refused.faults) {
    const found = refused.call.locate(fault.pointer);
    if (!found) continue;
    const [offset, end] = found.map((at) => at - place.opener.text.length);
    if (offset === undefined || offset < 0) continue;
    const texts = place.forbidden.get(offset) ?? [];
    texts.push(place.text.slice(offset, end));
    place.forbidden.set(offset, texts);
    return { offset, pointer: fault.pointer, forbidden: [...texts] };
  }
  return undefined;
}

function attemptOf(refused: RefusedCall, text: string): InvalidAttempt {
  return { text, name: refused.call.name, input: refused.call.input, faults: refused.faults };
}

/** What the grammar let through and the format's reader does not take for a call. */
function unreadable(text: string): InvalidAttempt {
  const came = text.slice(0, 200);
  return { text, faults: [{ pointer: "", keyword: readFaults.json, expected: "call can be read", came }] };
}
