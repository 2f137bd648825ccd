import { describe, expect, it } from "vitest";
import { createFreeCores } from "../../../src/models/local/free-cores.ts";

/** Feeds samples of one second each: busy milliseconds of all cores, and of this process, in that second. */
function freeCores(most: number, seconds: readonly (readonly [busy: number, own: number])[]): number[] {
  let at = 0;
  let busy = 0;
  let own = 0;
  let next = 0;
  const free = createFreeCores(most, () => {
    const sample = { at, busy, own };
    const step = seconds[next++] ?? [0, 0];
    at += 1000;
    busy += step[0];
    own += step[1];
    return sample;
  });
  return seconds.map(() => free());
}

describe("createFreeCores", () => {
  it("takes all cores on an idle machine, however busy this process is", () => {
    expect(
      freeCores(2, [
        [1900, 1880],
        [2000, 2000],
      ]),
    ).toEqual([2, 2]);
  });

  it("leaves a core to each busy neighbour, and takes it back", () => {
    expect(
      freeCores(4, [
        [2000, 1000],
        [4000, 1000],
        [1000, 1000],
      ]),
    ).toEqual([3, 1, 4]);
  });

  it("never goes below one", () => {
    expect(freeCores(2, [[6000, 100]])).toEqual([1]);
  });
});
