// Who may ask, what is told of the server, and models that come from the catalogue.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { catalogueModels } from "../../src/server/catalogue-models.ts";
import { withoutRetryCodes } from "../../src/wire/wire-fault.ts";
import { openTestServer, type TestServerOptions } from "./ask-server.ts";

const chat = "/v1/chat/completions";
const body = { messages: [{ role: "user", content: "Hello" }] };
const replies = Array.from({ length: 20 }, () => "Good.");
const open = (options: TestServerOptions = {}) => openTestServer(replies, options);
const get = (where: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${where}`, { headers });

describe("a key", () => {
  test("is asked of everything but /health, in either of its two places", async () => {
    const server = open({ apiKey: "secret" });
    expect((await server.fetch(get("/health"))).status).toBe(200);
    for (const where of ["/v1/models", "/metrics", "/api/tags", "/"]) {
      expect((await server.fetch(get(where))).status).toBe(401);
    }
    const wrong: Record<string, string>[] = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: "Basic secret" },
      { authorization: "secret" },
      { "x-api-key": "secre" },
      { "x-api-key": "secret2" },
    ];
    for (const headers of wrong) expect((await server.post(chat, body, headers)).status).toBe(401);
    for (const headers of [{ authorization: "Bearer secret" }, { "x-api-key": "secret" }]) {
      expect((await server.post(chat, body, headers)).status).toBe(200);
    }
  });

  test("that is wrong is said in each API's own shape, and never repeated", async () => {
    const said: string[] = [];
    const server = open({ apiKey: "secret", log: (line) => said.push(line) });
    const refused = await server.post("/v1/messages", body, { "x-api-key": "my-own-key" });
    const text = await refused.text();
    expect(JSON.parse(text)).toMatchObject({ type: "error", error: { type: "authentication_error" } });
    expect(text + said.join()).not.toMatch(/secret|my-own-key/);
    expect(await (await server.post("/api/chat", body)).json()).toEqual({
      error: expect.stringContaining("API key"),
    });
  });
});

describe("pages of other origins", () => {
  test("may not ask, unless their origin is allowed", async () => {
    const server = open({ origins: ["https://app.example"] });
    const allowed = await server.post(chat, body, { origin: "https://app.example" });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const other = await server.post(chat, body, { origin: "https://other.example" });
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    const preflight = (origin: string) =>
      server.fetch(new Request(`http://localhost${chat}`, { method: "OPTIONS", headers: { origin } }));
    expect((await preflight("https://app.example")).headers.get("access-control-allow-headers")).toContain(
      "authorization",
    );
    expect((await preflight("https://other.example")).status).toBe(403);
  });

  test("may ask where they come from the server itself", async () => {
    expect((await open().post(chat, body, { origin: "http://localhost", host: "localhost" })).status).toBe(
      200,
    );
  });

  test("cannot reach it by a name of their own (DNS rebinding)", async () => {
    const server = open({ hosts: ["models.lan"] });
    const statusFor = async (host: string) => (await server.fetch(get("/v1/models", { host }))).status;
    for (const host of ["localhost", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST", "models.lan:80"])
      expect(await statusFor(host)).toBe(200);
    for (const host of ["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "", "a b"]) {
      expect(await statusFor(host)).toBe(403);
    }
    expect((await open({ hosts: "any" }).fetch(get("/v1/models", { host: "app.example" }))).status).toBe(200);
  });
});

describe("what is told of the server", () => {
  test("health names the models that are loaded", async () => {
    const server = open();
    expect(await (await server.fetch(get("/health"))).json()).toEqual({ status: "ok", models: [] });
    await server.post(chat, body);
    expect(await (await server.fetch(get("/health"))).json()).toEqual({
      status: "ok",
      models: [{ id: "scripted", state: "loaded" }],
    });
  });

  test("metrics count requests, turns and tokens, in Prometheus' format", async () => {
    const server = open();
    await server.post(chat, body);
    await server.post(chat, "{");
    await server.fetch(get("/a/path/that/a/client/made/up"));
    const text = await (await server.fetch(get("/metrics"))).text();
    expect(text).toContain(`callwright_requests_total{path="${chat}",status="200"} 1`);
    expect(text).toContain(`callwright_requests_total{path="${chat}",status="400"} 1`);
    expect(text).toContain('callwright_requests_total{path="other",status="404"} 1');
    expect(text).toContain('callwright_turns_total{finish="stop"} 1');
    expect(text).toContain('callwright_tokens_total{kind="sampled"} 2');
    expect(text).not.toContain("made");
    // Prometheus' text format, line by line.
    const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\\]*",?)+\})? [0-9.e+-]+)$/;
    expect(
      text
        .trimEnd()
        .split("\n")
        .filter((one) => !line.test(one)),
    ).toEqual([]);
  });

  test("lists of models say the window and what a model can do, in every API's shape", async () => {
    const server = open();
    const read = async (where: string, headers = {}) => (await server.fetch(get(where, headers))).json();
    expect(await read("/v1/models")).toMatchObject({
      object: "list",
      data: [
        {
          id: "scripted",
          context_length: 8192,
          max_output_tokens: 1024,
          capabilities: ["completion", "tools"],
        },
      ],
    });
    expect(await read("/v1/models/scripted")).toMatchObject({ id: "scripted", object: "model" });
    expect(await read("/v1/models", { "anthropic-version": "2023-06-01" })).toMatchObject({
      data: [{ type: "model", id: "scripted" }],
      has_more: false,
    });
    expect(await read("/api/tags")).toMatchObject({
      models: [{ name: "scripted", details: { format: "gguf" } }],
    });
    expect(await read("/api/version")).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    const shown = await server.post("/api/show", { model: "scripted" });
    expect(await shown.json()).toMatchObject({ capabilities: ["completion", "tools"] });
    expect((await server.fetch(get("/v1/models/other"))).status).toBe(404);
  });

  test("count_tokens counts the prompt as it would be, also where it does not fit", async () => {
    const server = open();
    const count = async (content: string) => {
      const response = await server.post("/v1/messages/count_tokens", {
        messages: [{ role: "user", content }],
      });
      return ((await response.json()) as { input_tokens: number }).input_tokens;
    };
    const [short, long] = [await count("word"), await count("word".repeat(20_000))];
    // The scripted model counts four characters as a token.
    expect(long - short).toBe(19_999);
    expect(server.model.requests).toEqual([]);
  });
});

