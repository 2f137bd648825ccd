// Reads text against a grammar byte by byte: may it end here, what may follow, what must follow. States are small
// integers that mean the same for the matcher's whole life. Knows nothing of vocabularies.
import type { Grammar } from "./grammar.ts";
import { acceptMarker, createMachine, DEAD, type Machine } from "./machine.ts";
import { wholePartLength } from "./special-token.ts";

export { DEAD } from "./machine.ts";

/** Bytes that must follow a state, and the state after them. */
export interface ForcedRun {
  readonly bytes: Uint8Array;
  readonly state: number;
}

export interface Matcher {
  /** Where every text begins; `DEAD` when the grammar matches nothing. */
  readonly start: number;
  /** The state after bytes; `DEAD` when no text of the grammar goes on like this. `DEAD` stays `DEAD`. */
  advance(state: number, bytes: Uint8Array): number;
  advanceByte(state: number, byte: number): number;
  /** Whether the text may end here. */
  isAccepting(state: number): boolean;
  /** Whether some byte may follow. A state that is alive and not accepting always can continue. */
  canContinue(state: number): boolean;
  /**
   * The bytes that must follow, up to `limit` of them (4096 unless told): while the text may not end and exactly one
   * byte is possible. Neither starts nor ends inside a character or a special token.
   */
  forced(state: number, limit?: number): ForcedRun;
  /** For each of the 256 bytes, 1 when it may follow. */
  nextBytes(state: number): Uint8Array;
  /** Whether a whole text, from the start, is a text of the grammar. */
  accepts(text: string | Uint8Array): boolean;
  /** How many states were met so far: a measure of the memory held. */
  readonly stateCount: number;
}

const machines = new WeakMap<Matcher, Machine>();
const encoder = new TextEncoder();

/** A matcher for a grammar. Rules are compiled when they are first reached. */
export function createMatcher(grammar: Grammar): Matcher {
  const machine = createMachine(grammar);

  function advance(state: number, bytes: Uint8Array): number {
    let at = state;
    for (let i = 0; i < bytes.length && at >= 0; i++) at = machine.next(at, bytes[i]!);
    return at;
  }

  function forced(state: number, limit = 4096): ForcedRun {
    const run: number[] = [];
    let at = state;
    while (run.length < limit && at >= 0 && !isAccepting(at)) {
      const byte = onlyByte(machine, at);
      if (byte === undefined) break;
      run.push(byte);
      at = machine.next(at, byte);
    }
    const startsInside = run.length > 0 && run[0]! >= 0x80 && run[0]! < 0xc0;
    const whole = startsInside ? 0 : wholePartLength(Uint8Array.from(run));
    const bytes = Uint8Array.from(run.slice(0, whole));
    return { bytes, state: whole === run.length ? at : advance(state, bytes) };
  }

  function isAccepting(state: number): boolean {
    return state >= 0 && (machine.marks[state]! & (1 << acceptMarker)) !== 0;
  }

  const matcher: Matcher = {
    start: machine.start,
    advance,
    advanceByte: (state, byte) => machine.next(state, byte),
    isAccepting,
    canContinue: (state) => state >= 0 && machine.items(state).length > 1,
    forced,
    nextBytes: (state) => nextBytes(machine, state),
    accepts(text) {
      if (typeof text !== "string") return isAccepting(advance(machine.start, text));
      return !/\p{Surrogate}/u.test(text) && isAccepting(advance(machine.start, encoder.encode(text)));
    },
    get stateCount() {
      return machine.stateCount;
    },
  };
  machines.set(matcher, machine);
  return matcher;
}

/** Whether a text is a text of the grammar, for callers with a single question. */
export function acceptsText(grammar: Grammar, text: string): boolean {
  return createMatcher(grammar).accepts(text);
}

/** The automaton inside a matcher, for the masks beside it. */
export function machineOf(matcher: Matcher): Machine {
  const machine = machines.get(matcher);
  if (machine === undefined) throw new TypeError("Not a matcher made by createMatcher");
  return machine;
}

function onlyByte(machine: Machine, state: number): number | undefined {
  const items = machine.items(state);
  let byte: number | undefined;
  for (let i = 1; i < items.length; i += 2) {
    const edges = machine.edges(items[i]!);
    for (let e = 0; e < edges.length; e += 3) {
      if (edges[e] !== edges[e + 1] || (byte !== undefined && byte !== edges[e])) return undefined;
      byte = edges[e];
    }
  }
  return byte;
}

function nextBytes(machine: Machine, state: number): Uint8Array {
  const isNext = new Uint8Array(256);
  if (state === DEAD) return isNext;
  const items = machine.items(state);
  for (let i = 1; i < items.length; i += 2) {
    const edges = machine.edges(items[i]!);
    for (let e = 0; e < edges.length; e += 3) isNext.fill(1, edges[e]!, edges[e + 1]! + 1);
  }
  return isNext;
}
