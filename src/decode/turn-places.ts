// How many turns of one model are decoded at once: as many as it has sequences. A turn asks its model several times, and
// must find its beginning where it left it. Those that wait are served in the order in which they came.
import type { Model } from "../models/model.ts";
import { CallwrightError, throwIfAborted } from "../vocabulary/index.ts";

interface Places {
  free: number;
  readonly waiting: (() => void)[];
}

const placesOf = new WeakMap<Model, Places>();

/** Waits for a place, and gives what frees it. Throws `aborted`, at once. */
export async function takeTurnPlace(model: Model, signal: AbortSignal | undefined): Promise<() => void> {
  throwIfAborted(signal);
  const places = placesOf.get(model) ?? { free: model.info.sequences ?? Infinity, waiting: [] };
  placesOf.set(model, places);
  if (places.free > 0) places.free -= 1;
  else await nextPlace(places, signal);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const next = places.waiting.shift();
    if (next === undefined) places.free += 1;
    else next();
  };
}

function nextPlace({ waiting }: Places, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(new CallwrightError("aborted", "Aborted."));
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    waiting.push(start);
  });
}
