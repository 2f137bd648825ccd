// The first call of a process: a model that is opened anew for each question, with the catalogue's state on disk.
import { createProgress } from "../verify/progress.ts";
import { ownFigures, ownTurn } from "./ours.ts";
import { ask, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

export async function timeFirstCalls(run: SpeedRun): Promise<void> {
  const { count, profile, measured } = run;
  const progress = createProgress({ label: "first calls", total: count });
  const stateBytes = 2 ** 30;
  const writer = await run.open({ stateBytes });
  await ownTurn({ model: writer, profile }, ask("Convert 5 EUR to USD."));
  await writer.close();
  for (let index = 0; index < count; index++) {
    const model = await run.open({ stateBytes });
    try {
      const own = await ownTurn({ model, profile }, ask(question(index)));
      measured.push({ type: "first", own: ownFigures(own) });
    } finally {
      await model.close();
    }
    progress.step("first");
  }
  progress.finish();
}
