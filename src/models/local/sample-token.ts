// Chooses one token out of the likeliest candidates: temperature, top-k, top-p, min-p, and a seeded draw.
// The draw depends on seed and position only, so a run is repeatable whatever was reused or forced before it.
import type { Sampling } from "../profile.ts";

/** Candidates come sorted, the likeliest first. */
export interface Candidate {
  readonly token: number;
  readonly probability: number;
}

/** How many candidates a sampling needs from the runtime: one and its rivals if greedy, else top-k or 128. */
export function candidatesWanted(sampling: Sampling): number {
  if (sampling.temperature <= 0) return 16;
  return sampling.topK > 0 ? Math.max(16, sampling.topK) : 128;
}

/** The chosen candidate; undefined where there is none. */
export function sampleToken(
  candidates: readonly Candidate[],
  sampling: Sampling,
  draw: { readonly seed: number; readonly position: number },
): Candidate | undefined {
  const first = candidates[0];
  if (first === undefined || sampling.temperature <= 0) return first;
  const kept = shortlist(candidates, sampling);
  // Probabilities may underflow to 0 behind a very sure first candidate: weigh relative to it, in logarithms.
  const weights = kept.map(
    (candidate) => (candidate.probability / first.probability) ** (1 / sampling.temperature),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let rest = uniform(draw.seed, draw.position) * total;
  for (const [index, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return kept[index];
  }
  return first;
}

function shortlist(candidates: readonly Candidate[], sampling: Sampling): readonly Candidate[] {
  let kept = sampling.topK > 0 ? candidates.slice(0, sampling.topK) : candidates;
  if (sampling.topP < 1) {
    let mass = 0;
    const end = kept.findIndex((candidate) => {
      mass += candidate.probability;
      return mass >= sampling.topP;
    });
    if (end >= 0) kept = kept.slice(0, end + 1);
  }
  const least = (kept[0]?.probability ?? 0) * sampling.minP;
  return sampling.minP > 0 ? kept.filter((candidate) => candidate.probability >= least) : kept;
}

/** A number in [0, 1) that depends on both arguments in every bit (a 32-bit finaliser, run twice). */
export function uniform(seed: number, position: number): number {
  return mix(mix(seed >>> 0) ^ Math.imul(position + 1, 0x9e3779b1)) / 2 ** 32;
}

function mix(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
