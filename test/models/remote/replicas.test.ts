// Which of several servers is asked, and what becomes of a request when one fails.
import { describe, expect, test } from "vitest";
import { lostAnswer, unreachable } from "../../../src/models/remote/ask-server.ts";
import { createReplicas, type ReplicaOptions } from "../../../src/models/remote/replicas.ts";
import { defaultServerLimits, type ServerAddress } from "../../../src/models/remote/server-address.ts";
import { CallwrightError } from "../../../src/vocabulary/index.ts";
import { type Answer, startModelServer } from "./model-server.ts";

const quick: ReplicaOptions = { backOff: 2, mostBackOff: 10, patience: 1_000 };
const nowhere = (name: string): ServerAddress => ({
  // A port that nothing listens on: health is asked only of servers that failed.
  url: `http://127.0.0.1:1/${name}/v1`,
  headers: {},
  limits: { ...defaultServerLimits, question: 200 },
});

/** Asks with servers that answer their own name, and gives what came. */
async function ask(
  replicas: ReturnType<typeof createReplicas>,
  prompt: string,
  open: (server: ServerAddress) => AsyncGenerator<string> = async function* (server) {
    yield server.url;
  },
): Promise<string[]> {
  const items: string[] = [];
  for await (const item of replicas.ask({ prompt, open })) items.push(item);
  return items;
}

async function* failing(error: Error): AsyncGenerator<string> {
  yield* await Promise.reject<string[]>(error);
}

describe("the choice of a server", () => {
  const servers = ["a", "b", "c"].map(nowhere);
  const urls = servers.map(({ url }) => url);
  const session = (name: string) => `system text and tools of ${name} `.repeat(20);

  test("keeps a session where its beginning is in the cache, and spreads sessions", async () => {
    const replicas = createReplicas(servers, quick);
    const first = await Promise.all(["x", "y", "z"].map((name) => ask(replicas, session(name) + name)));
    const second = await Promise.all(
      ["y", "z", "x"].map((name) => ask(replicas, `${session(name)}${name} more`)),
    );
    expect(first.flat().sort()).toEqual(urls);
    expect(second.flat()).toEqual([first[1], first[2], first[0]].flat());
  });

  test("leaves a server that is busier than others, though it has the beginning", async () => {
    const replicas = createReplicas(servers, quick);
    const ends: (() => void)[] = [];
    const waiting = async function* (server: ServerAddress) {
      yield server.url;
      await new Promise<void>((resolve) => ends.push(resolve));
    };
    const running: AsyncGenerator<string>[] = [];
    const chosen: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const items = replicas.ask({ prompt: session("x") + at, open: waiting });
      const item = await items.next();
      chosen.push(String(item.value));
      running.push(items);
    }
    expect(chosen.slice(0, 3)).toEqual([chosen[0], chosen[0], chosen[0]]);
    expect(chosen[3]).not.toBe(chosen[0]);
    await Promise.all(
      running.map(async (items, at) => {
        const left = items.next();
        ends[at]?.();
        await left;
      }),
    );
  });
});

describe("a server that fails", () => {
  test("before its first word gives way to the next, and is left alone", async () => {
    const replicas = createReplicas(["a", "b"].map(nowhere), {
      ...quick,
      backOff: 60_000,
      mostBackOff: 60_000,
    });
    const asked: string[] = [];
    const open = async function* (server: ServerAddress) {
      asked.push(server.url);
      if (server.url.includes("/a/")) throw unreachable(server, "gone");
      yield "fine";
    };
    expect(await ask(replicas, "hello", open)).toEqual(["fine"]);
    expect(await ask(replicas, "other", open)).toEqual(["fine"]);
    expect(asked.map((url) => url.split("/")[3])).toEqual(["a", "b", "b"]);
  });

  test("after its first word fails to the reader, who has read it", async () => {
    const replicas = createReplicas([nowhere("a")], quick);
    const items: string[] = [];
    const read = async () => {
      const open = async function* (server: ServerAddress) {
        yield "half";
        throw lostAnswer(server, "cut");
      };
      for await (const item of replicas.ask({ prompt: "hello", open })) items.push(item);
    };
    await expect(read()).rejects.toMatchObject({ code: "endpoint-lost" });
    expect(items).toEqual(["half"]);
  });

  test("in a way that no other could do better is not tried elsewhere", async () => {
    const replicas = createReplicas(["a", "b"].map(nowhere), quick);
    let asked = 0;
    const open = () => {
      asked += 1;
      return failing(new CallwrightError("context-overflow", "too long"));
    };
    await expect(ask(replicas, "hello", open)).rejects.toMatchObject({ code: "context-overflow" });
    expect(asked).toBe(1);
  });

  test("over the request itself is asked once more, not for a minute", async () => {
    const server = await startModelServer(() => ({ json: { status: "ok" } }));
    const replicas = createReplicas([{ ...nowhere(""), url: server.url }], quick);
    let asked = 0;
    const open = () => {
      asked += 1;
      const details = { status: 500, retry: true };
      return failing(new CallwrightError("endpoint-unreachable", "internal error", { details }));
    };
    await expect(ask(replicas, "hello", open)).rejects.toThrow("internal error");
    await server.close();
    expect(asked).toBe(2);
  });

  test("is asked how it is before it is asked again", async () => {
    let health: Answer = { json: { error: { message: "Loading model" } }, status: 503 };
    const server = await startModelServer(() => health);
    try {
      const replicas = createReplicas([{ ...nowhere(""), url: server.url }], quick);
      let asked = 0;
      const open = async function* (address: ServerAddress) {
        asked += 1;
        if (asked === 1) throw unreachable(address, "gone");
        yield "back";
      };
      const answer = ask(replicas, "hello", open);
      await expect.poll(() => server.requests.length).toBeGreaterThan(2);
      expect(asked).toBe(1);
      health = { json: { status: "ok" } };
      expect(await answer).toEqual(["back"]);
      expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(["/health"]));
    } finally {
      await server.close();
    }
  });

  test("and stays away is told of, once the patience is over", async () => {
    const replicas = createReplicas([nowhere("a")], { ...quick, patience: 30 });
    const open = (server: ServerAddress) => failing(unreachable(server, "gone"));
    await expect(ask(replicas, "hello", open)).rejects.toMatchObject({ code: "endpoint-unreachable" });
  });

  test("that asks to wait longer than the patience is not waited for", async () => {
    const replicas = createReplicas([nowhere("a")], quick);
    const details = { status: 429, retry: true, retryAfter: 60_000 };
    const open = () => failing(new CallwrightError("endpoint-unreachable", "busy", { details }));
    await expect(ask(replicas, "hello", open)).rejects.toThrow("busy");
  });
});
