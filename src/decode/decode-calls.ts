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
import { groundCall, mayShorten } from "./ground-call.ts";
import { HintTrials, type HintVerdict } from "./hint-trials.ts";
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
  const forbidden = new Map<number, string[]>();
  const hints = new HintTrials(turn, attempt, opened);
  const delivery = createDelivery(turn, attempt, hints);
  let text = "";
  /** What must not be written where writing goes on. */
  let avoided: readonly string[] = [];
  for (;;) {
    const reader = createTurnParser({ formats: [opened.format] });
    delivery.startOver();
    let stopped: StoppedCall | undefined = yield* delivery.take(reader.push(opened.opener.text + text), text);
    let ended: SpanEnd | undefined;
    const { grammar } = constraintOf(turn, { ...attempt, callable: hints.callable }, opened);
    const events = turn.model.generate({
      prompt: attempt.prompt,
      ...(attempt.stablePrefix ? { stablePrefix: attempt.stablePrefix } : {}),
      prefix: text === "" ? opened.prefix : [...opened.prefix, { text, special: opened.opener.special }],
      consumed: text.length,
      span: {
        type: "constrained",
        grammar,
        ...(avoided.length > 0 ? { forbidden: { texts: avoided } } : {}),
      },
      sampling: callSampling(turn),
      seed: attemptSeed(turn),
      maxTokens: tokensLeft(turn),
      ...(turn.signal ? { signal: turn.signal } : {}),
    });
    let unjudged: readonly TurnParserEvent[] = [];
    if (stopped === undefined) {
      for await (const event of events) {
        yield* turn.account.count(event);
        if (event.type === "end") ended = event.reason;
        if (event.type !== "piece") continue;
        text += event.text;
        const read = reader.push(event.text);
        if (hints.isTrying && read.some(({ type }) => type === "call-end")) {
          // The model is asked about this call, which it can be only when it does not write.
          unjudged = read;
          break;
        }
        stopped = yield* delivery.take(read, text);
        if (stopped || delivery.isRepeating) break;
      }
    }
    if (unjudged.length > 0) {
      stopped = yield* delivery.take(unjudged, text);
      if (stopped === undefined && !delivery.isRepeating) {
        avoided = [];
        continue;
      }
    }
    if (stopped === undefined && ended === "impossible") {
      const without = hints.giveUp(text);
      if (without !== undefined) stopped = { type: "again", text: without, forbidden: [] };
    }
    if (stopped?.type === "again") {
      ({ text, forbidden: avoided } = stopped);
      continue;
    }
    const refused = stopped;
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
    const rewind =
      refused && mayGoBack(turn)
        ? placeOfFault(refused, { text, opener: opened.opener, forbidden })
        : undefined;
    if (!rewind) return { type: "refused", attempt: attemptOf(last, text) };
    turn.account.startRetry(3, rewind.pointer);
    text = text.slice(0, rewind.offset);
    avoided = rewind.forbidden;
  }
}

/** A call that is not delivered as it stands: refused, or written on from within because of a hint. */
type StoppedCall = RefusedCall | Extract<HintVerdict, { type: "again" }>;

interface RefusedCall {
  readonly type: "refused";
  readonly callId: string;
  readonly call: ReadCall;
  readonly faults: readonly CallFault[];
}

/** Turns what the reader reads into events. Calls whose grammar is exact stream; others wait until they are validated. */
function createDelivery(turn: Turn, attempt: Attempt, hints: HintTrials) {
  const { delivered, levers } = turn;
  let count = 0;
  /** Calls in the text that were delivered before it was read again. */
  let known = 0;
  let callId = newCallId();
  let held: string | undefined;
  let lastRefused: RefusedCall | undefined;
  let isRepeating = false;

  /** The text is read again from its start: calls delivered by now are not told twice. */
  function startOver(): void {
    callId = newCallId();
    known = count;
  }

  async function* take(
    events: readonly TurnParserEvent[],
    text: string,
  ): AsyncGenerator<TurnEvent, StoppedCall | undefined> {
    for (const event of events) {
      if (known > 0) {
        if (event.type === "call-end") known -= 1;
      } else if (event.type === "call-start") {
        const tool = attempt.callable.find((candidate) => candidate.name === event.name);
        // One more call of a tool may repeat an earlier one, which shows at its end.
        const mayRepeat = [...delivered.values()].includes(event.name);
        const isFinal = tool !== undefined && !hints.concern(tool) && !mayShorten(turn, tool);
        const isSure = levers.grammar !== "names" && isFinal && isEnforced(tool);
        held = isSure && !mayRepeat ? undefined : "";
        if (held === undefined) yield { type: "call-start", callId, name: event.name };
      } else if (event.type === "call-delta") {
        if (held === undefined) yield { type: "call-delta", callId, text: event.text };
        else held += event.text;
      } else if (event.type === "call-end") {
        const { input, inputText } = event.untyped === true ? typeValues(event, attempt.callable) : event;
        const faults = checkCall({ name: event.name, input }, attempt.callable);
        if (faults.length > 0 || !isJsonObject(input)) {
          lastRefused = { type: "refused", callId, call: { ...event, input }, faults };
          return lastRefused;
        }
        const tool = attempt.callable.find((candidate) => candidate.name === event.name);
        const verdict = tool && (await hints.judge({ ...event, input }, tool, text));
        if (verdict?.type === "again") return verdict;
        const shortened = tool && groundCall(turn, tool, input);
        const final = shortened?.input ?? input;
        const key = callKey({ name: event.name, input: final });
        if (delivered.has(key)) {
          isRepeating = true;
          yield repeatedCallNotice(event.name);
          return undefined;
        }
        delivered.set(key, event.name);
        if (held !== undefined) yield { type: "call-start", callId, name: event.name };
        // Arguments that were held back, or that only now have types, are told as a whole.
        if (held !== undefined || event.untyped === true)
          yield { type: "call-delta", callId, text: shortened?.text ?? inputText };
        for (const value of verdict?.rewritten ?? [])
          yield { type: "call-repaired", callId, rule: "stated-form", ...value };
        for (const before of shortened?.dropped ?? [])
          yield { type: "call-repaired", callId, rule: "ungrounded-dropped", before, after: "" };
        yield { type: "call-end", callId, name: event.name, input: final };
        count += 1;
        callId = newCallId();
      }
    }
    return undefined;
  }

  return {
    startOver,
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
