// Streams that last: signs of life, clients that go away or stop reading, and time that is over.
import { describe, expect, test } from "vitest";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { pausing, readEvents } from "./ask-server.ts";
import { ask, contentOf, createDoor, gauge, openApp } from "./wait-and-ask.ts";

describe("a stream", () => {
  test("shows that it lives while the prompt is read", async () => {
    const door = createDoor();
    const model = createScriptedModel({ replies: ["Good."] });
    const app = openApp(pausing(model, door.pass), { keepAliveMilliseconds: 5 });
    const response = await ask(app, "x", { stream: true });
    // The headers are here while the model still reads.
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes(": still at work")) {
      const read = await reader?.read();
      text += new TextDecoder().decode(read?.value);
    }
    door.open();
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) break;
      text += new TextDecoder().decode(read.value);
    }
    expect(readEvents(text).at(-1)?.data).toBe("[DONE]");
  });

  test("whose client goes away ends, however much of it was read", async () => {
    for (const reads of [0, 1, 5]) {
      const model = createScriptedModel({ replies: ["word ".repeat(5000), "Next."] });
      const app = openApp(pausing(model));
      const reader = (await ask(app, "x", { stream: true })).body?.getReader();
      for (let at = 0; at < reads; at++) await reader?.read();
      await reader?.cancel();
      expect(await gauge(app, "running")).toBe(0);
      expect((await ask(app, "y")).status).toBe(200);
    }
  });

  test("that nobody reads on does not hold the model beyond its time", async () => {
    const model = createScriptedModel({ replies: ["word ".repeat(5000), "Next."] });
    const app = openApp(pausing(model), { limits: { requestMilliseconds: 30 } });
    const reader = (await ask(app, "x", { stream: true })).body?.getReader();
    for (let at = 0; at < 5; at++) await reader?.read();
    expect(await contentOf(await ask(app, "y"))).toBe("Next.");
  });

  test("that takes too long ends in an error, and a whole reply is one", async () => {
    const endless = () =>
      pausing(createScriptedModel({ replies: ["word ".repeat(50_000)], info: { contextSize: 1 << 20 } }));
    const limits = { requestMilliseconds: 30 };
    const streamed = await ask(openApp(endless(), { limits }), "x", { stream: true, max_tokens: 100_000 });
    const events = readEvents(await streamed.text());
    expect(JSON.parse(events.at(-2)?.data ?? "")).toMatchObject({ error: { code: "time_limit" } });
    const whole = await ask(openApp(endless(), { limits }), "x", { max_tokens: 100_000 });
    expect([whole.status, (await whole.json()) as object]).toMatchObject([
      504,
      { error: { code: "time_limit" } },
    ]);
  });
});
