// One client: warm calls, the turn after a result, and conversations of which nothing is known. Each is put to both engines,
// by turns in which goes first.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../src/models/model.ts";
import type { Message } from "../../src/vocabulary/index.ts";
import { createProgress } from "../verify/progress.ts";
import { type LlamaTurn, llamaTurn } from "./llama-turn.ts";
import { type OwnTurn, ownFigures, ownTurn } from "./ours.ts";
import { afterCall, ask, askAfresh, callSchema, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

export type OneClientCase = "warm" | "follow-up" | "cold";

export async function timeOneClient(run: SpeedRun, wanted: ReadonlySet<string>): Promise<void> {
  const { count, profile, measured } = run;
  const peer = await run.startPeer(1);
  const model = await run.open();
  const context = { model, profile };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  try {
    const names = ["warm", "follow-up", "cold"].filter((name) => wanted.has(name));
    const progress = createProgress({ label: "one client", total: names.length * count });
    // Both have evaluated the catalogue before anything counts.
    const before = await ownTurn(context, ask("Convert 5 EUR to USD."));
    await llamaTurn(peer.url, { prompt: before.prompt, schema: callSchema });
    for (let index = 0; index < count && (wanted.has("warm") || wanted.has("follow-up")); index++) {
      const text = question(index);
      delay.enable();
      const { call } = await pair("warm", index, ask(text));
      delay.disable();
      progress.step("warm");
      if (!wanted.has("follow-up") || call === undefined) continue;
      await pair("follow-up", index, afterCall(text, call));
      progress.step("follow-up");
    }
    for (let index = 0; index < count && wanted.has("cold"); index++) {
      await pair("cold", index, askAfresh(question(index), index));
      progress.step("cold");
    }
    progress.finish();
    measured.push({
      type: "event-loop",
      longest: delay.max / 1e6,
      percentiles: [99, 99.9].map((share) => [share, delay.percentile(share) / 1e6] as const),
    });
  } finally {
    await model.close();
    peer.stop();
  }

  async function pair(name: OneClientCase, index: number, messages: readonly Message[]): Promise<OwnTurn> {
    let own: OwnTurn;
    let other: LlamaTurn;
    if (index % 2 === 0) {
      own = await ownTurn(context, messages);
      other = await llamaTurn(peer.url, { prompt: own.prompt, schema: callSchema });
    } else {
      const prompt = await promptOf(model, run, messages);
      other = await llamaTurn(peer.url, { prompt, schema: callSchema });
      own = await ownTurn(context, messages);
    }
    const isSame =
      own.call?.name === other.call?.name && isDeepStrictEqual(own.call?.input, other.call?.arguments);
    measured.push({ type: "pair", name, own: ownFigures(own), other, isSame });
    return own;
  }
}

/** The prompt of a turn that is left before anything is evaluated. */
async function promptOf(model: Model, { profile }: SpeedRun, messages: readonly Message[]): Promise<string> {
  const stopped = Object.create(model, {
    info: { value: model.info },
    renderTemplate: { value: model.renderTemplate.bind(model) },
    countTokens: { value: model.countTokens.bind(model) },
    generate: {
      value: async function* () {
        yield { type: "end", reason: "impossible" };
      },
    },
  }) as Model;
  return (await ownTurn({ model: stopped, profile }, messages)).prompt;
}
