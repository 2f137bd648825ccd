// node-llama-cpp's own function calling on the same weights and questions, warm, beside ours.
import type { BenchItem } from "../../src/bench/bench-item.ts";
import { findModel } from "../../src/models/find-model.ts";
import { homeFolder } from "../../src/models/home-folder.ts";
import { openPeerArm } from "../peers/node-llama-cpp-arm.ts";
import { createProgress } from "../verify/progress.ts";
import { ownTurn } from "./ours.ts";
import { ask, catalogue, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

export async function timeNodeLlamaCpp(run: SpeedRun, name: string): Promise<void> {
  const { threads, profile, measured } = run;
  const { path } = await findModel(name, { home: homeFolder() });
  const rounds = Math.min(run.count, 10);
  const arm = await openPeerArm({
    name: "node-llama-cpp",
    path,
    contextSize: 4096,
    threads,
    maxTokens: 256,
    seed: 0,
    provenance: {},
  });
  const model = await run.open();
  const progress = createProgress({ label: "node-llama-cpp", total: rounds });
  try {
    for (let index = -1; index < rounds; index++) {
      const text = question(Math.max(0, index));
      const own = await ownTurn({ model, profile }, ask(text));
      const started = performance.now();
      const item: BenchItem = {
        id: String(index),
        category: "speed",
        messages: ask(text),
        tools: catalogue.tools,
        judge: () => undefined,
      };
      const answer = await arm.answer(item, AbortSignal.timeout(120_000));
      const other = performance.now() - started;
      // The first question brings the catalogue into both.
      if (index < 0) continue;
      measured.push({
        type: "node-llama-cpp",
        own: own.milliseconds,
        other,
        called: answer.calls.length > 0,
      });
      progress.step(answer.calls.length > 0 ? "called" : "no call");
    }
    progress.finish();
  } finally {
    await model.close();
    await arm.close();
  }
}
