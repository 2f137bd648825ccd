// Drafts of the next tokens for one span, as long as they are accepted often enough to pay. Evaluates nothing itself.
import { lookUp } from "./prompt-lookup.ts";

/** Tokens verified at a time. */
const mostTokens = 8;
/** A drafted token costs about a fifth of a step on a CPU, so somewhat more than that have to be right. */
const leastAccepted = 0.3;
/** How many drafted tokens a judgement needs. */
const trial = 32;
/** So many steps after drafting was given up it is tried again. */
const pause = 200;

/** The acceptance of a model's drafts, over all its requests. */
export class DraftRecord {
  #proposed = 0;
  #accepted = 0;
  #steps = 0;

  /** Whether another draft is worth its cost. */
  get pays(): boolean {
    if (this.#proposed < trial || this.#accepted / this.#proposed >= leastAccepted) return true;
    this.#steps += 1;
    if (this.#steps < pause) return false;
    this.#proposed = 0;
    this.#accepted = 0;
    this.#steps = 0;
    return true;
  }

  add(proposed: number, accepted: number): void {
    this.#proposed += proposed;
    this.#accepted += accepted;
    // The newest drafts count most.
    if (this.#proposed > 4 * trial) {
      this.#proposed /= 2;
      this.#accepted /= 2;
    }
  }
}

export interface DraftSource {
  readonly conversation: string;
  readonly inValue: boolean;
  tokenize(text: string): readonly number[];
}

/** Tokens that may follow what is written; none where nothing is proposed. */
export function draftTokens(source: DraftSource, written: string): readonly number[] {
  const proposal = lookUp({ ...source, written });
  if (proposal === undefined) return [];
  // The whole is split as the tokenizer would; where it splits the known part otherwise, the rest stands for itself.
  const known = source.tokenize(proposal.known);
  const whole = source.tokenize(proposal.known + proposal.text);
  const continues = known.every((token, index) => token === whole[index]);
  const tokens = continues ? whole.slice(known.length) : source.tokenize(proposal.text);
  return tokens.slice(0, mostTokens);
}
