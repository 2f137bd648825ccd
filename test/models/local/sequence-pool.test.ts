import { describe, expect, it } from "vitest";
import { SequencePool } from "../../../src/models/local/sequence-pool.ts";
import { createMemoryRuntime } from "./memory-runtime.ts";

/** Long enough for everything that is not waiting. */
const settle = () => new Promise(setImmediate);
const count = (length: number, from = 0) => Array.from({ length }, (_, index) => (from + index) % 48);
const wants = (tokens: readonly number[], signal?: AbortSignal) => ({ tokens, stored: () => 0, signal });

/** Asks, and notes when it holds. */
function ask(pool: SequencePool, name: string, holders: string[], signal?: AbortSignal) {
  return pool.acquire(wants([1], signal)).then((held) => {
    holders.push(name);
    return held;
  });
}

async function holdTokens(pool: SequencePool, tokens: readonly number[]) {
  const { slot, release } = await pool.acquire(wants(tokens));
  slot.sequence.want(tokens);
  await slot.sequence.look({ candidates: 1 });
  release();
  return slot;
}

describe("a pool of one sequence", () => {
  it("has one holder at a time, in the order of asking", async () => {
    const pool = new SequencePool([createMemoryRuntime()]);
    const holders: string[] = [];
    const asked = ["a", "b", "c"].map((name) => ask(pool, name, holders));
    for (const [index, asking] of asked.entries()) {
      const { release } = await asking;
      await settle();
      expect(holders).toHaveLength(index + 1);
      release();
    }
    expect(holders).toEqual(["a", "b", "c"]);
  });

  it("lets go at once of whoever is aborted while waiting, and keeps the next one waiting", async () => {
    const pool = new SequencePool([createMemoryRuntime()]);
    const holders: string[] = [];
    const controller = new AbortController();
    const { release } = await ask(pool, "a", holders);
    const aborted = ask(pool, "b", holders, controller.signal);
    const next = ask(pool, "c", holders);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    await settle();
    expect(holders).toEqual(["a"]);
    release();
    await next;
    expect(holders).toEqual(["a", "c"]);
  });

  it("is not taken under a signal that is aborted already, and frees a slot once however often it is let go", async () => {
    const pool = new SequencePool([createMemoryRuntime()]);
    await expect(pool.acquire(wants([1], AbortSignal.abort()))).rejects.toMatchObject({ code: "aborted" });
    const { release } = await pool.acquire(wants([1]));
    release();
    release();
    const holders: string[] = [];
    await ask(pool, "a", holders);
    void ask(pool, "b", holders);
    await settle();
    expect(holders).toEqual(["a"]);
  });

  it("closes when all who asked before have let go, and refuses whoever asks later", async () => {
    const pool = new SequencePool([createMemoryRuntime()]);
    const holders: string[] = [];
    const first = await ask(pool, "a", holders);
    const waiting = ask(pool, "b", holders);
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    await expect(pool.acquire(wants([1]))).rejects.toMatchObject({ code: "request-invalid" });
    first.release();
    const second = await waiting;
    await settle();
    expect(isClosed).toBe(false);
    second.release();
    await closing;
    expect(holders).toEqual(["a", "b"]);
  });
});

describe("a pool of several sequences", () => {
  it("gives each request the sequence that holds its beginning", async () => {
    const pool = new SequencePool([createMemoryRuntime(), createMemoryRuntime(), createMemoryRuntime()]);
    const first = await holdTokens(pool, count(300));
    const second = await holdTokens(pool, count(300, 7));
    expect(second).not.toBe(first);
    expect(await holdTokens(pool, [...count(300), 1, 2])).toBe(first);
    expect(await holdTokens(pool, [...count(300, 7), 1, 2])).toBe(second);
  });

  it("takes the sequence that was used longest ago for what none has", async () => {
    const pool = new SequencePool([createMemoryRuntime(), createMemoryRuntime()]);
    const first = await holdTokens(pool, count(300));
    const second = await holdTokens(pool, count(300, 7));
    await holdTokens(pool, [...count(300), 1]);
    expect(await holdTokens(pool, count(300, 11))).toBe(second);
    expect(first).not.toBe(second);
  });

  it("does not throw a long conversation away for a beginning that a file has too", async () => {
    const pool = new SequencePool([createMemoryRuntime(), createMemoryRuntime()]);
    const tools = count(500);
    const long = await holdTokens(pool, [...tools, ...count(2000, 3)]);
    const stored = { tokens: [...tools, 5, 6, 7], stored: () => 500 };
    const { slot, release } = await pool.acquire(stored);
    expect(slot).not.toBe(long);
    release();
    // Without the file evaluating the tools again is the larger loss for a short conversation.
    const other = new SequencePool([createMemoryRuntime(), createMemoryRuntime()]);
    const short = await holdTokens(other, [...tools, ...count(100, 3)]);
    expect((await other.acquire(wants([...tools, 5, 6, 7]))).slot).toBe(short);
  });

  it("is shared while two hold, and serves who waits with whichever is let go", async () => {
    const pool = new SequencePool([createMemoryRuntime(), createMemoryRuntime()]);
    const a = await pool.acquire(wants([1]));
    expect(pool.isShared).toBe(false);
    const b = await pool.acquire(wants([2]));
    expect(pool.isShared).toBe(true);
    const c = pool.acquire(wants([3]));
    b.release();
    expect((await c).slot).toBe(b.slot);
    a.release();
    expect(pool.isShared).toBe(false);
  });
});
