// Four questions at once, on four sequences and on four slots that all hold the catalogue.
import { createProgress } from "../verify/progress.ts";
import { llamaTurn } from "./llama-turn.ts";
import { ownTurn } from "./ours.ts";
import { ask, callSchema, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

const clients = 4;

export async function timeFourClients(run: SpeedRun): Promise<void> {
  const { count, profile, measured } = run;
  const peer = await run.startPeer(clients);
  const model = await run.open({ sequences: clients, stateBytes: 2 ** 30 });
  const context = { model, profile };
  const batches = Math.max(1, Math.floor(count / clients));
  const progress = createProgress({ label: "four clients", total: batches });
  const questions = (batch: number) =>
    Array.from({ length: clients }, (_, client) => question(batch * clients + client));
  const ownBatch = (texts: readonly string[]) =>
    timed(() => Promise.all(texts.map((text) => ownTurn(context, ask(text)))));
  const peerBatch = (prompts: readonly string[]) =>
    timed(() => Promise.all(prompts.map((prompt) => llamaTurn(peer.url, { prompt, schema: callSchema }))));
  try {
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