describe("the catalogue's models", () => {
  let home = "";
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const write = (catalogue: unknown) =>
    writeFileSync(path.join(home, "models.json"), JSON.stringify(catalogue));

  test("are those on this machine, and follow the user's own catalogue while the server runs", async () => {
    home = mkdtempSync(path.join(tmpdir(), "callwright-serve-"));
    mkdirSync(path.join(home, "models"));
    const said: string[] = [];
    const source = catalogueModels({
      home,
      engine: {},
      log: (line) => said.push(line),
      freshMilliseconds: 0,
    });
    expect(await source.list()).toEqual([]);
    writeFileSync(path.join(home, "models", "smollm2-135m-instruct-q4_1.gguf"), "weights");
    const [first] = await source.list();
    expect(first).toMatchObject({ id: "smollm2-135m-instruct-q4_1", quantisation: "Q4_1" });
    write({ models: [{ id: "smollm2-135m-instruct-q4_1", profile: { context: { size: 2048 } } }] });
    const [changed] = await source.list();
    expect(changed?.contextSize).toBe(2048);
    expect(changed?.version).not.toBe(first?.version);
    // What cannot be read any more leaves what was there, and is said once.
    writeFileSync(path.join(home, "models.json"), "{");
    expect(await source.list()).toEqual([expect.objectContaining({ contextSize: 2048 })]);
    await source.list();
    expect(said).toHaveLength(1);
    expect(source.fault).toContain("models.json");
    write({});
    await source.list();
    expect(source.fault).toBeUndefined();
  });

  test("may be servers of models, where they are named", async () => {
    home = mkdtempSync(path.join(tmpdir(), "callwright-serve-"));
    const named = (name: string) =>
      catalogueModels({ home, names: [name], engine: {}, log: () => {} }).list();
    expect(await named("llama-server")).toMatchObject([{ id: "llama-server", bytes: 0 }]);
    expect(await named("http://127.0.0.1:9/v1")).toMatchObject([{ id: "http://127.0.0.1:9/v1" }]);
  });

  test("that are named have to be there", async () => {
    home = mkdtempSync(path.join(tmpdir(), "callwright-serve-"));
    const named = (name: string) =>
      catalogueModels({ home, names: [name], engine: {}, log: () => {} }).list();
    await expect(named("smollm2-135m-instruct-q4_1")).rejects.toThrow("callwright models pull");
    await expect(named("no-such-model")).rejects.toThrow("There is no model");
  });
});

test("a refusal has no digits by which clients take it for one that passes", () => {
  const refusal = "Tool at offset 1500 takes 25041 of 4290 tokens, not 12";
  const said = withoutRetryCodes(refusal);
  expect(said).not.toMatch(/429|500|502|503|504|524/);
  expect(said.replaceAll("'", "")).toBe(refusal);
  // Places in a schema are left as they are.
  expect(withoutRetryCodes("at /anyOf/500/x")).toBe("at /anyOf/500/x");
});
