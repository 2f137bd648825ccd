// The server on a real loopback socket: what only a socket shows. Scripted models; no weights.
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { type RunningServer, type ServeOptions, serve } from "../../src/server/serve.ts";
import { pausing, scriptedServedModel } from "./ask-server.ts";

const path = "/v1/chat/completions";
const running: RunningServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(replies: readonly string[], options: Partial<ServeOptions> = {}) {
  const model = pausing(createScriptedModel({ replies }));
  const server = await serve({ models: [scriptedServedModel("scripted", model)], port: 0, ...options });
  running.push(server);
  return server;
}

/** Bytes as they go over the wire, until the server closes the connection. */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (data) => {
      answer += String(data);
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const ask = (url: string, body: unknown, more: RequestInit = {}) =>
  fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), ...more });

const messages = [{ role: "user", content: "Hello" }];

describe("a server on a socket", () => {
  test("answers whole replies and streams", async () => {
    const { url } = await start(["Good morning.", "Good evening."]);
    const whole = (await (await ask(url, { messages })).json()) as { choices: { message: unknown }[] };
    expect(whole.choices[0]?.message).toMatchObject({ content: "Good morning." });
    const streamed = await ask(url, { messages: [...messages, ...messages], stream: true });
    expect(await streamed.text()).toContain("[DONE]");
  });

  test("is bound to the loopback, and takes another address only with a key", async () => {
    const { url } = await start([]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(start([], { host: "0.0.0.0" })).rejects.toThrow("--api-key");
    const open = await start(["Hello."], { host: "0.0.0.0", apiKey: "secret" });
    const local = `http://127.0.0.1:${open.port}`;
    expect((await ask(local, { messages })).status).toBe(401);
    expect((await ask(local, { messages }, { headers: { authorization: "Bearer secret" } })).status).toBe(
      200,
    );
  });

  test("says which port is taken", async () => {
    const { port } = await start([]);
    await expect(start([], { port })).rejects.toThrow(`Cannot serve on 127.0.0.1:${port} (EADDRINUSE)`);
  });

  test("refuses headers that could be read in two ways, and headers that are too large", async () => {
    const { port } = await start([]);
    const host = "Host: localhost";
    const both = `POST ${path} HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await send(port, both)).toMatch(/^HTTP\/1\.1 400 /);
    const twice = `POST ${path} HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}  `;
    expect(await send(port, twice)).toMatch(/^HTTP\/1\.1 400 /);
    const large = `GET /health HTTP/1.1\r\n${host}\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await send(port, large)).toMatch(/^HTTP\/1\.1 431 /);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  test("ends a body that does not come, and goes on", async () => {
    const { port } = await start([], { limits: { bodyMilliseconds: 50 } });
    const slow = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{"mess`;
    const answer = await send(port, slow);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain("did not come within 0.05 seconds");
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  test("stops decoding when a client goes away, whether it streams or waits", async () => {
    for (const stream of [true, false]) {
      let pieces = 0;
      const scripted = createScriptedModel({
        replies: ["word ".repeat(100_000), "Next."],
        info: { contextSize: 1 << 20 },
      });
      const model = pausing(scripted, async () => {
        pieces += 1;
        await new Promise((resolve) => setImmediate(resolve));
      });
      const server = await serve({ models: [scriptedServedModel("scripted", model)], port: 0 });
      running.push(server);
      const gone = new AbortController();
      const asked = ask(server.url, { messages, stream, max_tokens: 500_000 }, { signal: gone.signal });
      const read = asked.then((response) => response.text());
      while (pieces < 50) await new Promise((resolve) => setImmediate(resolve));
      gone.abort();
      await expect(read).rejects.toThrow();
      // It is served as soon as the model is free again, long before 100,000 words are written.
      const next = await ask(server.url, { messages: [...messages, ...messages] });
      expect(await next.text()).toContain("Next.");
      expect(pieces).toBeLessThan(100_000);
    }
  });

  test("closes while a stream is under way, whose client is told", async () => {
    const server = await start(["word ".repeat(20_000)]);
    const response = await ask(server.url, { messages, stream: true, max_tokens: 100_000 });
    const reader = response.body?.getReader();
    await reader?.read();
    const closed = server.close();
    let rest = "";
    for (;;) {
      const read = await reader?.read().catch(() => undefined);
      if (read === undefined || read.done) break;
      rest += new TextDecoder().decode(read.value);
    }
    await closed;
    expect(rest.slice(-300)).toContain("The server is closing.");
  });
});
