// A task of several turns: a world to open afresh for each try, and the judge of what it was left as.
import type { Tool } from "../../tools/index.ts";
import type { JsonObject, ToolDescription } from "../../vocabulary/index.ts";
import type { BenchTask } from "../bench-item.ts";
import type { WorldTools } from "./world.ts";
import { calendarTools } from "./worlds/calendar.ts";
import { shopTools } from "./worlds/shop.ts";
import { workspaceTools } from "./worlds/workspace.ts";

/** Tools of the worlds by name. Their states are as the suite's files have them. */
const worlds = {
  workspace: workspaceTools as WorldTools<never>,
  shop: shopTools as WorldTools<never>,
  calendar: calendarTools as WorldTools<never>,
} as const;

export type WorldName = keyof typeof worlds;

export function worldToolNames(world: WorldName): readonly string[] {
  return Object.keys(worlds[world]);
}

/** Every opening begins with a copy of the state; the copies share nothing. */
export function openTask(options: {
  readonly world: WorldName;
  readonly start: JsonObject;
  readonly tools: readonly ToolDescription[];
}): BenchTask {
  const functions = worlds[options.world];
  return {
    open: () => {
      const state = structuredClone(options.start);
      const tools = options.tools.map((description): Tool => {
        const run = functions[description.name];
        if (run === undefined) throw new Error(`the world ${options.world} has no tool ${description.name}`);
        // The state has the world's shape because the suite's tests run every task's solution in it.
        return { ...description, execute: async (input) => ({ text: run(state as never, input) }) };
      });
      return { tools, state: () => structuredClone(state) };
    },
  };
}
