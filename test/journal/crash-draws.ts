// What the crash matrix's runs do, drawn from a seed: shared by the child that does it and by whoever judges it.
import type { JsonObject } from "../../src/vocabulary/index.ts";

export interface ScriptedTurn {
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

/** Numbers below 1, always the same for a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Two to five turns of one to three calls: with effects asked for or not, side by side, with long outputs. */
export function drawScript(seed: number): readonly ScriptedTurn[] {
  const random = createRandom(seed);
  const names = ["write", "look", "mark", "dump"];
  let number = 0;
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => ({
    calls: Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      number += 1;
      return { name: names[Math.floor(random() * names.length)] ?? "look", arguments: { number } };
    }),
  }));
}

/** A result too long for the scripted model's window. */
export const longOutput = `${"a line of a long output\n".repeat(2_000)}the end`;
