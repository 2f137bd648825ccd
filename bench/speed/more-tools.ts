// What more tools cost: compiling them, the prompt, and a warm call's time outside of llama.cpp, which is masks and matching.
import { compileTools } from "../../src/decode/compile-tools.ts";
import type { ToolDescription } from "../../src/vocabulary/index.ts";
import { createProgress } from "../verify/progress.ts";
import { medianOf } from "./intervals.ts";
import { ownTurn } from "./ours.ts";
import { ask, catalogue, question } from "./requests.ts";
import type { SpeedRun } from "./speed-run.ts";

const sizes = [1, 10, 50, 200];
const window = 40_000;

export async function timeMoreTools(run: SpeedRun): Promise<void> {
  const { profile, measured } = run;
  const progress = createProgress({ label: "more tools", total: sizes.length });
  for (const size of sizes) {
    const tools = toolsOf(size);
    const started = performance.now();
    compileTools(tools, { compile: { objects: "closed" }, onBadTool: "refuse" });
    const compile = performance.now() - started;
    const model = await run.open({ contextSize: window });
    try {
      const context = { model, profile: { ...profile, diet: { ...profile.diet, share: 1, tools: size } } };
      const first = await ownTurn(context, ask(question(0)), tools);
      const warm = [];
      for (let index = 1; index <= 5; index++)
        warm.push(await ownTurn(context, ask(question(index * 4)), tools));
      measured.push({
        type: "tools",
        tools: size,
        compile,
        prompt: first.usage.tokens.prefilled,
        warm: medianOf(warm.map(({ milliseconds }) => milliseconds)).median,
        outside: medianOf(
          warm.map(
            ({ milliseconds, evaluations }) =>
              milliseconds - evaluations.reduce((sum, each) => sum + each.milliseconds, 0),
          ),
        ).median,
      });
    } finally {
      await model.close();
    }
    progress.step(`${size} tools`);
  }
  progress.finish();
}

/** The catalogue's tools over and over, each time under other names. */
function toolsOf(size: number): readonly ToolDescription[] {
  return Array.from({ length: size }, (_, index) => {
    const tool = catalogue.tools[index % catalogue.tools.length] as ToolDescription;
    const round = Math.floor(index / catalogue.tools.length);
    return round === 0 ? tool : { ...tool, name: `${tool.name}_${round + 1}` };
  });
}
