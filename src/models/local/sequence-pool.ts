// Who may use which of a model's sequences: one holder each, in the order of asking, and for each the sequence where the
// least has to be evaluated and the least is lost. Knows no texts, and nothing of how sequences are evaluated.
import { CallwrightError, throwIfAborted } from "../../vocabulary/index.ts";
import type { SequenceRuntime } from "./token-sequence.ts";
import { TokenSequence } from "./token-sequence.ts";
import type { KnownTurn } from "./turn-prefix.ts";

export interface Slot {
  readonly sequence: TokenSequence;
  /** The prompt of the last request here and the tokens of its turn, evaluated or not. */
  known: KnownTurn;
}

export interface SlotRequest {
  /** The prompt's tokens. */
  readonly tokens: readonly number[];
  /** How many of them can be had without evaluating: from a file. Asked only where it may matter. */
  readonly stored: () => number;
  readonly signal?: AbortSignal | undefined;
}

export interface HeldSlot {
  readonly slot: Slot;
  release(): void;
}

/** Losing a token that is held counts as much as evaluating this many: only some conversations are ever gone on with. */
const lossOfToken = 0.25;
/** A slot that costs less than this many evaluated tokens is good enough. */
const cheapEnough = 64;

interface Waiting {
  readonly request: SlotRequest;
  readonly start: (held: HeldSlot) => void;
}

export class SequencePool {
  /** Free slots, the one that was used longest ago first. */
  readonly #free: Slot[];
  readonly #waiting: Waiting[] = [];
  readonly #size: number;
  #whenAllFree: (() => void) | undefined;
  #isClosed = false;

  constructor(runtimes: readonly SequenceRuntime[]) {
    this.#free = runtimes.map((runtime) => ({
      sequence: new TokenSequence(runtime),
      known: { prompt: [], turn: [] },
    }));
    this.#size = runtimes.length;
  }

  /** Whether somebody else is at work or waits. */
  get isShared(): boolean {
    return this.#size - this.#free.length > 1;
  }

  /** Waits for a slot. Throws `aborted`, at once, and `request-invalid` after `close`. */
  async acquire(request: SlotRequest): Promise<HeldSlot> {
    const { signal } = request;
    throwIfAborted(signal);
    if (this.#isClosed) throw new CallwrightError("request-invalid", "The model is closed.");
    if (this.#free.length > 0) return this.#hold(request);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        start: (held) => {
          signal?.removeEventListener("abort", giveUp);
          resolve(held);
        },
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new CallwrightError("aborted", "Aborted."));
        this.#tellIfAllFree();
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Refuses whoever asks from now on; resolves when the last holder has let go. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const allFree = new Promise<void>((resolve) => {
      this.#whenAllFree = resolve;
    });
    this.#tellIfAllFree();
    await allFree;
  }

  #hold(request: SlotRequest): HeldSlot {
    const slot = cheapest(this.#free, request);
    this.#free.splice(this.#free.indexOf(slot), 1);
    let isHeld = true;
    return {
      slot,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#free.push(slot);
        const next = this.#waiting.shift();
        if (next !== undefined) next.start(this.#hold(next.request));
        this.#tellIfAllFree();
      },
    };
  }

  #tellIfAllFree(): void {
    if (this.#free.length === this.#size && this.#waiting.length === 0) this.#whenAllFree?.();
  }
}

/** Of equal ones the one that was used longest ago. There is one at least. */
function cheapest(slots: readonly Slot[], request: SlotRequest): Slot {
  const { tokens } = request;
  const places = slots.map(({ sequence }) => sequence.compare(tokens));
  const costs = (stored: number) =>
    places.map(
      ({ common, held }) => tokens.length - Math.max(common, stored) + lossOfToken * (held - common),
    );
  const evaluating = costs(0);
  const least = Math.min(...evaluating) < cheapEnough ? evaluating : costs(request.stored());
  return slots[least.indexOf(Math.min(...least))] as Slot;
}
