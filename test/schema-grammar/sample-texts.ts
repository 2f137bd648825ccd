// Texts of a grammar by a random walk over what may follow, and the grammar of one expression.
import { createGrammar } from "../../src/gbnf-builder/build.ts";
import type { Expression, Grammar } from "../../src/gbnf-builder/grammar.ts";
import { createMatcher } from "../../src/gbnf-builder/matcher.ts";
import { createRuleCollector, type EmitContext } from "../../src/schema-grammar/languages/emit-context.ts";

/** A grammar whose root is what `emit` makes. */
export function grammarOf(emit: (context: EmitContext) => Expression): Grammar {
  const collector = createRuleCollector();
  const root = emit(collector);
  return createGrammar("root", new Map([...collector.finish(), ["root", root]]));
}

/** Up to `count` texts of at most `length` bytes; `random` gives numbers from 0 up to 1. */
export function sampleTexts(
  grammar: Grammar,
  { count, length, random }: { count: number; length: number; random: () => number },
): string[] {
  const matcher = createMatcher(grammar);
  const texts = new Set<string>();
  for (let round = 0; round < count; round++) {
    const bytes: number[] = [];
    let state = matcher.start;
    while (bytes.length < length) {
      const allowed = [...matcher.nextBytes(state).entries()].filter(([, isNext]) => isNext === 1);
      if (allowed.length === 0 || (matcher.isAccepting(state) && random() < 0.3)) break;
      const byte = allowed[Math.floor(random() * allowed.length)]?.[0] as number;
      bytes.push(byte);
      state = matcher.advanceByte(state, byte);
    }
    if (matcher.isAccepting(state)) texts.add(new TextDecoder().decode(Uint8Array.from(bytes)));
  }
  return [...texts];
}

/** Numbers from 0 up to 1 that are the same in every run (a linear congruence modulo 2^32). */
export function repeatableRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
