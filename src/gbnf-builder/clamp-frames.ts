// States that cannot be told apart within a few bytes: counts that are far from their ends are cut to a limit, and frames
// below a depth are replaced by markers. Each byte read lowers a count by at most one, so a count above the number of
// bytes to come is as good as any greater one.
import { acceptMarker, type Machine, markerCount, markerReturn } from "./machine.ts";

/** Marker of the first real frame; those of the others follow. Acceptance keeps its own. */
export const firstDetachedMarker = acceptMarker + 1;

/** A state cut off from its stack, and the real frames its markers stand for. */
export interface DetachedState {
  readonly state: number;
  readonly frames: readonly number[];
  /** Whether counts were cut, so that longer texts may be judged wrongly. */
  readonly isCut: boolean;
}

/** The same state with all counts on its stack cut to `limit`. */
export function createClamp(machine: Machine, limit: number): (state: number) => number {
  const clamped = new Map<number, number>();
  const known = new Map<number, number>();

  function clampFrame(frame: number): number {
    const open = [frame];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const data = machine.frame(top);
      const missing = parentsOf(data).filter((parent) => !clamped.has(parent));
      if (clamped.has(top) || missing.length === 0) {
        if (!clamped.has(top)) clamped.set(top, rebuilt(top, data));
        open.pop();
      } else open.push(...missing);
    }
    return clamped.get(frame)!;
  }

  function rebuilt(frame: number, data: Int32Array): number {
    const isSame =
      data[1]! <= limit &&
      data[2]! <= limit &&
      parentsOf(data).every((parent) => clamped.get(parent) === parent);
    if (isSame) return frame;
    const copy = cutCounts(data, limit);
    for (let i = 3; i < data.length; i += 2) if (data[i]! > 0) copy[i + 1] = clamped.get(data[i + 1]!)!;
    return machine.internFrame(copy);
  }

  return (state) => {
    const before = known.get(state);
    if (before !== undefined) return before;
    const items = machine.items(state);
    const copy: number[] = [];
    let isSame = true;
    for (let i = 1; i < items.length; i += 2) {
      const frame = clampFrame(items[i + 1]!);
      isSame &&= frame === items[i + 1];
      copy.push(items[i]!, frame);
    }
    const found = isSame ? state : machine.internState(copy);
    known.set(state, found);
    return found;
  };
}

/** Replaces the frames `depth` levels down by markers; undefined when there are too many of them. */
export function detach(
  machine: Machine,
  state: number,
  depth: number,
  limit: number,
): DetachedState | undefined {
  const frames: number[] = [];
  const replaced = new Map<string, number>();
  let isCut = false;

  function replace(frame: number, level: number): number {
    const key = `${frame},${level}`;
    const known = replaced.get(key);
    if (known !== undefined) return known;
    const data = machine.frame(frame);
    isCut ||= data[1]! > limit || data[2]! > limit;
    const copy = cutCounts(data, limit);
    if (level === 1) copy.splice(3, copy.length, markerReturn(firstDetachedMarker + markerOf(frame)), 0);
    else
      for (let i = 3; i < data.length; i += 2)
        if (data[i]! > 0) copy[i + 1] = replace(data[i + 1]!, level - 1);
    const made = machine.internFrame(copy);
    replaced.set(key, made);
    return made;
  }

  function markerOf(frame: number): number {
    const known = frames.indexOf(frame);
    return known >= 0 ? known : frames.push(frame) - 1;
  }

  const items = machine.items(state);
  const copy: number[] = [];
  for (let i = 1; i < items.length; i += 2) {
    copy.push(items[i]!, replace(items[i + 1]!, depth));
    if (frames.length > markerCount - firstDetachedMarker) return undefined;
  }
  return { state: machine.internState(copy), frames, isCut };
}

function parentsOf(data: Int32Array): number[] {
  const parents: number[] = [];
  for (let i = 3; i < data.length; i += 2) if (data[i]! > 0) parents.push(data[i + 1]!);
  return parents;
}

function cutCounts(data: Int32Array, limit: number): number[] {
  const copy = Array.from(data);
  copy[1] = Math.min(copy[1]!, limit);
  copy[2] = Math.min(copy[2]!, limit);
  return copy;
}
