// The tool that writes a whole file.
import { defineTool, type Tool } from "../tool.ts";
import { changeFiles, type FileSetting } from "./change-files.ts";
import { readBytes } from "./file-bytes.ts";

type WriteFileInput = { readonly path: string; readonly content: string };

/** Creates a file, or replaces one that was read before. The path comes first, so that a small model names it first. */
export function writeFile(setting: FileSetting): Tool {
  const { workspace, seen } = setting;
  return defineTool<WriteFileInput>({
    name: "write_file",
    description:
      "Write a new text file, or replace the whole text of one that you have read. To change a part of a file use edit_file.",
    shortDescription: "Write a whole text file.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Path of the file." },
        content: { type: "string", description: "The whole text." },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
    permissions: ["edit"],
    concurrency: { resource: ({ path }) => path },
    execute: async ({ path, content }, context) => {
      const real = await workspace.creatable(path);
      const before = (await readBytes(workspace, real)) ?? null;
      const name = workspace.display(real);
      if (before !== null) seen.check(real, name, before);
      const after = Buffer.from(content);
      const diff = await changeFiles(setting, [{ written: path, real, before, after }], context);
      const done = before === null ? "Created" : "Replaced";
      return { text: `${done} "${name}" (${after.length} bytes).`, title: name, metadata: { diff } };
    },
  });
}
