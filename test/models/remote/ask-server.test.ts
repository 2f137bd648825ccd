// Requests to a server over a real socket: the key's way, redirects, refusals, and streams cut anywhere.
import { afterEach, describe, expect, test } from "vitest";
import { askServer, openAnswer } from "../../../src/models/remote/ask-server.ts";
import { readStream } from "../../../src/models/remote/read-stream.ts";
import { type Answer, addressOf, type ModelServer, startModelServer } from "./model-server.ts";

const open: ModelServer[] = [];
const start = async (answer: Parameters<typeof startModelServer>[0]) => {
  const server = await startModelServer(answer);
  open.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const key = { variable: "TEST_KEY", value: "sk-secret-123" };

async function collect(url: string, more = {}): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readStream(addressOf({ url }, more), { url, body: {} })) events.push(event);
  return events;
}

describe("the key", () => {
  test("goes with every request to the server that was named", async () => {
    const server = await start(() => ({ json: { fine: true } }));
    expect(await askServer(addressOf(server, { key }), { url: `${server.url}/models` })).toEqual({
      fine: true,
    });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-secret-123");
  });

  test("and the prompt never follow a redirect to another host", async () => {
    const other = await start(() => ({ json: {} }));
    const server = await start(() => ({
      json: {},
      status: 307,
      headers: { location: `${other.url}/models` },
    }));
    const asked = openAnswer(addressOf(server, { key }), {
      url: `${server.url}/x`,
      body: { prompt: "private" },
    });
    await expect(asked).rejects.toMatchObject({ code: "endpoint-refused" });
    expect(other.requests).toEqual([]);
  });

  test("follows a redirect to another path of the same server, with method and body", async () => {
    const server = await start(({ path }) =>
      path === "/v1/old" ? { json: {}, status: 308, headers: { location: "/v1/new" } } : { json: { path } },
    );
    const answer = await openAnswer(addressOf(server, { key }), { url: `${server.url}/old`, body: { a: 1 } });
    expect(await answer.json()).toEqual({ path: "/v1/new" });
    expect(server.requests[1]).toMatchObject({ method: "POST", body: { a: 1 } });
  });

  test("never stands in a message, even where the server repeats it", async () => {
    const error = { message: "Incorrect API key provided: sk-secret-123." };
    const server = await start(() => ({ json: { error }, status: 401 }));
    const asked = openAnswer(addressOf(server, { key }), { url: server.url });
    const failure: Error = await asked.then(
      () => new Error("it was let in"),
      (thrown: Error) => thrown,
    );
    expect(failure.message).toContain("TEST_KEY");
    expect(failure.message).not.toContain("secret");
  });

  test("that is missing is asked for by the name of the setting", async () => {
    const server = await start(() => ({ json: { detail: "no" }, status: 403 }));
    await expect(openAnswer(addressOf(server), { url: server.url })).rejects.toThrow('"keyVariable"');
  });
});

