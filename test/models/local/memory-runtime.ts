// A runtime in memory, without weights: what may follow depends on all tokens before it and on nothing else.
import { readFile, writeFile } from "node:fs/promises";
import type { SequenceRuntime } from "../../../src/models/local/token-sequence.ts";

export interface MemoryRuntime extends SequenceRuntime {
  /** Tokens evaluated so far. */
  readonly evaluated: number;
  /** How often the tokens were copied. */
  readonly copies: number;
  /** Makes the next evaluation fail half-way. */
  failNext(): void;
}

/** Ten of fifty tokens, in an order and with probabilities that a hash of the tokens decides. */
export function candidatesAfter(tokens: readonly number[], count: number) {
  let hash = 17;
  for (const token of tokens) hash = (hash * 31 + token + 1) % 1_000_003;
  return Array.from({ length: Math.min(10, count) }, (_, index) => ({
    token: (hash + index) % 50,
    probability: 0.5 ** (index + 1),
  }));
}

/** `checkpoint`: the tail can only be taken back to a multiple of so many tokens; absent: to anywhere. */
export function createMemoryRuntime(
  options: { readonly contextSize?: number; readonly checkpoint?: number } = {},
): MemoryRuntime {
  const { contextSize = 4096, checkpoint = 1 } = options;
  const held: number[] = [];
  let evaluated = 0;
  let copies = 0;
  let fails = false;
  const evaluate = (tokens: readonly number[]): void => {
    const done = fails ? tokens.slice(0, Math.floor(tokens.length / 2)) : tokens;
    held.push(...done);
    evaluated += done.length;
    if (!fails) return;
    fails = false;
    throw new Error("The evaluation failed.");
  };
  return {
    contextSize,
    mayGrow: false,
    endTokens: new Set([49]),
    get tokens() {
      copies += 1;
      return [...held];
    },
    get length() {
      return held.length;
    },
    get evaluated() {
      return evaluated;
    },
    get copies() {
      return copies;
    },
    failNext: () => {
      fails = true;
    },
    truncate: async (length) => {
      if (length < held.length) held.length = length - (length % checkpoint);
    },
    save: async (path) => writeFile(path, JSON.stringify(held)),
    load: async (path) => {
      held.length = 0;
      held.push(...(JSON.parse(await readFile(path, "utf8")) as number[]));
    },
    append: async (tokens) => evaluate(tokens),
    appendAndLook: async (tokens, { positions, filter: filters, candidates }) => {
      const before = [...held];
      evaluate(tokens);
      return positions.map((position, index) => {
        const filter = Array.isArray(filters) ? filters[index] : filters;
        const all = candidatesAfter([...before, ...tokens.slice(0, position + 1)], 10);
        const ids = new Set(filter?.ids ?? []);
        const mayEnd = filter?.mayEnd ?? true;
        const isAllowed = (token: number) => {
          if (token === 49) return mayEnd;
          return filter?.side === "allowed" ? ids.has(token) : !ids.has(token);
        };
        return all.filter(({ token }) => isAllowed(token)).slice(0, candidates);
      });
    },
  };
}
