// Who waits for a model, in which order, and how long.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { createApp } from "../../src/server/app.ts";
import { pausing, postRequest, scriptedServedModel } from "./ask-server.ts";
import { ask, chat, contentOf, createDoor, gauge, openApp, until } from "./wait-and-ask.ts";

describe("the queue", () => {
  test("serves one request after another, in the order they came, and mixes nothing", async () => {
    const door = createDoor();
    const model = pausing(createScriptedModel({ replies: ["One.", "Two.", "Three."] }), door.pass);
    const app = openApp(model);
    const answers = ["a", "b", "c"].map((content) => ask(app, content).then(contentOf));
    await door.arrived;
    await until(async () => (await gauge(app, "waiting")) === 2);
    expect(await gauge(app, "running")).toBe(1);
    door.open();
    expect(await Promise.all(answers)).toEqual(["One.", "Two.", "Three."]);
    expect(await gauge(app, "running")).toBe(0);
  });

  test.each([
    [chat, 503, { messages: [{ role: "user", content: "x" }] }],
    ["/v1/responses", 503, { input: "x" }],
    ["/v1/messages", 529, { messages: [{ role: "user", content: "x" }], max_tokens: 5 }],
    ["/api/chat", 503, { messages: [{ role: "user", content: "x" }] }],
  ])("that is full is said by %s with %i and Retry-After", async (path, status, body) => {
    const door = createDoor();
    const app = openApp(pausing(createScriptedModel({ replies: ["One.", "Two."] }), door.pass), {
      limits: { queue: 1 },
    });
    const first = ask(app, "a");
    await door.arrived;
    const second = ask(app, "b");
    await until(async () => (await gauge(app, "waiting")) === 1);
    const refused = await app.fetch(postRequest(path, body));
    expect(refused.status).toBe(status);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(await refused.json())).toContain("1 requests wait for scripted already");
    door.open();
    expect([await contentOf(await first), await contentOf(await second)]).toEqual(["One.", "Two."]);
  });

  test("lets as many be decoded at once as the model has sequences", async () => {
    const door = createDoor();
    const model = pausing(
      createScriptedModel({ replies: ["x", "x", "x"], info: { sequences: 2 } }),
      door.pass,
    );
    const { slots: _slots, ...served } = scriptedServedModel("scripted", model);
    const app = createApp({ models: [served] });
    await app.load();
    const answers = ["a", "b", "c"].map((content) => ask(app, content).then(contentOf));
    await until(async () => (await gauge(app, "running")) === 2 && (await gauge(app, "waiting")) === 1);
    door.open();
    expect(await Promise.all(answers)).toEqual(["x", "x", "x"]);
  });

  test("gives up a request that waited too long, and only that one", async () => {
    const door = createDoor();
    const app = openApp(pausing(createScriptedModel({ replies: ["One."] }), door.pass), {
      limits: { queueMilliseconds: 20 },
    });
    const first = ask(app, "a");
    await door.arrived;
    expect((await ask(app, "b")).status).toBe(503);
    door.open();
    expect(await contentOf(await first)).toBe("One.");
  });

  test("forgets a client that goes away while it waits", async () => {
    const door = createDoor();
    const model = createScriptedModel({ replies: ["One.", "Three."] });
    const app = openApp(pausing(model, door.pass));
    const first = ask(app, "a");
    await door.arrived;
    const gone = new AbortController();
    const second = ask(app, "b", {}, gone.signal);
    await until(async () => (await gauge(app, "waiting")) === 1);
    gone.abort();
    await second;
    expect(await gauge(app, "waiting")).toBe(0);
    const third = ask(app, "c");
    door.open();
    expect([await contentOf(await first), await contentOf(await third)]).toEqual(["One.", "Three."]);
    expect(model.requests).toHaveLength(2);
  });

  test("u076: sessions that fit are served in turn, and one that does not fit is refused with its counts", async () => {
    const { input, expected } = JSON.parse(
      readFileSync(new URL("../cases/u076-admission-control.json", import.meta.url), "utf8"),
    );
    const model = createScriptedModel({
      replies: ["One.", "Two.", "Three."],
      info: { contextSize: input.contextTokens },
    });
    const app = openApp(model);
    const answers = input.concurrentRequests.map(
      ({ promptTokens, maxTokens }: { promptTokens: number; maxTokens: number }, at: number) =>
        // The scripted model counts four characters as a token; each session says something else.
        ask(app, `${at}   `.padEnd(4 * promptTokens, "word"), { max_tokens: maxTokens }),
    );
    const responses: Response[] = await Promise.all(answers);
    expect(expected.outcome).toEqual(["served", "served", "queued then served", "400 with counts"]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    for (const at of expected.neverAborted) {
      expect(await responses[at]?.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    }
    // At least the session's own 9,000 tokens.
    const n_prompt_tokens = expect.toSatisfy((count: number) => count >= 9000);
    expect(await responses[3]?.json()).toMatchObject({ error: { n_ctx: 8192, n_prompt_tokens } });
  });
});
