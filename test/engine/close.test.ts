// Closing an engine: what is under way ends in order, whether or not anybody reads it, and nothing begins afterwards.
import { describe, expect, test } from "vitest";
import { createEngine, createScriptedModel, defineTool, type RunEvent } from "../../src/index.ts";
import type { Model } from "../../src/models/model.ts";
import { fenceProfile, writeCalls } from "../agent/write-calls.ts";

/** A model that counts how often it is closed and whether something was still being generated then. */
function watchedModel(replies: readonly string[]) {
  const inner = createScriptedModel({ replies, pieceLength: 1 });
  const seen = { closed: 0, busyAtClose: 0 };
  let busy = 0;
  const model: Model = {
    ...inner,
    generate: async function* (request) {
      busy += 1;
      try {
        for await (const event of inner.generate(request)) {
          request.signal?.throwIfAborted();
          yield event;
        }
      } finally {
        busy -= 1;
      }
    },
    close: async () => {
      seen.closed += 1;
      seen.busyAtClose += busy;
    },
  };
  return { model, seen };
}

const waits = defineTool({
  name: "wait",
  description: "Waits for ever",
  inputSchema: { type: "object", properties: {} },
  execute: () => new Promise(() => {}),
});

const endOf = (events: readonly RunEvent[]) => events.filter(({ type }) => type === "run-end");

describe("close", () => {
  test("ends a run that is read in `aborted`, once, and then closes the model", async () => {
    const { model, seen } = watchedModel(["A long answer ".repeat(50)]);
    const engine = createEngine({ model, profile: fenceProfile });
    const events: RunEvent[] = [];
    let closing: Promise<void> | undefined;
    for await (const event of engine.run({ prompt: "Go on" })) {
      events.push(event);
      if (event.type === "text-delta") closing ??= engine.close();
    }
    await closing;
    expect(endOf(events)).toMatchObject([{ reason: "aborted" }]);
    expect(seen).toEqual({ closed: 1, busyAtClose: 0 });
  });

  test("waits for nobody: a run that is held but not read on ends too, and its last events can still be read", async () => {
    const { model, seen } = watchedModel(["A long answer ".repeat(50)]);
    const engine = createEngine({ model, profile: fenceProfile });
    const run = engine.run({ prompt: "Go on" })[Symbol.asyncIterator]();
    let step = await run.next();
    while (!step.done && step.value.type !== "text-delta") step = await run.next();
    await engine.close();
    expect(seen).toEqual({ closed: 1, busyAtClose: 0 });
    const rest: RunEvent[] = [];
    for (step = await run.next(); !step.done; step = await run.next()) rest.push(step.value);
    expect(rest.at(-1)).toMatchObject({ type: "run-end", reason: "aborted" });
    expect(endOf(rest)).toHaveLength(1);
  });

  test("may be awaited by whoever reads the run", async () => {
    const { model } = watchedModel(["A long answer ".repeat(50)]);
    const engine = createEngine({ model, profile: fenceProfile });
    const events: RunEvent[] = [];
    for await (const event of engine.run({ prompt: "Go on" })) {
      events.push(event);
      if (event.type === "text-delta") await engine.close();
    }
    expect(endOf(events)).toMatchObject([{ reason: "aborted" }]);
  });

  test("ends a run whose tool is at work", async () => {
    const { model, seen } = watchedModel([writeCalls({ name: "wait", arguments: {} })]);
    const engine = createEngine({ model, profile: fenceProfile, tools: [waits] });
    const events: RunEvent[] = [];
    for await (const event of engine.run({ prompt: "Wait" })) {
      events.push(event);
      if (event.type === "tool-start") void engine.close();
    }
    expect(events.filter(({ type }) => type === "tool-end")).toMatchObject([{ outcome: "interrupted" }]);
    expect(endOf(events)).toMatchObject([{ reason: "aborted" }]);
    await engine.close();
    expect(seen.closed).toBe(1);
  });

  test("ends a call as aborted", async () => {
    const { model } = watchedModel(["A long answer ".repeat(50)]);
    const engine = createEngine({ model, profile: fenceProfile });
    const call = engine.call({ prompt: "Go on" });
    await engine.open();
    await engine.close();
    expect(await call).toMatchObject({ finish: "aborted", calls: [] });
  });

  test("may be asked for twice, and before anything was opened", async () => {
    const { model, seen } = watchedModel([]);
    const engine = createEngine({ model, profile: fenceProfile });
    await engine.open();
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
    expect(seen.closed).toBe(1);
    await createEngine({ model }).close();
    expect(seen.closed).toBe(1);
  });

  test("lets a request's own signal abort it still", async () => {
    const { model } = watchedModel(["A long answer ".repeat(50), "Yes."]);
    const engine = createEngine({ model, profile: fenceProfile });
    const controller = new AbortController();
    const events: RunEvent[] = [];
    for await (const event of engine.run({ prompt: "Go on", signal: controller.signal })) {
      events.push(event);
      if (event.type === "text-delta") controller.abort();
    }
    expect(endOf(events)).toMatchObject([{ reason: "aborted" }]);
    expect(await engine.call({ prompt: "Another" })).toMatchObject({ finish: "stop" });
  });
});

test("after close every request is refused", async () => {
  const { model } = watchedModel(["Hello."]);
  const engine = createEngine({ model, profile: fenceProfile });
  const early = engine.run({ prompt: "made before, read after" });
  await engine.close();
  const closed = { code: "request-invalid", message: "The engine is closed." };
  const read = async (events: AsyncIterable<RunEvent>) => {
    for await (const _ of events) throw new Error("an event came");
  };
  await expect(engine.call({ prompt: "x" })).rejects.toMatchObject(closed);
  await expect(read(engine.run({ prompt: "x" }))).rejects.toMatchObject(closed);
  await expect(read(engine.turn({ prompt: "x" }))).rejects.toMatchObject(closed);
  await expect(read(early)).rejects.toMatchObject(closed);
  await expect(engine.open()).rejects.toMatchObject(closed);
});
