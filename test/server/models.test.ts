// Models that come and go: loaded when they are asked for, unloaded for others, for nobody, or on request.
import { describe, expect, test } from "vitest";
import { createEngine } from "../../src/engine.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { createApp } from "../../src/server/app.ts";
import type { ServedModel } from "../../src/server/server-options.ts";
import { CallwrightError } from "../../src/vocabulary/index.ts";
import { hermesProfile, pausing, postRequest, scriptedServedModel } from "./ask-server.ts";
import { ask, contentOf, createDoor, until } from "./wait-and-ask.ts";

/** Served models that say when they are opened and closed. */
function watched(ids: readonly string[], said: string[], more: Partial<ServedModel> = {}): ServedModel[] {
  return ids.map((id) => ({
    id,
    ...more,
    createEngine: () => {
      const model = createScriptedModel({ replies: [`${id} one.`, `${id} two.`, `${id} three.`] });
      const engine = createEngine({ model, profile: hermesProfile });
      return {
        ...engine,
        open: () => {
          said.push(`open ${id}`);
          return engine.open();
        },
        close: () => {
          said.push(`close ${id}`);
          return engine.close();
        },
      };
    },
  }));
}

describe("several models", () => {
  test("are loaded when they are asked for, and the one that was idle longest makes room", async () => {
    const said: string[] = [];
    const app = createApp({ models: watched(["a", "b", "c"], said), limits: { models: 2 } });
    for (const model of ["a", "b", "a", "c", "a"])
      expect((await ask(app, model, { model })).status).toBe(200);
    expect(said).toEqual(["open a", "open b", "close b", "open c"]);
    await app.close();
    expect(said.slice(4).sort()).toEqual(["close a", "close c"]);
  });

  test("keep within their memory, but for one alone that is larger", async () => {
    const said: string[] = [];
    const app = createApp({
      models: watched(["a", "b"], said, { bytes: 60 }),
      limits: { models: 5, modelBytes: 100 },
    });
    for (const model of ["a", "b"]) await ask(app, "x", { model });
    expect(said).toEqual(["open a", "close a", "open b"]);
    const large = createApp({ models: watched(["a"], said, { bytes: 600 }), limits: { modelBytes: 100 } });
    expect((await ask(large, "x")).status).toBe(200);
  });

  test("do not starve each other: who waits for room is not overtaken", async () => {
    const door = createDoor();
    const order: string[] = [];
    const slow = pausing(createScriptedModel({ replies: ["1", "2", "3"] }), door.pass);
    const app = createApp({
      models: [scriptedServedModel("a", slow), ...watched(["b"], [])],
      limits: { models: 1 },
    });
    const asked = ["a", "b", "a"].map((model, at) =>
      ask(app, String(at), { model }).then(() => order.push(model + at)),
    );
    await door.arrived;
    door.open();
    await Promise.all(asked);
    expect(order).toEqual(["a0", "b1", "a2"]);
  });

  test("are unloaded when nobody asks for them, or when a request says so", async () => {
    const said: string[] = [];
    const app = createApp({ models: watched(["a"], said), idleMilliseconds: 5 });
    await ask(app, "x");
    await until(async () => said.includes("close a"));
    expect((await ask(app, "y")).status).toBe(200);
    const kept: string[] = [];
    const ollama = createApp({ models: watched(["a"], kept) });
    const body = { messages: [{ role: "user", content: "x" }], stream: false, keep_alive: 0 };
    await ollama.fetch(postRequest("/api/chat", body));
    expect(kept).toEqual(["open a", "close a"]);
    const loaded = await ollama.fetch(postRequest("/api/generate", { model: "a", keep_alive: "1h" }));
    expect(await loaded.json()).toMatchObject({ done_reason: "load" });
    const running = (await (await ollama.fetch(new Request("http://localhost/api/ps"))).json()) as {
      models: { name: string }[];
    };
    expect(running.models.map(({ name }) => name)).toEqual(["a"]);
  });

  test("are opened anew when their settings changed", async () => {
    const said: string[] = [];
    let version = "1";
    const source = { list: async () => watched(["a"], said, { version }) };
    const app = createApp({ models: source });
    await ask(app, "x");
    await ask(app, "y");
    expect(said).toEqual(["open a"]);
    version = "2";
    await ask(app, "z");
    expect(said).toEqual(["open a", "close a", "open a"]);
  });

  test("that cannot be loaded are said to be so, and are tried again", async () => {
    let tries = 0;
    const app = createApp({
      models: [
        {
          id: "a",
          createEngine: () => {
            tries += 1;
            const model = createScriptedModel({ replies: ["At last."] });
            const engine = createEngine({ model, profile: hermesProfile });
            const failure = new CallwrightError("model-file-invalid", "The file is damaged.");
            return tries > 1 ? engine : { ...engine, open: () => Promise.reject(failure) };
          },
        },
      ],
    });
    const failed = await ask(app, "x");
    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({
      error: { message: "a cannot be loaded: The file is damaged.", code: "model_failed" },
    });
    expect(await contentOf(await ask(app, "x"))).toBe("At last.");
  });

  test("that there are not are answered by the default one, or refused", async () => {
    const options = { models: watched(["a", "b"], []), defaultModel: "b" };
    const lenient = await ask(createApp(options), "x", { model: "gpt-4o" });
    expect(await lenient.json()).toMatchObject({ callwright: { notices: [{ code: "model-substituted" }] } });
    const strict = await ask(createApp({ ...options, unknownModel: "refuse" }), "x", { model: "gpt-4o" });
    expect(strict.status).toBe(404);
    expect(await strict.json()).toMatchObject({ error: { code: "model_not_found" } });
    const none = await ask(createApp({ models: [] }), "x");
    expect([none.status, await none.text()]).toEqual([
      404,
      expect.stringContaining("callwright models pull"),
    ]);
  });
});
