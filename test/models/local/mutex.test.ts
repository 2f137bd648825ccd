import { describe, expect, it } from "vitest";
import { Mutex } from "../../../src/models/local/mutex.ts";

/** Long enough for everything that is not waiting. */
const settle = () => new Promise(setImmediate);

/** Asks, and notes when it holds. */
function ask(mutex: Mutex, name: string, held: string[], signal?: AbortSignal) {
  return mutex.acquire(signal).then((release) => {
    held.push(name);
    return release;
  });
}

describe("a mutex", () => {
  it("has one holder at a time, in the order of asking", async () => {
    const mutex = new Mutex();
    const held: string[] = [];
    const asked = ["a", "b", "c"].map((name) => ask(mutex, name, held));
    for (const [index, holder] of asked.entries()) {
      const release = await holder;
      await settle();
      expect(held).toHaveLength(index + 1);
      release();
    }
    expect(held).toEqual(["a", "b", "c"]);
  });

  it("lets go at once of whoever is aborted while waiting, and keeps the next one waiting", async () => {
    const mutex = new Mutex();
    const held: string[] = [];
    const controller = new AbortController();
    const release = await ask(mutex, "a", held);
    const aborted = ask(mutex, "b", held, controller.signal);
    const next = ask(mutex, "c", held);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    await settle();
    expect(held).toEqual(["a"]);
    release();
    await next;
    expect(held).toEqual(["a", "c"]);
  });

  it("is not taken under a signal that is aborted already", async () => {
    const mutex = new Mutex();
    await expect(mutex.acquire(AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
    await expect(mutex.acquire()).resolves.toBeTypeOf("function");
  });

  it("closes when all who asked before have let go, and refuses whoever asks later", async () => {
    const mutex = new Mutex();
    const held: string[] = [];
    const first = await ask(mutex, "a", held);
    const waiting = ask(mutex, "b", held);
    let isClosed = false;
    const closing = mutex.close().then(() => {
      isClosed = true;
    });
    await expect(mutex.acquire()).rejects.toMatchObject({ code: "request-invalid" });
    first();
    const second = await waiting;
    await settle();
    expect(isClosed).toBe(false);
    second();
    await closing;
    expect(held).toEqual(["a", "b"]);
  });
});
