// The tool that lists a folder of the workspace. Shows names and sizes, never contents.
import { stat } from "node:fs/promises";
import { defineTool, type Tool, ToolFailure } from "./tool.ts";
import { type Entry, walkFiles } from "./walk-files.ts";
import type { Workspace } from "./workspace.ts";

type ListFilesInput = { readonly path?: string; readonly depth?: number };

/** Entries shown at most. */
const longestList = 200;

/** Lists the folders and files of a workspace's folder, up to 200 entries, saying what was left out. */
export function listFiles(workspace: Workspace): Tool {
  return defineTool<ListFilesInput>({
    name: "list_files",
    description: "List the names of files and folders. Use it to find out which files exist.",
    shortDescription: "List the files of a folder.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: 'Folder to list, "." for the top.' },
        depth: { type: "integer", minimum: 1, maximum: 5, description: "Levels of folders to show." },
      },
      additionalProperties: false,
    },
    permissions: ["read"],
    concurrency: "parallel",
    execute: async (input, context) => {
      const written = input.path ?? ".";
      const folder = await workspace.existing(written);
      await context.ask({ permission: "read", patterns: workspace.patterns(written, folder, "folder") });
      if (!(await stat(folder)).isDirectory()) {
        throw new ToolFailure(`"${workspace.display(folder)}" is a file: read it instead.`);
      }
      const lines: string[] = [];
      let leftOut = 0;
      for await (const entry of walkFiles(folder, input.depth ?? 1, context.signal)) {
        if (lines.length < longestList) lines.push(await describe(workspace, entry));
        else leftOut += 1;
      }
      const shown = workspace.display(folder);
      if (lines.length === 0) return { text: `The folder "${shown}" is empty.`, title: shown };
      const cut = leftOut === 0 ? [] : [`[${leftOut} more entries left out: list a folder inside instead]`];
      return { text: [...lines, ...cut].join("\n"), title: shown, metadata: { leftOut } };
    },
  });
}

async function describe(workspace: Workspace, entry: Entry): Promise<string> {
  const name = workspace.display(entry.real);
  if (entry.kind === "folder") return entry.ignored ? `${name}/ (not entered)` : `${name}/`;
  if (entry.kind !== "file") return `${name} (${entry.kind})`;
  const size = await stat(entry.real).then(
    (found) => `${found.size} bytes`,
    () => "unreadable",
  );
  return `${name} (${size})`;
}
