// From a pattern to its automaton, look-around and boundaries included. The pattern is searched for anywhere in the text.
// A state of the automaton is a set of places in the pattern, each with what look-aheads still demand of the rest
// (after Antimirov's partial derivatives, 1996); look-behinds are automata of their own that run alongside.
import type { Automaton } from "./automaton.ts";
import { type Alphabet, allCodePoints, alphabetOf, classesOf, type Ranges } from "./code-points.ts";
import { minimise } from "./minimise.ts";
import { isNullable, type Pattern, startsAtStart } from "./pattern.ts";

export interface PatternLimits {
  /** States of the automaton before it is minimised. */
  readonly states: number;
  /** Steps of the construction, so that a hostile pattern ends in a bounded time. */
  readonly work: number;
}

/** What `\w` and `\b` call a word character. */
export const wordCharacters: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

const anything: Pattern = {
  type: "repeat",
  item: { type: "characters", ranges: allCodePoints },
  min: 0,
  max: Infinity,
};
const word: Pattern = { type: "characters", ranges: wordCharacters };

/** The texts in which the pattern is found; undefined where the limits do not suffice. */
export function patternAutomaton(pattern: Pattern, limits: PatternLimits): Automaton | undefined {
  try {
    return minimise(explore(pattern, limits));
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

class BeyondLimits extends Error {}

/** A place in the pattern: a node and what comes after it. Place 0 is the end of the pattern. */
interface Place {
  readonly node: Pattern;
  readonly rest: number;
}

/** What is known of the text before the current character. */
interface Past {
  readonly atStart: boolean;
  readonly afterWord: boolean;
  /** States of the automata of the look-behinds. */
  readonly trackers: readonly number[];
}

interface State {
  /** Places with demands, as `demands * span + place`, sorted. */
  readonly entries: readonly number[];
  readonly past: number;
  readonly accepting: boolean;
  following: Int32Array | undefined;
}

// Places and demands share one number: demands in the upper part.
const span = 2 ** 24;
// In a list of demands: 0 is "the text ends here", n "state n accepts the rest", -n "state n does not".
const atEnd = 0;
const failed = 0;
const satisfied = 1;

function explore(pattern: Pattern, limits: PatternLimits): Automaton {
  const features = featuresOf(pattern);
  const alphabet = alphabetOf(features.sets);
  const machine = createMachine(alphabet, features, limits);
  const start = machine.start(pattern);
  const numbers = new Map<number, number>([[start, 0]]);
  const order = [start];
  const next: number[] = [];
  const accepting: number[] = [];
  for (let at = 0; at < order.length; at++) {
    if (order.length > limits.states) throw new BeyondLimits();
    const state = order[at] as number;
    accepting.push(machine.accepts(state) ? 1 : 0);
    for (const target of machine.follow(state)) {
      if (target === failed) {
        next.push(-1);
        continue;
      }
      let number = numbers.get(target);
      if (number === undefined) {
        number = order.length;
        numbers.set(target, number);
        order.push(target);
      }
      next.push(number);
    }
  }
  return {
    alphabet,
    stateCount: order.length,
    next: Int32Array.from(next),
    accepting: Uint16Array.from(accepting),
  };
}

interface Features {
  readonly sets: Set<Ranges>;
  readonly behinds: Pattern[];
  usesStart: boolean;
  usesWord: boolean;
}

/** Inner look-behinds come before the outer ones that ask for them. */
function featuresOf(pattern: Pattern): Features {
  const features: Features = {
    sets: new Set([allCodePoints]),
    behinds: [],
    usesStart: false,
    usesWord: false,
  };
  visit(pattern);
  return features;

  function visit(node: Pattern): void {
    switch (node.type) {
      case "characters":
        features.sets.add(node.ranges);
        return;
      case "sequence":
        node.items.forEach(visit);
        return;
      case "choice":
        node.options.forEach(visit);
        return;
      case "start":
        features.usesStart = true;
        return;
      case "end":
        return;
      case "word-boundary":
        features.usesWord = true;
        features.sets.add(wordCharacters);
        return;
      case "repeat":
      case "ahead":
        visit(node.item);
        return;
      case "behind":
        visit(node.item);
        if (!features.behinds.includes(node)) features.behinds.push(node);
        return;
      default:
        node satisfies never;
    }
  }
}

interface Machine {
  start(pattern: Pattern): number;
  accepts(state: number): boolean;
  follow(state: number): Int32Array;
}

function createMachine(alphabet: Alphabet, features: Features, limits: PatternLimits): Machine {
  const { size } = alphabet;
  let work = 0;

  const places: Place[] = [{ node: anything, rest: 0 }];
  const placeNumbers = new Map<Pattern, Map<number, number>>();
  const repeats = new Map<Pattern, Map<string, Pattern>>();
  const classLists = new Map<Ranges, readonly number[]>();
  const pasts: Past[] = [];
  const pastNumbers = new Map<string, number>();
  const pastSteps = new Map<number, number>();
  const demandLists: (readonly number[])[] = [[]];
  const demandNumbers = new Map<string, number>([["", 0]]);
  const closures = new Map<number, readonly number[]>();
  const states: State[] = [
    { entries: [], past: 0, accepting: false, following: new Int32Array(size).fill(failed) },
    { entries: [0], past: 0, accepting: true, following: new Int32Array(size).fill(satisfied) },
  ];
  const stateNumbers = new Map<string, number>();
  const trackers: { readonly entries: readonly number[]; readonly found: boolean }[] = [];
  const trackerNumbers = new Map<string, number>();
  const wordClasses = new Set(features.usesWord ? classesOf(alphabet, wordCharacters) : []);

  return {
    start(pattern) {
      const past = firstPast();
      const whole = place(pattern, 0);
      return internState(closureSet(startsAtStart(pattern) ? whole : place(anything, whole), past), past);
    },
    accepts: (state) => (states[state] as State).accepting,
    follow,
  };

  function spend(steps: number): void {
    work += steps;
    if (work > limits.work) throw new BeyondLimits();
  }

  function place(node: Pattern, rest: number): number {
    if (node.type === "sequence") return node.items.reduceRight((after, item) => place(item, after), rest);
    let byRest = placeNumbers.get(node);
    if (byRest === undefined) {
      byRest = new Map();
      placeNumbers.set(node, byRest);
    }
    let number = byRest.get(rest);
    if (number === undefined) {
      number = places.length;
      if (number >= span) throw new BeyondLimits();
      places.push({ node, rest });
      byRest.set(rest, number);
    }
    return number;
  }

  function repeat(item: Pattern, min: number, max: number): Pattern {
    let byCounts = repeats.get(item);
    if (byCounts === undefined) {
      byCounts = new Map();
      repeats.set(item, byCounts);
    }
    const key = `${min},${max}`;
    let node = byCounts.get(key);
    if (node === undefined) {
      node = { type: "repeat", item, min, max };
      byCounts.set(key, node);
    }
    return node;
  }

  /** The places at which a character is awaited (or the pattern ends) when `from` is reached, and their demands. */
  function closure(from: number, past: number): readonly number[] {
    const key = past * span + from;
    const known = closures.get(key);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const seen = new Set<number>();
    const pending = [from];
    const reach = (number: number, demands: number): void => {
      const entry = demands * span + number;
      if (!seen.has(entry)) pending.push(entry);
    };
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      if (seen.has(entry)) continue;
      seen.add(entry);
      spend(1);
      const number = entry % span;
      const demands = Math.floor(entry / span);
      if (number === 0) {
        found.add(entry);
        continue;
      }
      const { node, rest } = places[number] as Place;
      switch (node.type) {
        case "characters":
          if (!(demandLists[demands] as readonly number[]).includes(atEnd)) found.add(entry);
          break;
        case "choice":
          for (const option of node.options) reach(place(option, rest), demands);
          break;
        case "repeat":
          if (node.max === 0) reach(rest, demands);
          else if (node.min > 0 && !isNullable(node.item)) {
            reach(place(node.item, place(repeat(node.item, node.min - 1, node.max - 1), rest)), demands);
          } else {
            reach(rest, demands);
            const again = place(repeat(node.item, 0, node.max - 1), rest);
            // A round that takes nothing adds nothing: what follows fewer rounds is among what follows more.
            seen.add(demands * span + again);
            reach(place(node.item, again), demands);
          }
          break;
        case "start":
          if ((pasts[past] as Past).atStart) reach(rest, demands);
          break;
        case "end":
          reach(rest, demandAlso(demands, atEnd));
          break;
        case "word-boundary": {
          const wordFollows = (pasts[past] as Past).afterWord === node.negated;
          demand(internState(closureSet(place(word, 0), past), past), !wordFollows, rest, demands);
          break;
        }
        case "ahead":
          demand(internState(closureSet(place(node.item, 0), past), past), node.negated, rest, demands);
          break;
        case "behind": {
          const tracker = (pasts[past] as Past).trackers[features.behinds.indexOf(node)] as number;
          if (trackers[tracker]?.found !== node.negated) reach(rest, demands);
          break;
        }
        case "sequence":
          reach(place(node, rest), demands);
          break;
        default:
          node satisfies never;
      }
    }
    const entries = [...found];
    closures.set(key, entries);
    return entries;

    function demand(state: number, negated: boolean, rest: number, demands: number): void {
      if (state === failed || state === satisfied) {
        if ((state === satisfied) !== negated) reach(rest, demands);
        return;
      }
      reach(rest, demandAlso(demands, negated ? -state : state));
    }
  }

  function closureSet(from: number, past: number): ReadonlySet<number> {
    return new Set(closure(from, past));
  }

  function demandAlso(demands: number, more: number): number {
    const list = demandLists[demands] as readonly number[];
    return list.includes(more) ? demands : internDemands([...list, more]);
  }

  function internDemands(list: number[]): number {
    list.sort((a, b) => a - b);
    const key = list.join();
    let number = demandNumbers.get(key);
    if (number === undefined) {
      number = demandLists.length;
      demandLists.push(list);
      demandNumbers.set(key, number);
    }
    return number;
  }

  /** Demands after one more character; undefined where one of them is broken. */
  function stepDemands(demands: number, name: number): number | undefined {
    const list = demandLists[demands] as readonly number[];
    spend(list.length);
    const left = new Set<number>();
    for (const item of list) {
      if (item === atEnd) return undefined;
      const target = follow(Math.abs(item))[name] as number;
      if (target === failed || target === satisfied) {
        if ((target === satisfied) !== item > 0) return undefined;
      } else left.add(item > 0 ? target : -target);
    }
    return left.size === 0 ? 0 : internDemands([...left]);
  }

  function internState(found: ReadonlySet<number>, past: number): number {
    if (found.has(0)) return satisfied;
    if (found.size === 0) return failed;
    // A place without demands makes the same place with demands superfluous.
    const entries: number[] = [];
    for (const entry of found) if (entry < span || !found.has(entry % span)) entries.push(entry);
    if (entries.length > 1) entries.sort((a, b) => a - b);
    const key = `${entries}/${past}`;
    const known = stateNumbers.get(key);
    if (known !== undefined) return known;
    spend(entries.length);
    const number = states.length;
    states.push({ entries, past, accepting: entries.some(acceptsHere), following: undefined });
    stateNumbers.set(key, number);
    return number;
  }

  function acceptsHere(entry: number): boolean {
    if (entry % span !== 0) return false;
    const list = demandLists[Math.floor(entry / span)] as readonly number[];
    return list.every((item) => item === atEnd || (states[Math.abs(item)] as State).accepting === item > 0);
  }

  function follow(number: number): Int32Array {
    const state = states[number] as State;
    if (state.following !== undefined) return state.following;
    const buckets = Array.from({ length: size }, () => new Set<number>());
    const pastsAfter = buckets.map((_, name) => pastAfter(state.past, name));
    for (const entry of state.entries) {
      const at = entry % span;
      const demands = Math.floor(entry / span);
      for (const name of at === 0 ? classesIn(allCodePoints) : awaited(at)) {
        const left = demands === 0 ? 0 : stepDemands(demands, name);
        if (left === undefined) continue;
        const bucket = buckets[name] as Set<number>;
        if (at === 0) {
          bucket.add(left * span);
          continue;
        }
        const reached = closure((places[at] as Place).rest, pastsAfter[name] as number);
        spend(reached.length + 1);
        for (const target of reached) bucket.add(left === 0 ? target : withDemands(target, left));
      }
    }
    state.following = Int32Array.from(buckets, (bucket, name) =>
      internState(bucket, pastsAfter[name] as number),
    );
    return state.following;
  }

  function withDemands(entry: number, demands: number): number {
    const own = Math.floor(entry / span);
    if (own === 0) return demands * span + entry;
    const both = new Set([
      ...(demandLists[own] as readonly number[]),
      ...(demandLists[demands] as readonly number[]),
    ]);
    return internDemands([...both]) * span + (entry % span);
  }

  function awaited(at: number): readonly number[] {
    const { node } = places[at] as Place;
    return node.type === "characters" ? classesIn(node.ranges) : [];
  }

  function classesIn(ranges: Ranges): readonly number[] {
    let list = classLists.get(ranges);
    if (list === undefined) {
      list = classesOf(alphabet, ranges);
      classLists.set(ranges, list);
    }
    return list;
  }

  function firstPast(): number {
    return buildPast({ atStart: features.usesStart, afterWord: false, trackers: [] }, (behind, past) =>
      internTracker(closure(place(anything, place(behind.item, 0)), past)),
    );
  }

  function pastAfter(number: number, name: number): number {
    const key = number * size + name;
    let after = pastSteps.get(key);
    if (after === undefined) {
      const before = pasts[number] as Past;
      after = buildPast({ atStart: false, afterWord: wordClasses.has(name), trackers: [] }, (_, past, i) =>
        stepTracker(before.trackers[i] as number, name, past),
      );
      pastSteps.set(key, after);
    }
    return after;
  }

  /** Adds one tracker after the other, so that each may ask those before it. */
  function buildPast(
    start: Past,
    track: (behind: Extract<Pattern, { type: "behind" }>, past: number, index: number) => number,
  ): number {
    let past = internPast(start);
    features.behinds.forEach((behind, i) => {
      if (behind.type !== "behind") return;
      const before = pasts[past] as Past;
      past = internPast({ ...before, trackers: [...before.trackers, track(behind, past, i)] });
    });
    return past;
  }

  function internPast(past: Past): number {
    const key = `${past.atStart},${past.afterWord},${past.trackers}`;
    let number = pastNumbers.get(key);
    if (number === undefined) {
      number = pasts.length;
      pasts.push(past);
      pastNumbers.set(key, number);
    }
    return number;
  }

  function stepTracker(number: number, name: number, past: number): number {
    const reached = new Set<number>();
    for (const at of trackers[number]?.entries ?? []) {
      if (!awaited(at).includes(name)) continue;
      for (const target of closure((places[at] as Place).rest, past)) reached.add(target);
    }
    return internTracker(reached);
  }

  function internTracker(reached: Iterable<number>): number {
    const all = [...reached].sort((a, b) => a - b);
    spend(all.length);
    const key = all.join();
    let number = trackerNumbers.get(key);
    if (number === undefined) {
      number = trackers.length;
      trackers.push({ entries: all.filter((entry) => entry !== 0), found: all[0] === 0 });
      trackerNumbers.set(key, number);
    }
    return number;
  }
}
