// `npm run bench:server`: 64 clients ask the server 20 times each, over sockets, and go away in 30 of 100 cases at a random moment.
// No reply may be lost or mixed up, no place may stay taken, no memory be kept; what the server itself costs is printed.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRandom } from "./random.ts";
import { echoOf } from "./server/echo-model.ts";

const clients = 64;
const rounds = 20;
const dropShare = 0.3;
const pieces = 20;
const random = createRandom(Number(process.env.CALLWRIGHT_SEED ?? 1));

interface Left {
  readonly active: number;
  readonly written: number;
  readonly heap: number;
}

const child = fork(fileURLToPath(new URL("./server/serve-echo.ts", import.meta.url)), [String(pieces)], {
  execArgv: [...process.execArgv, "--expose-gc"],
});
const [{ url }] = (await once(child, "message")) as [{ url: string }];

const latencies: number[] = [];
const overheads: number[] = [];
const faults: string[] = [];
let dropped = 0;

// All connections are open and all code is compiled before anything counts.
for (let round = 0; round < 3; round++) {
  await Promise.all(Array.from({ length: clients }, (_, at) => askWhole(`ask-${round}-9${at}`)));
}
latencies.length = 0;
overheads.length = 0;
const before = await left();
const started = performance.now();
await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client + 1)));
const seconds = (performance.now() - started) / 1000;
const after = await settled();
await runAlone();
child.send("end");
await once(child, "exit");

const answered = clients * rounds - dropped;
const print = (name: string, value: string) => process.stdout.write(`${name.padEnd(34)} ${value}\n`);
print("requests, of them dropped", `${clients * rounds}, ${dropped}`);
print("lost or mixed up", String(faults.length));
print("still at work afterwards", String(after.active));
print("heap before and after, MiB", `${mebi(before.heap)}, ${mebi(after.heap)}`);
print("seconds, replies per second", `${seconds.toFixed(1)}, ${(answered / seconds).toFixed(0)}`);
for (const fault of faults.slice(0, 10)) print("fault", fault);
const isWrong = faults.length > 0 || after.active > 0 || after.heap - before.heap > 32 * 1024 * 1024;
process.exitCode = isWrong ? 1 : 0;

async function runClient(client: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const name = `ask-${client}-${round}`;
    if (random.chance(dropShare)) await askAndDrop(name, random.chance(0.5));
    else if (random.chance(0.5)) await askStream(name);
    else await askWhole(name);
  }
}

/** What the server costs a request that nobody else disturbs, and what it cost the requests under load. */
async function runAlone(): Promise<void> {
  report("under load, of whole replies");
  for (let at = 0; at < 100; at++) await askWhole(`ask-999-${at}`);
  report("alone");
}

function report(what: string): void {
  const at = (values: readonly number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))]?.toFixed(1);
  process.stdout.write(
    `${what}: overhead p50 ${at(overheads, 0.5)} ms, p99 ${at(overheads, 0.99)} ms; latency p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms\n`,
  );
  latencies.length = 0;
  overheads.length = 0;
}

function ask(name: string, stream: boolean, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: `Say ${name}.` }], stream }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What is neither waiting nor decoding is the server's own: HTTP, reading, writing, and its event loop. */
async function askWhole(name: string): Promise<void> {
  const sent = performance.now();
  const response = await ask(name, false);
  const body = (await response.json()) as {
    choices: { message: { content: string } }[];
    callwright: { milliseconds: { total: number; wait: number } };
  };
  const latency = performance.now() - sent;
  const { total, wait } = body.callwright.milliseconds;
  latencies.push(latency);
  overheads.push(latency - total - wait);
  check(name, body.choices[0]?.message.content ?? "");
}

async function askStream(name: string): Promise<void> {
  const text = await (await ask(name, true)).text();
  const content = text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice(6)).choices[0]?.delta.content ?? "")
    .join("");
  check(name, content);
  if (!text.endsWith("data: [DONE]\n\n")) faults.push(`${name}: the stream has no end`);
}

async function askAndDrop(name: string, stream: boolean): Promise<void> {
  dropped += 1;
  const gone = new AbortController();
  setTimeout(() => gone.abort(), random.below(40));
  try {
    await (await ask(name, stream, gone.signal)).text();
  } catch (error) {
    if (!gone.signal.aborted) faults.push(`${name}: ${String(error)}`);
  }
}

function check(name: string, content: string): void {
  const wanted = echoOf(name, pieces);
  if (content.trim() !== wanted.trim()) faults.push(`${name}: came ${JSON.stringify(content.slice(0, 60))}`);
}

async function left(): Promise<Left> {
  child.send("left");
  const [message] = (await once(child, "message")) as [Left];
  return message;
}

/** What is left once all clients are gone, given a moment to notice the last that went. */
async function settled(): Promise<Left> {
  for (let tries = 0; ; tries++) {
    const found = await left();
    if (found.active === 0 || tries === 50) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function mebi(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
