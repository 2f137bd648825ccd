// Counts a turn's tokens and time out of its models' events. Knows nothing of calls.
import type { ModelEvent } from "../models/model.ts";
import type { RetryRung, TurnEvent, Usage } from "../vocabulary/index.ts";

export class TurnAccount {
  readonly #started = performance.now();
  #template = 0;
  #prefill = 0;
  #reused = 0;
  #loaded = 0;
  #prefilled = 0;
  #forced = 0;
  #drafted = 0;
  #sampled = 0;
  #isFirstPrefill = true;
  #retry: { readonly rung: RetryRung; readonly from: string } | undefined;
  /** Decoding attempts so far. */
  attempts = 1;
  /** Tokens of the reply that were reasoning. */
  reasoningTokens = 0;

  /** Begins one more attempt; its event follows with its cost, once that is known. */
  startRetry(rung: RetryRung, from: string): void {
    this.attempts += 1;
    this.#retry = { rung, from };
  }

  /** Counts one event; gives what the turn's listener should hear of it. */
  count(event: ModelEvent): readonly TurnEvent[] {
    if (event.type === "prefill-progress" || event.type === "notice") return [event];
    if (event.type === "prefill-end") {
      this.#prefill += event.milliseconds;
      // Later spans of one turn find all before them in the sequence; only the first says what an earlier turn left.
      if (this.#isFirstPrefill) this.#reused = event.reused;
      this.#isFirstPrefill = false;
      this.#loaded += event.loaded;
      this.#prefilled += event.ofPrompt;
      const retry = this.#retry;
      this.#retry = undefined;
      return retry ? [{ type: "retry", ...retry, cost: { reevaluated: event.evaluated } }] : [];
    }
    if (event.type === "piece") {
      if (event.source === "forced") this.#forced += event.tokens;
      else if (event.source === "drafted") this.#drafted += event.tokens;
      else this.#sampled += event.tokens;
    }
    return [];
  }

  addTemplateTime(milliseconds: number): void {
    this.#template += milliseconds;
  }

  /** Tokens of the reply so far, whether kept or given up. */
  get replyTokens(): number {
    return this.#forced + this.#drafted + this.#sampled;
  }

  usage(): Usage {
    const total = performance.now() - this.#started;
    return {
      tokens: {
        reused: this.#reused,
        loaded: this.#loaded,
        prefilled: this.#prefilled,
        forced: this.#forced,
        drafted: this.#drafted,
        sampled: this.#sampled,
        reasoning: this.reasoningTokens,
      },
      attempts: this.attempts,
      milliseconds: {
        template: this.#template,
        prefill: this.#prefill,
        decode: Math.max(0, total - this.#template - this.#prefill),
        total,
      },
    };
  }
}
