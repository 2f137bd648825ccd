// The states of a pattern's automaton, made when they are first reached. A state is a set of places in the pattern, each
// with what look-aheads still demand of the rest (after Antimirov's partial derivatives, 1996). Over 300 lines, since all of
// it works on the tables of one machine.
import { type Alphabet, allCodePoints, classesOf, type Ranges } from "./code-points.ts";
import { isNullable, type Pattern, startsAtStart } from "./pattern.ts";
import { type PatternFeatures, wordCharacters } from "./pattern-features.ts";
import { BeyondLimits, type PatternLimits } from "./pattern-limits.ts";
import { createPasts } from "./pattern-past.ts";
import { createPlaces } from "./pattern-places.ts";

export interface PatternMachine {
  /** The state before any text. */
  start(pattern: Pattern): number;
  /** Whether the text may end here. */
  accepts(state: number): boolean;
  /** The states after one more character, by its class; `failed` where none can accept. */
  follow(state: number): Int32Array;
}

/** The state from which no text is accepted. */
export const failed = 0;
/** The state from which every text is. */
const satisfied = 1;

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

const anything: Pattern = {
  type: "repeat",
  item: { type: "characters", ranges: allCodePoints },
  min: 0,
  max: Infinity,
};
const word: Pattern = { type: "characters", ranges: wordCharacters };

/** Throws `BeyondLimits` when it has worked too long. */
export function createPatternMachine(
  alphabet: Alphabet,
  features: PatternFeatures,
  limits: PatternLimits,
): PatternMachine {
  const { size } = alphabet;
  let work = 0;

  const { place, repeat, at: placeAt } = createPlaces(anything, span);
  const classLists = new Map<Ranges, readonly number[]>();
  const demandLists: (readonly number[])[] = [[]];
  const demandNumbers = new Map<string, number>([["", 0]]);
  const closures = new Map<number, readonly number[]>();
  const states: State[] = [
    { entries: [], past: 0, accepting: false, following: new Int32Array(size).fill(failed) },
    { entries: [0], past: 0, accepting: true, following: new Int32Array(size).fill(satisfied) },
  ];
  const stateNumbers = new Map<string, number>();
  // Whether all that is asked about the text before is whether there is any.
  const isPastUniform = !features.usesWord && features.behinds.length === 0;
  const wordClasses = new Set(features.usesWord ? classesOf(alphabet, wordCharacters) : []);
  // Look-aheads inside look-behinds are left out when the pattern is read, so these closures demand nothing.
  const pasts = createPasts(features, (name) => wordClasses.has(name), {
    begin: (behind, past) => closure(place(anything, place(behind.item, 0)), past),
    step: (at, name, past) => (awaited(at).includes(name) ? closure(placeAt(at).rest, past) : undefined),
    spend,
  });

  return {
    start(pattern) {
      const past = pasts.first;
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
      const { node, rest } = placeAt(number);
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
          if (pasts.at(past).atStart) reach(rest, demands);
          break;
        case "end":
          reach(rest, demandAlso(demands, atEnd));
          break;
        case "word-boundary": {
          const wordFollows = pasts.at(past).afterWord === node.negated;
          demand(internState(closureSet(place(word, 0), past), past), !wordFollows, rest, demands);
          break;
        }
        case "ahead":
          demand(internState(closureSet(place(node.item, 0), past), past), node.negated, rest, demands);
          break;
        case "behind":
          if (pasts.matches(past, node) !== node.negated) reach(rest, demands);
          break;
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
    state.following ??=
      isPastUniform && state.entries.every(isPlainEntry) ? followPlain(state) : followAny(state);
    return state.following;
  }

  /** A place that demands nothing of the rest, or the end of the pattern where the text must end, too. */
  function isPlainEntry(entry: number): boolean {
    if (entry < span) return true;
    const list = demandLists[Math.floor(entry / span)] as readonly number[];
    return entry % span === 0 && list.length === 1 && list[0] === atEnd;
  }

  /** Where only the character matters, classes that the same places await lead to the same state. */
  function followPlain(state: State): Int32Array {
    const past = pasts.after(state.past, 0);
    // Group 0 is awaited by no place, any other by those of the group that it came from and by its own.
    const groups = new Int32Array(size);
    const origins: { readonly from: number; readonly rest: readonly number[] }[] = [{ from: 0, rest: [] }];
    for (const entry of state.entries) {
      if (entry >= span) {
        spend(size);
        continue;
      }
      const rest = closure(placeAt(entry).rest, past);
      const names = awaited(entry);
      spend(names.length * (rest.length + 1));
      const moved = new Map<number, number>();
      for (const name of names) {
        const from = groups[name] as number;
        let group = moved.get(from);
        if (group === undefined) {
          group = origins.length;
          origins.push({ from, rest });
          moved.set(from, group);
        }
        groups[name] = group;
      }
    }
    const targets = new Int32Array(origins.length).fill(-1);
    return groups.map((group) => {
      if (targets[group] === -1) {
        const found = new Set<number>();
        for (let at = group; at !== 0; ) {
          const { from, rest } = origins[at] as (typeof origins)[number];
          for (const target of rest) found.add(target);
          at = from;
        }
        targets[group] = internState(found, past);
      }
      return targets[group] as number;
    });
  }

  function followAny(state: State): Int32Array {
    const buckets = Array.from({ length: size }, () => new Set<number>());
    const pastsAfter = buckets.map((_, name) => pasts.after(state.past, name));
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
        const reached = closure(placeAt(at).rest, pastsAfter[name] as number);
        spend(reached.length + 1);
        for (const target of reached) bucket.add(left === 0 ? target : withDemands(target, left));
      }
    }
    return Int32Array.from(buckets, (bucket, name) => internState(bucket, pastsAfter[name] as number));
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
    const { node } = placeAt(at);
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
}
