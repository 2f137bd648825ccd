// Times tool calls against llama-server on the same weights, prompts and threads: `npm run bench:speed`. Each question is
// put to both, by turns in which goes first; figures are ratios of the two times, with bootstrap intervals.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { findModel } from "../src/models/find-model.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import { type OpenLocalModelOptions, openLocalModel } from "../src/models/local/open-local-model.ts";
import { startLlamaServer, wheel } from "./schemas/llama-server.ts";
import { watchEvaluations } from "./speed/evaluations.ts";
import { type LlamaTurn, llamaTurn } from "./speed/llama-turn.ts";
import { type OwnTurn, ownTurn } from "./speed/ours.ts";
import { type Measured, reportSpeed } from "./speed/report.ts";
import { afterCall, ask, askAfresh, callSchema, question } from "./speed/requests.ts";
import { defaultModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run bench:speed", {
  model: `catalogue id or path (${defaultModel})`,
  count: "questions of each case (30)",
  cases: "only these, by commas: warm, follow-up, cold, first, clients (all)",
  threads: "of both engines (2)",
  json: "file for the measured values",
});
const count = wholeNumber(options.count, "count", 30);
const threads = wholeNumber(options.threads, "threads", 2);
const wanted = new Set(options.cases?.split(",") ?? ["warm", "follow-up", "cold", "first", "clients"]);
const window = 4096;

const found = await findModel(options.model ?? defaultModel, {
  home: homeFolder(),
  fetch: true,
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
const home = mkdtempSync(join(tmpdir(), "callwright-speed-"));
const measured: Measured[] = [];
watchEvaluations();
const open = (more: Partial<OpenLocalModelOptions> = {}) =>
  openLocalModel({
    path: found.path,
    id: found.id,
    profile: found.profile,
    contextSize: window,
    threads,
    home,
    sequences: 1,
    ...more,
  });
const startPeer = (slots: number) =>
  startLlamaServer({
    modelPath: found.path,
    folder: join(homeFolder(), "bench", wheel.replaceAll("=", "-")),
    threads,
    window,
    slots,
  });

try {
  await oneClient();
  if (wanted.has("first")) await firstCalls();
  if (wanted.has("clients")) await fourClients();
  const report = reportSpeed(measured, { model: found.id, threads });
  process.stdout.write(`${report}\n`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(measured, undefined, 1));
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Warm calls, the turn after a result, and conversations of which nothing is known. */
async function oneClient(): Promise<void> {
  const peer = await startPeer(1);
  const model = await open({ stateBytes: 0 });
  const context = { model, profile: found.profile };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  try {
    const names = ["warm", "follow-up", "cold"].filter((name) => wanted.has(name));
    const progress = createProgress({ label: "one client", total: names.length * count });
    // Both have evaluated the catalogue before anything counts.
    const before = await ownTurn(context, ask("Convert 5 EUR to USD."));
    await llamaTurn(peer.url, { prompt: before.prompt, schema: callSchema });
    for (let index = 0; index < count; index++) {
      const text = question(index);
      delay.enable();
      const warm = wanted.has("warm") ? await pair("warm", index, ask(text)) : undefined;
      delay.disable();
      if (warm) progress.step("warm");
      const { call } = warm?.own ?? (await ownTurn(context, ask(text)));
      if (wanted.has("follow-up") && call !== undefined) {
        await pair("follow-up", index, afterCall(text, call));
        progress.step("follow-up");
      }
    }
    if (wanted.has("cold")) {
      for (let index = 0; index < count; index++) {
        await pair("cold", index, askAfresh(question(index), index));
        progress.step("cold");
      }
    }
    progress.finish();
    measured.push({ type: "event-loop", longest: delay.max / 1e6 });
  } finally {
    await model.close();
    peer.stop();
  }

  async function pair(name: "warm" | "follow-up" | "cold", index: number, messages: ReturnType<typeof ask>) {
    // The peer's prompt is known only from our turn; where it goes first, it is rendered by a turn that does not count.
    let own: OwnTurn | undefined;
    let other: LlamaTurn | undefined;
    if (index % 2 === 0) {
      own = await ownTurn(context, messages);
      other = await llamaTurn(peer.url, { prompt: own.prompt, schema: callSchema });
    } else {
      const prompt = await renderOnly(messages);
      other = await llamaTurn(peer.url, { prompt, schema: callSchema });
      own = await ownTurn(context, messages);
    }
    measured.push({ type: "pair", name, own: ownFigures(own), other, isSame: isSameCall(own, other) });
    return { own, other };
  }

  /** The prompt of a turn that is left before anything is evaluated. */
  async function renderOnly(messages: ReturnType<typeof ask>): Promise<string> {
    const stopped = Object.create(model, {
      info: { value: model.info },
      renderTemplate: { value: model.renderTemplate.bind(model) },
      countTokens: { value: model.countTokens.bind(model) },
      generate: {
        value: async function* () {
          yield { type: "end", reason: "impossible" };
        },
      },
    }) as typeof model;
    return (await ownTurn({ model: stopped, profile: found.profile }, messages)).prompt;
  }
}

/** A model that is opened anew for each question, with the catalogue's state on disk. */
async function firstCalls(): Promise<void> {
  const progress = createProgress({ label: "first calls", total: count });
  const writer = await open();
  await ownTurn({ model: writer, profile: found.profile }, ask("Convert 5 EUR to USD."));
  await writer.close();
  for (let index = 0; index < count; index++) {
    const model = await open();
    const own = await ownTurn({ model, profile: found.profile }, ask(question(index)));
    await model.close();
    measured.push({ type: "first", own: ownFigures(own) });
    progress.step("first");
  }
  progress.finish();
}

/** Four questions at once, on four sequences and on four slots that all hold the catalogue. */
async function fourClients(): Promise<void> {
  const clients = 4;
  const peer = await startPeer(clients);
  const model = await open({ sequences: clients, stateBytes: 2 ** 30 });
  const context = { model, profile: found.profile };
  const batches = Math.max(1, Math.floor(count / clients));
  const progress = createProgress({ label: "four clients", total: batches });
  try {
    const questions = (batch: number) =>
      Array.from({ length: clients }, (_, client) => question(batch * clients + client));
    const ownBatch = (texts: readonly string[]) =>
      timed(() => Promise.all(texts.map((text) => ownTurn(context, ask(text)))));
    const peerBatch = (prompts: readonly string[]) =>
      timed(() => Promise.all(prompts.map((prompt) => llamaTurn(peer.url, { prompt, schema: callSchema }))));
    const first = await ownBatch(questions(batches));
    await peerBatch(first.value.map(({ prompt }) => prompt));
    for (let batch = 0; batch < batches; batch++) {
      const own = await ownBatch(questions(batch));
      const other = await peerBatch(own.value.map(({ prompt }) => prompt));
      measured.push({ type: "batch", own: own.milliseconds, other: other.milliseconds });
      progress.step("batch");
    }
    progress.finish();
  } finally {
    await model.close();
    peer.stop();
  }
}

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly milliseconds: number }> {
  const started = performance.now();
  const value = await work();
  return { value, milliseconds: performance.now() - started };
}

function ownFigures({ milliseconds, usage, evaluations }: OwnTurn) {
  return { milliseconds, usage, evaluations };
}

function isSameCall(own: OwnTurn, other: LlamaTurn): boolean {
  return own.call?.name === other.call?.name && isDeepStrictEqual(own.call?.input, other.call?.arguments);
}
