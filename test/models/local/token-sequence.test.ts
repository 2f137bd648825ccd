import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenSequence } from "../../../src/models/local/token-sequence.ts";
import type { ModelEvent } from "../../../src/models/model.ts";
import { candidatesAfter, createMemoryRuntime, type MemoryRuntime } from "./memory-runtime.ts";

const count = (length: number, from = 0) => Array.from({ length }, (_, index) => (from + index) % 48);
const look = { candidates: 10 };

async function prefill(sequence: TokenSequence, promptLength = 0) {
  const events: ModelEvent[] = [];
  for await (const event of sequence.prefill({ promptLength })) events.push(event);
  return events;
}

/** A request as the model makes it: its tokens, then what follows them. */
async function request(sequence: TokenSequence, tokens: readonly number[]) {
  sequence.want(tokens);
  const events = await prefill(sequence, tokens.length);
  return { events, candidates: await sequence.look(look) };
}

describe("a token sequence", () => {
  it("evaluates a prompt once, and of the next one only what differs", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    await request(sequence, count(300));
    expect(runtime.evaluated).toBe(300);
    const { events, candidates } = await request(sequence, [...count(200), 7, 8, 9]);
    expect(runtime.evaluated).toBe(303);
    expect(candidates).toEqual(candidatesAfter([...count(200), 7, 8, 9], 10));
    expect(events.at(-1)).toMatchObject({ type: "prefill-end", reused: 200, evaluated: 3, ofPrompt: 3 });
  });

  it("tells its progress in parts of which each is one evaluation", async () => {
    const { events } = await request(new TokenSequence(createMemoryRuntime()), count(300));
    expect(events.filter((event) => event.type === "prefill-progress")).toEqual([
      { type: "prefill-progress", done: 0, total: 299 },
      { type: "prefill-progress", done: 128, total: 299 },
      { type: "prefill-progress", done: 256, total: 299 },
    ]);
  });

  it("counts as the prompt's only what is evaluated of it", async () => {
    const sequence = new TokenSequence(createMemoryRuntime());
    sequence.want(count(20));
    const events = await prefill(sequence, 12);
    expect(events.at(-1)).toMatchObject({ reused: 0, evaluated: 20, ofPrompt: 12 });
  });

  it("finds what is fed again where an earlier request left it", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    await request(sequence, count(40));
    sequence.want(count(30));
    await prefill(sequence);
    for (const token of count(5, 30)) sequence.push(token);
    expect(await sequence.look(look)).toEqual(candidatesAfter(count(35), 10));
    // The last token is evaluated again: only that tells what follows it.
    expect(runtime.evaluated).toBe(41);
  });

  it("copies the runtime's tokens once for a request, however many steps it has", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    await request(sequence, count(100));
    for (let step = 0; step < 50; step++) {
      sequence.push(step);
      await sequence.look(look);
    }
    expect(runtime.copies).toBe(1);
  });

  it("knows how many tokens there are and how many still fit", async () => {
    const sequence = new TokenSequence(createMemoryRuntime({ contextSize: 64 }));
    sequence.want(count(10));
    sequence.push(1);
    expect([sequence.length, sequence.room]).toEqual([11, 52]);
  });

  it("refuses what does not fit, and nothing at all", () => {
    const sequence = new TokenSequence(createMemoryRuntime({ contextSize: 64 }));
    expect(() => sequence.want(count(63))).toThrow(
      expect.objectContaining({ code: "context-overflow", details: { needed: 64, available: 64 } }),
    );
    expect(() => sequence.want([])).toThrow(expect.objectContaining({ code: "request-invalid" }));
  });

  it("holds just the tokens that are to be kept when it tells so, and goes on", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    sequence.want(count(500));
    const lengths: number[] = [];
    const write = async () => {
      lengths.push(runtime.length);
    };
    const events: ModelEvent[] = [];
    for await (const event of sequence.prefill({ promptLength: 500, keep: { length: 200, write } })) {
      events.push(event);
    }
    expect(lengths).toEqual([200]);
    expect(events.at(-1)).toMatchObject({ reused: 0, loaded: 0, evaluated: 500 });
    expect(await sequence.look(look)).toEqual(candidatesAfter(count(500), 10));
  });

  it("evaluates in smaller parts while others are at work", async () => {
    const sequence = new TokenSequence(createMemoryRuntime());
    sequence.want(count(65));
    const parts: ModelEvent[] = [];
    for await (const event of sequence.prefill({ promptLength: 65, isShared: () => true })) parts.push(event);
    expect(parts.filter(({ type }) => type === "prefill-progress")).toHaveLength(2);
  });

  it("stops within one evaluation of an abort, and goes on from there in the next request", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    const controller = new AbortController();
    sequence.want(count(1000));
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of sequence.prefill({ promptLength: 1000, signal: controller.signal })) {
        events.push(event);
        if (event.type === "prefill-progress" && event.done === 128) controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    expect(runtime.evaluated).toBe(256);
    expect(events.at(-1)).toMatchObject({ type: "prefill-end", reused: 0, evaluated: 256, ofPrompt: 256 });
    const { candidates } = await request(sequence, count(1000));
    expect(runtime.evaluated).toBe(1000);
    expect(candidates).toEqual(candidatesAfter(count(1000), 10));
  });

  it("is right again after an evaluation that failed half-way", async () => {
    const runtime = createMemoryRuntime();
    const sequence = new TokenSequence(runtime);
    runtime.failNext();
    await expect(request(sequence, count(50))).rejects.toThrow("failed");
    expect((await request(sequence, count(50))).candidates).toEqual(candidatesAfter(count(50), 10));
  });
});