describe("what goes wrong is told by its kind", () => {
  const failures: readonly (readonly [string, Answer, object])[] = [
    [
      "a busy server",
      { json: { error: { message: "slow down" } }, status: 429, headers: { "retry-after": "2" } },
      { code: "endpoint-unreachable", details: { status: 429, retry: true, retryAfter: 2000 } },
    ],
    [
      "a server that still loads",
      { json: { error: { message: "Loading model" } }, status: 503 },
      { code: "endpoint-unreachable", details: { status: 503, retry: true } },
    ],
    [
      "a field that is not taken",
      { json: { error: { message: "unsupported", param: "temperature" } }, status: 400 },
      { code: "endpoint-refused", details: { status: 400, retry: false, field: "temperature" } },
    ],
    [
      "llama-server's overflow",
      { json: { error: { type: "exceed_context_size_error", message: "too long" } }, status: 400 },
      { code: "context-overflow" },
    ],
    [
      "vLLM's overflow",
      { json: { message: "This model's maximum context length is 2048 tokens." }, status: 400 },
      { code: "context-overflow" },
    ],
    [
      "OpenAI's overflow",
      { json: { error: { code: "context_length_exceeded", message: "no" } }, status: 400 },
      { code: "context-overflow" },
    ],
    ["a closed connection", "close", { code: "endpoint-unreachable", details: { retry: true } }],
  ];
  test.each(failures)("%s", async (_name, answer, expected) => {
    const server = await start(() => answer);
    await expect(openAnswer(addressOf(server), { url: server.url })).rejects.toMatchObject(expected);
  });

  test("nobody there", async () => {
    const server = await startModelServer(() => undefined);
    await server.close();
    const asked = askServer(addressOf(server), { url: server.url });
    await expect(asked).rejects.toMatchObject({ code: "endpoint-unreachable" });
    await expect(asked).rejects.toThrow("ECONNREFUSED");
  });

  test("a route that is not there is nothing, a page instead of JSON is an error", async () => {
    const server = await start(({ path }) =>
      path === "/page" ? { text: "<html>Welcome</html>" } : undefined,
    );
    const root = server.url.replace("/v1", "");
    expect(await askServer(addressOf(server), { url: `${root}/nothing` })).toBeUndefined();
    await expect(askServer(addressOf(server), { url: `${root}/page` })).rejects.toMatchObject({
      code: "endpoint-invalid",
    });
  });

  test("a question that is not answered in time", async () => {
    const server = await start(() => "silent");
    const limits = { first: 1000, between: 1000, question: 20 };
    await expect(askServer(addressOf(server, { limits }), { url: server.url })).rejects.toThrow("in time");
  });

  test("the caller's own abort is no failure of the server", async () => {
    const server = await start(() => "silent");
    const signal = AbortSignal.timeout(20);
    await expect(askServer(addressOf(server), { url: server.url, signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

describe("a stream", () => {
  const text =
    'data: {"a":"é€😀"}\r\n\r\n: ping\n\nevent: x\ndata: {"b":\ndata: 2}\n\ndata:{"c":3}\n\ndata: [DONE]\n\n';
  const lines = '{"a":"é€😀"}\n{"b":2}\r\n{"c":3}';
  const expected = [{ a: "é€😀" }, { b: 2 }, { c: 3 }];

  test.each([
    ["server-sent events", text],
    ["JSON lines", lines],
  ])("of %s reads the same, cut at any byte", async (_name, whole) => {
    const bytes = Buffer.from(whole);
    const wrong: number[] = [];
    for (let at = 0; at <= bytes.length; at += 1) {
      const original = globalThis.fetch;
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
      globalThis.fetch = async () => new Response(ReadableStream.from(chunks));
      try {
        const events = await collect("http://127.0.0.1/v1");
        if (JSON.stringify(events) !== JSON.stringify(expected)) wrong.push(at);
      } finally {
        globalThis.fetch = original;
      }
    }
    expect(wrong).toEqual([]);
  });

  test("that breaks off is lost, with what came before it", async () => {
    const server = await start(() => ({ events: [{ a: 1 }, { b: 2 }], after: "cut" }));
    const events: unknown[] = [];
    const read = async () => {
      for await (const event of readStream(addressOf(server), { url: server.url, body: {} }))
        events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: "endpoint-lost", details: { retry: true } });
    expect(events).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test("in which nothing comes for too long is lost", async () => {
    const server = await start(() => ({ events: [{ a: 1 }], after: "stall" }));
    const limits = { first: 10_000, between: 30, question: 1000 };
    await expect(collect(server.url, { limits })).rejects.toThrow("nothing came for too long");
  });

  test("that never begins is unreachable", async () => {
    const server = await start(() => "silent");
    const limits = { first: 30, between: 30, question: 1000 };
    await expect(collect(server.url, { limits })).rejects.toMatchObject({ code: "endpoint-unreachable" });
  });

  test("with an error in its midst says so", async () => {
    const server = await start(() => ({ events: [{ a: 1 }, { error: { message: "out of memory" } }] }));
    await expect(collect(server.url)).rejects.toThrow("out of memory");
  });

  test.each([
    ["a page", { text: "<html>\n</html>" }],
    ["no JSON", { text: "data: {oops\n\n" }],
    ["no object", { text: "data: 7\n\n" }],
  ])("that is %s is invalid", async (_name, answer) => {
    const server = await start(() => answer);
    await expect(collect(server.url)).rejects.toMatchObject({ code: "endpoint-invalid" });
  });

  test("that nobody reads on closes its connection", async () => {
    const server = await start(() => ({ events: [{ a: 1 }, { b: 2 }], after: "stall" }));
    for await (const _event of readStream(addressOf(server), { url: server.url, body: {} })) break;
    await expect.poll(() => server.dropped.count).toBe(1);
  });
});
