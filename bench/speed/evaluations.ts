// Counts what llama.cpp itself is asked to do and how long it takes, by standing around the sequences' evaluations.
import { RuntimeSequence } from "../../src/models/local/runtime-sequence.ts";

export interface Evaluation {
  readonly tokens: number;
  readonly milliseconds: number;
}

const seen: Evaluation[] = [];

/** From now on every evaluation of this process is noted. */
export function watchEvaluations(): void {
  const { append, appendAndLook } = RuntimeSequence.prototype;
  RuntimeSequence.prototype.append = async function (tokens) {
    const started = performance.now();
    await append.call(this, tokens);
    seen.push({ tokens: tokens.length, milliseconds: performance.now() - started });
  };
  RuntimeSequence.prototype.appendAndLook = async function (tokens, look) {
    const started = performance.now();
    const candidates = await appendAndLook.call(this, tokens, look);
    seen.push({ tokens: tokens.length, milliseconds: performance.now() - started });
    return candidates;
  };
}

/** Those since the last time. */
export function takeEvaluations(): readonly Evaluation[] {
  return seen.splice(0);
}
