// What a pattern may ask about the text before a place: is it the start, was that a word character, does a look-behind
// match up to here. A look-behind is an automaton of its own, found anywhere before, that runs alongside.
import type { LookBehind, PatternFeatures } from "./pattern-features.ts";

export interface Past {
  readonly atStart: boolean;
  readonly afterWord: boolean;
  /** By look-behind: the state of its automaton. */
  readonly trackers: readonly number[];
}

/** What the places of the pattern do, as far as look-behinds need it. */
export interface PlaceSteps {
  /** Places reached where a look-behind begins anywhere; 0 is its end. */
  begin(behind: LookBehind, past: number): readonly number[];
  /** Places reached from a place by a character of a class, undefined where it awaits another. */
  step(place: number, name: number, past: number): readonly number[] | undefined;
  spend(steps: number): void;
}

export interface PastTable {
  readonly first: number;
  at(number: number): Past;
  /** The past after one more character, by its class. */
  after(number: number, name: number): number;
  /** Whether a look-behind matches here. */
  matches(number: number, behind: LookBehind): boolean;
}

// More classes than an alphabet can have.
const classSpan = 2 ** 21;

/** `isWord` tells by its class what a word character is. */
export function createPasts(
  features: PatternFeatures,
  isWord: (name: number) => boolean,
  steps: PlaceSteps,
): PastTable {
  const pasts: Past[] = [];
  const numbers = new Map<string, number>();
  const following = new Map<number, number>();
  const trackers: { readonly places: readonly number[]; readonly matches: boolean }[] = [];
  const trackerNumbers = new Map<string, number>();

  let first: number | undefined;
  const table: PastTable = {
    get first() {
      first ??= build({ atStart: features.usesStart, afterWord: false, trackers: [] }, (behind, past) =>
        internTracker(steps.begin(behind, past)),
      );
      return first;
    },
    at: (number) => pasts[number] as Past,
    after,
    matches(number, behind) {
      const tracker = table.at(number).trackers[features.behinds.indexOf(behind)] as number;
      return trackers[tracker]?.matches === true;
    },
  };
  return table;

  function after(number: number, name: number): number {
    const key = number * classSpan + name;
    let next = following.get(key);
    if (next === undefined) {
      const before = table.at(number);
      const start = { atStart: false, afterWord: features.usesWord && isWord(name), trackers: [] };
      next = build(start, (_, past, i) => stepTracker(before.trackers[i] as number, name, past));
      following.set(key, next);
    }
    return next;
  }

  /** Adds one tracker after the other, so that each may ask those before it. */
  function build(start: Past, track: (behind: LookBehind, past: number, index: number) => number): number {
    let past = intern(start);
    features.behinds.forEach((behind, i) => {
      const tracker = track(behind, past, i);
      past = intern({ ...start, trackers: [...table.at(past).trackers, tracker] });
    });
    return past;
  }

  function intern(past: Past): number {
    const key = `${past.atStart},${past.afterWord},${past.trackers}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = pasts.length;
      pasts.push(past);
      numbers.set(key, number);
    }
    return number;
  }

  function stepTracker(number: number, name: number, past: number): number {
    const reached = new Set<number>();
    for (const place of trackers[number]?.places ?? []) {
      for (const target of steps.step(place, name, past) ?? []) reached.add(target);
    }
    return internTracker([...reached]);
  }

  function internTracker(reached: readonly number[]): number {
    const all = [...reached].sort((a, b) => a - b);
    steps.spend(all.length);
    const key = all.join();
    let number = trackerNumbers.get(key);
    if (number === undefined) {
      number = trackers.length;
      trackers.push({ places: all.filter((place) => place !== 0), matches: all[0] === 0 });
      trackerNumbers.set(key, number);
    }
    return number;
  }
}
