// Random grammars and texts, judged by our matcher and by llama.cpp's grammar engine on the printed GBNF.
import fc from "fast-check";
import type { Referee } from "../../bench/gbnf-referee.ts";
import { createMatcher, DEAD, type Grammar, parseGbnf, printGbnf } from "../../src/gbnf-builder/index.ts";
import { arbitraryGrammar, decisionsFrom, mutateText, sampleText } from "./arbitrary-grammar.ts";

export interface Comparison {
  readonly grammars: number;
  readonly accepted: number;
  readonly refused: number;
  /** Grammars that llama.cpp loaded but was too slow on: very ambiguous ones, whose stacks multiply there. */
  readonly lost: number;
  readonly differences: readonly Difference[];
}

export interface Difference {
  readonly gbnf: string;
  readonly text?: string;
  readonly what: string;
}

/** Compares until `pairs` verdicts were given by both. The seed decides everything. */
export async function compareWithLlama(referee: Referee, seed: number, pairs: number): Promise<Comparison> {
  const counts = { grammars: 0, accepted: 0, refused: 0, lost: 0 };
  const differences: Difference[] = [];
  for (let round = 0; counts.accepted + counts.refused < pairs; round++) {
    const kinds = [true, false].map((isRecursive) => arbitraryGrammar({ isRecursive }));
    for (const grammar of fc.sample(fc.oneof(...kinds), { numRuns: 50, seed: seed + round })) {
      const matcher = createMatcher(grammar);
      if (matcher.start === DEAD) continue;
      const gbnf = printGbnf(grammar);
      const texts = drawTexts(grammar, seed + counts.grammars);
      const answer = await referee.judge(gbnf, texts);
      counts.grammars++;
      if (answer.type === "lost") {
        counts.lost++;
        if (!answer.isLoaded) differences.push({ gbnf, what: `hung at load: ${answer.message}` });
      }
      if (answer.type === "refused") differences.push({ gbnf, what: `not loaded: ${answer.message}` });
      if (answer.type !== "verdicts") continue;
      const again = createMatcher(parseGbnf(gbnf));
      for (const [i, text] of texts.entries()) {
        const ours = matcher.accepts(text);
        ours ? counts.accepted++ : counts.refused++;
        if (ours !== answer.verdicts[i])
          differences.push({ gbnf, text, what: `ours ${ours}, llama.cpp ${!ours}` });
        if (ours !== again.accepts(text))
          differences.push({ gbnf, text, what: `ours ${ours}, read back ${!ours}` });
      }
    }
  }
  return { ...counts, differences };
}

function drawTexts(grammar: Grammar, seed: number): string[] {
  const decide = decisionsFrom(seed);
  const texts = new Set([""]);
  for (let i = 0; i < 6; i++) {
    const text = sampleText(grammar, decide) ?? "ab";
    texts.add(text);
    texts.add(mutateText(text, decide));
  }
  return [...texts].filter((text) => text.length <= 20 && !text.includes("\0"));
}
