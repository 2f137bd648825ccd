// What each lever brings: the same warm question with it off and with all on, by turns in which goes first.
import { createProgress } from "../verify/progress.ts";
import { ownTurn } from "./ours.ts";
import { ask, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

const levers = ["forcedRuns", "drafts"] as const;

export async function timeLevers(run: SpeedRun): Promise<void> {
  const { count, profile, measured } = run;
  const all = await run.open();
  const progress = createProgress({ label: "levers", total: levers.length * count });
  try {
    await ownTurn({ model: all, profile }, ask("Convert 5 EUR to USD."));
    for (const name of levers) {
      const without = await run.open({ speed: { [name]: false } });
      try {
        await ownTurn({ model: without, profile }, ask("Convert 5 EUR to USD."));
        for (let index = 0; index < count; index++) {
          const time = async (model: typeof all) =>
            (await ownTurn({ model, profile }, ask(question(index)))).milliseconds;
          const first = index % 2 === 0 ? await time(all) : undefined;
          const off = await time(without);
          const on = first ?? (await time(all));
          measured.push({ type: "lever", name, on, off });
          progress.step(name);
        }
      } finally {
        await without.close();
      }
    }
  } finally {
    await all.close();
  }
  progress.finish();
}
