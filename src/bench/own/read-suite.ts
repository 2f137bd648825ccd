// A suite of our own: a folder of `bench/suites/` with tools, items and what the suite is about. Its README says what the
// files hold. Every such suite is read here; what is special to one stands in its files.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message, ToolDescription } from "../../vocabulary/index.ts";
import type { BenchItem, Suite } from "../bench-item.ts";
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
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** A prompt, or a whole conversation. */
  readonly prompt?: string;
  readonly messages?: readonly Message[];
  /** The calls that are right; none: no call is. */
  readonly calls: readonly WantedCall[];
  /** Lines that are variants of one question name it. */
  readonly family?: string;
}

/** An entry of `tools.json`, by the tool's name. */
export type ToolEntry = ToolNotes & Pick<ToolDescription, "description">;

export interface SuiteFolder {
  readonly suite: SuiteFile;
  readonly tools: Readonly<Record<string, ToolEntry>>;
  readonly items: readonly ItemLine[];
  /** `system.txt`: the system text of every item. */
  readonly system?: string;
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
  const system = existsSync(join(suitesFolder, name, "system.txt")) ? read("system.txt") : undefined;
  const hash = createHash("sha256");
  for (const text of [suite, tools, items, system ?? ""]) hash.update(text).update("\0");
  return {
    suite: JSON.parse(suite) as SuiteFile,
    tools: JSON.parse(tools) as Readonly<Record<string, ToolEntry>>,
    items: items
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ItemLine),
    ...(system === undefined ? {} : { system }),
    hash: hash.digest("hex"),
  };
}

function toItems(folder: SuiteFolder, line: ItemLine): readonly BenchItem[] {
  const { sizes } = folder.suite;
  if (sizes === undefined) return [toItem(folder, line, line.tools)];
  return sizes.map((size) => ({
    ...toItem(folder, line, drawTools(folder, line, size)),
    id: `${line.id}-of-${size}`,
    category: size === 1 ? "1 tool" : `${size} tools`,
    family: line.family ?? line.id,
  }));
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
  const others = Object.keys(tools).filter((name) => !line.tools.includes(name));
  const drawn = byRank(others, "draw").slice(0, Math.max(0, size - line.tools.length));
  return byRank([...line.tools, ...drawn], "order");
}

function toolAt(tools: SuiteFolder["tools"], name: string): ToolEntry {
  const tool = tools[name];
  if (tool === undefined) throw new Error(`the suite has no tool ${name}`);
  return tool;
}