describe("a token sequence after a score", () => {
  async function scored(runtime: MemoryRuntime) {
    const sequence = new TokenSequence(runtime);
    const { candidates } = await request(sequence, count(20));
    const seen = await sequence.follow(20, [1, 2], look);
    expect(seen).toEqual([candidatesAfter([...count(20), 1], 10), candidatesAfter([...count(20), 1, 2], 10)]);
    await sequence.returnTo(20, candidates);
    sequence.want(count(20));
    return { sequence, candidates, before: runtime.evaluated };
  }

  it("answers from what was seen there, without evaluating", async () => {
    const runtime = createMemoryRuntime();
    const { sequence, candidates, before } = await scored(runtime);
    const refused = candidates[0]?.token ?? 0;
    const filter = { side: "refused", ids: [refused], mayEnd: true } as const;
    expect(await sequence.look({ ...look, filter })).toEqual(candidates.slice(1));
    expect(runtime.evaluated).toBe(before);
  });

  it("looks again where only few tokens are allowed", async () => {
    const runtime = createMemoryRuntime();
    const { sequence, candidates, before } = await scored(runtime);
    const last = candidates.filter(({ token }) => token !== 49).at(-1);
    const filter = { side: "allowed", ids: [last?.token ?? 0], mayEnd: false } as const;
    expect(await sequence.look({ ...look, filter })).toEqual([last]);
    expect(runtime.evaluated).toBe(before + 1);
  });

  it("looks again after another prompt of the same length", async () => {
    const { sequence } = await scored(createMemoryRuntime());
    const other = count(20, 5);
    sequence.want(other);
    expect(await sequence.look(look)).toEqual(candidatesAfter(other, 10));
  });

  it("has gone back rightly where only a checkpoint can be returned to", async () => {
    const { sequence, candidates } = await scored(createMemoryRuntime({ checkpoint: 8 }));
    expect(await sequence.look(look)).toEqual(candidates);
  });
});

it.each([1, 4])(
  "what follows is right after any requests, with a checkpoint every %i tokens",
  async (checkpoint) => {
    const token = fc.integer({ min: 0, max: 2 });
    const step = fc.record({
      base: fc.array(token, { minLength: 1, maxLength: 12 }),
      pushed: fc.array(token),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const sequence = new TokenSequence(createMemoryRuntime({ checkpoint }));
        for (const { base, pushed } of steps) {
          expect((await request(sequence, base)).candidates).toEqual(candidatesAfter(base, 10));
          for (const next of pushed) sequence.push(next);
          expect(await sequence.look(look)).toEqual(candidatesAfter([...base, ...pushed], 10));
          const all = [...base, ...pushed];
          const filter = { side: "refused", ids: [], mayEnd: true } as const;
          const drafts = pushed.slice(0, 3);
          const filters = [filter, ...drafts.map(() => filter)];
          expect(await sequence.lookAlong(drafts, { candidates: 10, filters })).toEqual(
            filters.map((_, index) => candidatesAfter([...all, ...drafts.slice(0, index)], 10)),
          );
          // One draft is taken, whatever follows it is given up.
          const taken = [...drafts.slice(0, 1), 2];
          for (const next of taken) sequence.push(next);
          expect(await sequence.look(look)).toEqual(candidatesAfter([...all, ...taken], 10));
          const [first] = await sequence.follow(base.length, [1], look);
          expect(first).toEqual(candidatesAfter([...base, 1], 10));
        }
      }),
      { numRuns: 60 },
    );
  },
);
