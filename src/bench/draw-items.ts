// Which items of a suite a run asks: some categories, one half, a shard, a stratified sample. The same on every machine.
import { createHash } from "node:crypto";
import { CallwrightError } from "../vocabulary/index.ts";
import type { BenchItem, Suite } from "./bench-item.ts";

export interface Selection {
  /** Names of categories; absent: all. */
  readonly categories?: readonly string[];
  /** `dev` is what settings are fitted on: ids whose SHA-256 ends in an even hexadecimal digit. `test` is the rest. */
  readonly half?: "dev" | "test";
  /** Items of each category, drawn by the seed; absent: all. */
  readonly sample?: number;
  readonly seed: number;
  /** Only the n-th of m equal parts, n from 1. */
  readonly shard?: { readonly part: number; readonly of: number };
}

/** The items in the suite's order. Throws `CallwrightError` (`request-invalid`) for a category that the suite has not. */
export function drawItems(suite: Suite, selection: Selection): readonly BenchItem[] {
  const known = [...new Set(suite.items.map(({ category }) => category))];
  const categories = selection.categories ?? known;
  const unknown = categories.find((category) => !known.includes(category));
  if (unknown !== undefined) {
    throw new CallwrightError(
      "request-invalid",
      `The suite ${suite.name} has no category "${unknown}"; it has ${known.join(", ")}.`,
    );
  }
  const drawn = new Set(
    categories.flatMap((category) => {
      const items = suite.items.filter(
        (item) =>
          item.category === category && (selection.half === undefined || halfOf(item) === selection.half),
      );
      return drawBySeed(items, selection);
    }),
  );
  const { shard } = selection;
  return suite.items
    .filter((item) => drawn.has(item))
    .filter((_, index) => shard === undefined || index % shard.of === shard.part - 1);
}

/** Variants of one question are of the same half. */
export function halfOf({ id, family = id }: Pick<BenchItem, "id" | "family">): "dev" | "test" {
  const last = createHash("sha256").update(family).digest("hex").slice(-1);
  return Number.parseInt(last, 16) % 2 === 0 ? "dev" : "test";
}

/**
 * The items whose hash with the seed is smallest: a larger sample holds every smaller one, and categories that ask the same
 * questions are drawn the same ones.
 */
function drawBySeed(items: readonly BenchItem[], { sample, seed }: Selection): readonly BenchItem[] {
  if (sample === undefined || sample >= items.length) return items;
  const rank = ({ id, family = id }: BenchItem) =>
    createHash("sha256").update(`${seed}\0${family}`).digest("hex");
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
    .slice(0, sample)
    .map(({ item }) => item);
}
