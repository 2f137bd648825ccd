// How likely several token sequences are after the same place. They are walked as a tree, so that what they share is
// evaluated once, and a branch that has become improbable is not followed any further.
import type { Candidate } from "./sample-token.ts";

/** Where the walk may ask the runtime; `depth` tokens of the path stand behind the common place already. */
export interface ScoreSource {
  /** Appends tokens after the first `depth` tokens of the path and gives the candidates after each of them. */
  extend(depth: number, tokens: readonly number[]): Promise<readonly (readonly Candidate[])[]>;
}

/** A token that is not among the candidates counts as this likely. */
const unlikely = 1e-9;
/** A path is given up where it is less likely than this: its score so far is an upper bound of the rest. */
const prunedBelow = Math.log(1e-3);

/** Natural logarithms of the sequences' probabilities. An empty sequence is certain. */
export async function scoreTexts(
  sequences: readonly (readonly number[])[],
  first: readonly Candidate[],
  source: ScoreSource,
): Promise<readonly number[]> {
  const scores = sequences.map(() => 0);
  await walk({ depth: 0, score: 0, candidates: first, members: sequences.map((_, index) => index) });
  return scores;

  async function walk(node: {
    readonly depth: number;
    readonly score: number;
    readonly candidates: readonly Candidate[];
    readonly members: readonly number[];
  }): Promise<void> {
    const { depth, candidates } = node;
    for (const [token, members] of groupByToken(node.members, depth)) {
      const score = node.score + Math.log(probabilityOf(candidates, token));
      for (const index of members) scores[index] = score;
      const longer = members.filter((index) => (sequences[index]?.length ?? 0) > depth + 1);
      if (longer.length === 0 || score < prunedBelow) continue;
      await follow(depth, score, longer);
    }
  }

  /** Evaluates the run of tokens that all these sequences share from `depth` on, then branches. */
  async function follow(depth: number, startScore: number, members: readonly number[]): Promise<void> {
    const run = sharedRun(members, depth);
    const after = await source.extend(depth, run);
    let score = startScore;
    for (const [step, candidates] of after.entries()) {
      const at = depth + step + 1;
      const next = run[step + 1];
      if (next === undefined) {
        await walk({ depth: at, score, candidates, members });
        return;
      }
      score += Math.log(probabilityOf(candidates, next));
      for (const index of members) scores[index] = score;
    }
  }

  function groupByToken(members: readonly number[], depth: number): Map<number, number[]> {
    const groups = new Map<number, number[]>();
    for (const index of members) {
      const token = sequences[index]?.[depth];
      if (token === undefined) continue;
      const group = groups.get(token) ?? [];
      group.push(index);
      groups.set(token, group);
    }
    return groups;
  }

  /** The tokens from `depth` on that all members have, each of them having at least one more behind the run. */
  function sharedRun(members: readonly number[], depth: number): readonly number[] {
    const [head = [], ...others] = members.map((index) => sequences[index] ?? []);
    const run: number[] = [];
    for (let at = depth; at < head.length - 1; at++) {
      const token = head[at];
      if (token === undefined || others.some((other) => other[at] !== token || other.length <= at + 1)) break;
      run.push(token);
    }
    return run;
  }
}

function probabilityOf(candidates: readonly Candidate[], token: number): number {
  return candidates.find((candidate) => candidate.token === token)?.probability ?? unlikely;
}
