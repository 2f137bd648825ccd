// Tools and plugins that a project brings in `.callwright/tools` and `.callwright/plugins`: programs of the workspace,
// loaded only where somebody said that they may be.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { CallwrightError, isAbsence } from "../vocabulary/index.ts";
import type { Plugin } from "./plugins.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** The tools that the files export, by default or by name, in the order of the files' names. Throws `tool-invalid`. */
export async function loadProjectTools(workspace: Workspace): Promise<readonly Tool[]> {
  const exports = await loadExports(workspace, "tools");
  return exports.flatMap(({ file, values }) =>
    values.flat().map((value) => {
      if (!isObject(value) || typeof value.name !== "string") throw notOne(file, "tool");
      return defineTool(value as unknown as Tool);
    }),
  );
}

/** The plugins that the files export. Throws `tool-invalid`. */
export async function loadProjectPlugins(workspace: Workspace): Promise<readonly Plugin[]> {
  const exports = await loadExports(workspace, "plugins");
  return exports.flatMap(({ file, values }) =>
    values.flat().map((value) => {
      if (!isObject(value) || typeof value.name !== "string") throw notOne(file, "plugin");
      return value as unknown as Plugin;
    }),
  );
}

interface Exports {
  readonly file: string;
  readonly values: readonly unknown[];
}

async function loadExports(workspace: Workspace, kind: "tools" | "plugins"): Promise<readonly Exports[]> {
  const folder = path.join(workspace.root, ".callwright", kind);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });
  const found: Exports[] = [];
  for (const name of names.filter((entry) => /\.(?:[cm]?js|ts|mts)$/.test(entry)).sort()) {
    const file = `.callwright/${kind}/${name}`;
    const real = await workspace.existing(file);
    try {
      const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(real).href);
      found.push({ file, values: "default" in module ? [module.default] : Object.values(module) });
    } catch (cause) {
      const needs = /\.m?ts$/.test(name)
        ? " TypeScript needs Node 22.18 or newer, else write JavaScript."
        : "";
      const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
      throw new CallwrightError("tool-invalid", `"${file}" cannot be loaded: ${reason}.${needs}`, { cause });
    }
  }
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function notOne(file: string, kind: string): CallwrightError {
  return new CallwrightError(
    "tool-invalid",
    `"${file}" exports something that is no ${kind}: it has no name.`,
  );
}
