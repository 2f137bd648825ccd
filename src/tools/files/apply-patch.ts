// The tool that changes files by a patch: all of it, or nothing.
import { defineTool, type Tool, ToolFailure } from "../tool.ts";
import { changeFiles, type FileSetting, type PlannedChange } from "./change-files.ts";
import { readBytes } from "./file-bytes.ts";
import { type FilePatch, type Hunk, parsePatch } from "./parse-patch.ts";
import { replaceLines } from "./replace-text.ts";
import { readLayout, writeLayout } from "./text-file.ts";

/** Adds, changes, moves and deletes files that were read before, by a patch of one or several files. */
export function applyPatch(setting: FileSetting): Tool {
  return defineTool<{ readonly patch: string }>({
    name: "apply_patch",
    description:
      "Change files by a patch. It begins with *** Begin Patch and ends with *** End Patch; in it stand *** Update File: path with lines that begin with a space, - or +, *** Add File: path with + lines, or *** Delete File: path. Read the files first.",
    shortDescription: "Change files by a patch.",
    inputSchema: {
      type: "object",
      properties: { patch: { type: "string", minLength: 1, description: "The patch." } },
      required: ["patch"],
      additionalProperties: false,
    },
    permissions: ["edit"],
    concurrency: "alone",
    execute: async ({ patch }, context) => {
      const patches = parsePatch(patch);
      const planned: PlannedChange[] = [];
      for (const one of patches) planned.push(...(await plan(setting, one)));
      const twice = planned.find(
        (change, at) => planned.findIndex(({ real }) => real === change.real) !== at,
      );
      if (twice !== undefined)
        throw new ToolFailure(`The patch changes "${twice.written}" twice: write one part for it.`);
      const diff = await changeFiles(setting, planned, context);
      const lines = patches.map(describe);
      return { text: lines.join("\n"), title: lines.join(", "), metadata: { diff } };
    },
  });
}

async function plan(setting: FileSetting, patch: FilePatch): Promise<readonly PlannedChange[]> {
  const { workspace, seen } = setting;
  const real =
    patch.type === "add" ? await workspace.creatable(patch.path) : await workspace.existing(patch.path);
  const name = workspace.display(real);
  const before = (await readBytes(workspace, real)) ?? null;
  const change = { written: patch.path, real, before };
  if (patch.type === "add") {
    if (before !== null) throw new ToolFailure(`There is a file "${name}" already: update it.`);
    return [{ ...change, after: Buffer.from(patch.text) }];
  }
  if (before === null) throw new ToolFailure(`There is no "${name}" any more.`);
  seen.check(real, name, before);
  if (patch.type === "delete") return [{ ...change, after: null }];
  const layout = readLayout(before, name);
  const after = writeLayout({ ...layout, text: applyHunks(layout.text, name, patch.hunks) });
  if (patch.moveTo === undefined) return [{ ...change, after }];
  const target = await workspace.creatable(patch.moveTo);
  const there = await readBytes(workspace, target);
  if (there !== undefined) throw new ToolFailure(`There is a file "${workspace.display(target)}" already.`);
  return [
    { written: patch.moveTo, real: target, before: null, after },
    { ...change, after: null },
  ];
}

function applyHunks(text: string, name: string, hunks: readonly Hunk[]): string {
  return hunks.reduce((current, hunk) => replaceLines(current, name, hunk), text);
}

function describe(patch: FilePatch): string {
  switch (patch.type) {
    case "add":
      return `Created "${patch.path}".`;
    case "delete":
      return `Deleted "${patch.path}".`;
    case "update":
      return patch.moveTo === undefined
        ? `Changed "${patch.path}".`
        : `Changed "${patch.path}" and moved it to "${patch.moveTo}".`;
    default:
      return patch satisfies never;
  }
}
