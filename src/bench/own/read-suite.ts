// A suite of our own: a folder of `bench/suites/` with tools, items and what the suite is about. Its README says what the
// files hold. Every such suite is read here; what is special to one stands in its files.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject, Message, ToolDescription } from "../../vocabulary/index.ts";
import type { BenchItem, Suite } from "../bench-item.ts";
import { judgeTask, type TaskGoal } from "../tasks/judge-task.ts";
import { openTask, type WorldName, worldToolNames } from "../tasks/open-task.ts";
import { judgeCalls, type ToolNotes, type WantedCall } from "./judge-calls.ts";

/** `suite.json`. */
export interface SuiteFile {
  readonly about: string;
  /** Each item is asked once with so many tools, its own among them. Absent: with its own only. */
  readonly sizes?: readonly number[];
}

/** A line of `items.jsonl`. */
export interface ItemLine {
  readonly id: string;
  readonly category: string;
  /** Names of the tools offered; a task offers all of its world's. */
  readonly tools?: readonly string[];
  /** A prompt, or a whole conversation. */
  readonly prompt?: string;
  readonly messages?: readonly Message[];
  /** The calls that are right; none: no call is. */
  readonly calls: readonly WantedCall[];
  /** A task of several turns in a world; `calls` are then one way to solve it, in this order. */
  readonly task?: TaskLine;
  /** Lines that are variants of one question name it. */
  readonly family?: string;
}

export interface TaskLine {
  readonly world: WorldName;
  /** Name of a state in `states.json`. */
  readonly start: string;
  readonly goal: TaskGoal;
}

/** An entry of `tools.json`, by the tool's name. */
export type ToolEntry = ToolNotes & Pick<ToolDescription, "description">;

export interface SuiteFolder {
  readonly suite: SuiteFile;
  readonly tools: Readonly<Record<string, ToolEntry>>;
  readonly items: readonly ItemLine[];
  /** `system.txt`: the system text of every item. */
  readonly system?: string;
  /** `states.json`: what worlds begin with, by name. */
  readonly states?: Readonly<Record<string, JsonObject>>;
  /** SHA-256 over the files. */
  readonly hash: string;
}

/** Beside `src/` in the repository and beside `dist/` in the package. */
const suitesFolder = fileURLToPath(new URL("../../../bench/suites/", import.meta.url));

export function readSuite(name: string): Suite {
  const folder = readSuiteFolder(name);
  return {
    name,
    items: folder.items.flatMap((line) => toItems(folder, line)),
    provenance: { hash: folder.hash },
  };
}

export function readSuiteFolder(name: string): SuiteFolder {
  const read = (file: string) => readFileSync(join(suitesFolder, name, file), "utf8");
  const suite = read("suite.json");
  const tools = read("tools.json");
  const items = read("items.jsonl");
  const readIfThere = (file: string) => (existsSync(join(suitesFolder, name, file)) ? read(file) : undefined);
  const system = readIfThere("system.txt");
  const states = readIfThere("states.json");
  const hash = createHash("sha256");
  for (const text of [suite, tools, items, system ?? "", states ?? ""]) hash.update(text).update("\0");
  return {
    suite: JSON.parse(suite) as SuiteFile,
    tools: JSON.parse(tools) as Readonly<Record<string, ToolEntry>>,
    items: items
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ItemLine),
    ...(system === undefined ? {} : { system }),
    ...(states === undefined ? {} : { states: JSON.parse(states) as Readonly<Record<string, JsonObject>> }),
    hash: hash.digest("hex"),
  };
}

function toItems(folder: SuiteFolder, line: ItemLine): readonly BenchItem[] {
  const { sizes } = folder.suite;
  if (line.task !== undefined) return [toTaskItem(folder, line, line.task)];
  if (sizes === undefined) return [toItem(folder, line, line.tools ?? [])];
  return sizes.map((size) => ({
    ...toItem(folder, line, drawTools(folder, line, size)),
    id: `${line.id}-of-${size}`,
    category: size === 1 ? "1 tool" : `${size} tools`,
    family: line.family ?? line.id,
  }));
}

function toTaskItem(folder: SuiteFolder, line: ItemLine, { world, start, goal }: TaskLine): BenchItem {
  const { wanted: _, ...item } = toItem(folder, line, worldToolNames(world));
  const state = folder.states?.[start];
  if (state === undefined) throw new Error(`the suite has no state ${start}`);
  return {
    ...item,
    judge: ({ task, text }) =>
      task === undefined ? "not-done" : judgeTask(goal, { start: state, end: task.end }, text),
    task: openTask({ world, start: state, tools: item.tools }),
  };
}

function toItem({ tools, system }: SuiteFolder, line: ItemLine, offered: readonly string[]): BenchItem {
  const { id, category, prompt, messages, calls, family } = line;
  return {
    id,
    category,
    ...(family === undefined ? {} : { family }),
    messages: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      ...(messages ?? []),
      ...(prompt === undefined ? [] : [{ role: "user" as const, content: prompt }]),
    ],
    tools: offered.map((name) => {
      const { description, inputSchema } = toolAt(tools, name);
      return { name, description, inputSchema };
    }),
    wanted: calls.map(({ name }) => name),
    judge: (answer) => judgeCalls(answer.calls, calls, tools),
  };
}

/** The item's own tools and others of the catalogue, drawn by hash: each size holds the smaller ones, in mixed order. */
function drawTools({ tools }: SuiteFolder, line: ItemLine, size: number): readonly string[] {
  const rank = (name: string, use: string) =>
    createHash("sha256").update(`${use}\0${line.id}\0${name}`).digest("hex");
  const byRank = (names: readonly string[], use: string) =>
    names.toSorted((a, b) => (rank(a, use) < rank(b, use) ? -1 : 1));
  const own = line.tools ?? [];
  const others = Object.keys(tools).filter((name) => !own.includes(name));
  const drawn = byRank(others, "draw").slice(0, Math.max(0, size - own.length));
  return byRank([...own, ...drawn], "order");
}

function toolAt(tools: SuiteFolder["tools"], name: string): ToolEntry {
  const tool = tools[name];
  if (tool === undefined) throw new Error(`the suite has no tool ${name}`);
  return tool;
}
