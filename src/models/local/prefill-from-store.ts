// Brings a sequence to a prompt whose beginning other requests share: from the beginning's state file, or evaluated once and
// written into one. Knows neither prompts nor models.
import type { ModelEvent } from "../model.ts";
import type { PrefixStore } from "./prefix-store.ts";
import type { PrefillOptions, TokenSequence } from "./token-sequence.ts";

/** What is the matter with a file, or with keeping one, is told as a notice. */
export async function* prefillFromStore(place: {
  readonly sequence: TokenSequence;
  readonly store: PrefixStore;
  /** The beginning's tokens. */
  readonly stable: readonly number[];
  readonly options: PrefillOptions;
}): AsyncGenerator<ModelEvent> {
  const { sequence, store, stable, options } = place;
  const failure = await restorePrefix(store, stable, sequence);
  if (failure === undefined) {
    yield* sequence.prefill({ ...options, loaded: Math.min(stable.length, sequence.length - 1) });
    return;
  }
  if (failure !== "") yield prefixNotice(`could not be used (${failure}) and is made anew`);
  let reason: string | undefined;
  const write = async (): Promise<void> => {
    reason = await store.keep(stable, (path) => sequence.save(path));
  };
  yield* sequence.prefill({ ...options, keep: { length: stable.length, write } });
  if (reason !== undefined) yield prefixNotice(`could not be kept (${reason})`);
}

/** Undefined where the sequence holds the prefix now; else what is wrong with its file, which is empty where there is none. */
async function restorePrefix(
  store: PrefixStore,
  tokens: readonly number[],
  sequence: TokenSequence,
): Promise<string | undefined> {
  const found = await store.find(tokens);
  if (found.type === "missing") return "";
  let reason = found.type === "damaged" ? found.reason : "it holds other tokens";
  if (found.type === "found") {
    try {
      if ((await sequence.restore(found.path)) && sequence.agreed >= tokens.length) return undefined;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  await store.remove(tokens);
  return reason;
}

function prefixNotice(text: string): ModelEvent {
  return { type: "notice", code: "prefix-file", text: `The stored state of the prompt's beginning ${text}.` };
}
