// The server on real weights: four clients ask ten times each at once, and some go away in the midst: `npm run verify:server`.
// Each question has a number of its own, which the call that answers it has to hold; in the end nobody may be at work.
import { setTimeout as wait } from "node:timers/promises";
import { homeFolder } from "../src/models/home-folder.ts";
import { catalogueModels, serve } from "../src/server/index.ts";
import { createRandom } from "./random.ts";
import { catalogue } from "./speed/requests.ts";
import { defaultModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:server", {
  model: `catalogue id or path (${defaultModel})`,
  clients: "clients at once (4)",
  requests: "requests of each (10)",
});
const clients = wholeNumber(options.clients, "clients", 4);
const requests = wholeNumber(options.requests, "requests", 10);
const name = options.model ?? defaultModel;
const dropShare = 0.2;
const random = createRandom(1);
const log = (line: string) => void process.stderr.write(`${line}\n`);
const models = catalogueModels({
  home: homeFolder(),
  names: [name],
  engine: { contextSize: 4096, sequences: clients },
  log,
});
const server = await serve({ models, port: 0, log });
const counts = { right: 0, dropped: 0 };
const faults: string[] = [];
const progress = createProgress({ label: "requests", total: clients * requests });
const started = performance.now();
try {
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  progress.finish();
  const running = await settled();
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(
    `${clients * requests} requests in ${seconds.toFixed(0)} s: ${counts.right} right, ${counts.dropped} dropped by their client, ${faults.length} lost or mixed up, ${running} still at work\n`,
  );
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length + running === 0 ? 0 : 1;
} finally {
  await server.close();
}

async function runClient(client: number): Promise<void> {
  for (let index = 0; index < requests; index++) {
    const number = 1000 + client * 100 + index;
    const isDropped = random.chance(dropShare);
    const controller = new AbortController();
    if (isDropped) setTimeout(() => controller.abort(), 200 + random.below(1500));
    try {
      const text = await ask(number, controller.signal);
      if (text.includes(String(number))) counts.right += 1;
      else faults.push(`${number}: ${text.slice(0, 300)}`);
    } catch (error) {
      if (controller.signal.aborted) counts.dropped += 1;
      else faults.push(`${number}: ${String(error)}`);
    }
    progress.step(String(number));
  }
}

/** The whole stream of one request, as it came. */
async function ask(number: number, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: name,
      stream: true,
      messages: [{ role: "user", content: `Convert ${number} EUR to USD.` }],
      tools: catalogue.tools.map(({ inputSchema, ...tool }) => ({
        type: "function",
        function: { ...tool, parameters: inputSchema },
      })),
      tool_choice: { type: "function", function: { name: "convert_currency" } },
    }),
    signal,
  });
  const stream = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${stream.slice(0, 300)}`);
  const chunks = stream.split("\n").flatMap((line) => {
    const data = /^data: (\{.*)$/.exec(line)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Chunk];
  });
  return chunks
    .flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []))
    .map((call) => call.function?.arguments ?? "")
    .join("");
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly tool_calls?: readonly { readonly function?: { readonly arguments?: string } }[];
    };
  }[];
}

/** How many are at work once there was time to stop. */
async function settled(): Promise<number> {
  let running = 0;
  for (let attempt = 0; attempt < 20; attempt++) {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    running = Number(/^callwright_requests_running(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1] ?? 0);
    if (running === 0) return 0;
    await wait(250);
  }
  return running;
}
