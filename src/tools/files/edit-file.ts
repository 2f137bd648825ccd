// The tool that replaces a text in a file.
import { defineTool, type Tool, ToolFailure } from "../tool.ts";
import { changeFiles, type FileSetting } from "./change-files.ts";
import { readBytes } from "./file-bytes.ts";
import { replaceText } from "./replace-text.ts";
import { readLayout, writeLayout } from "./text-file.ts";

type EditFileInput = {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean;
};

/** Replaces one place of a file that was read before; line ends, a byte order mark and the mode stay as they are. */
export function editFile(setting: FileSetting): Tool {
  const { workspace, seen } = setting;
  return defineTool<EditFileInput>({
    name: "edit_file",
    description:
      "Replace a text in a file that you have read. old_text must be copied from the file and stand in it once; give a few lines around it if need be.",
    shortDescription: "Replace a text in a file.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Path of the file." },
        old_text: { type: "string", minLength: 1, description: "The text as it stands in the file." },
        new_text: { type: "string", description: "The text to put in its place." },
        all: { type: "boolean", description: "true: replace every place." },
      },
      required: ["path", "old_text", "new_text"],
      additionalProperties: false,
    },
    permissions: ["edit"],
    concurrency: { resource: ({ path }) => path },
    execute: async (input, context) => {
      const real = await workspace.existing(input.path);
      const name = workspace.display(real);
      const before = await readBytes(workspace, real);
      if (before === undefined) throw new ToolFailure(`There is no "${name}" any more.`);
      seen.check(real, name, before);
      const layout = readLayout(before, name);
      const wanted = {
        oldText: plain(input.old_text),
        newText: plain(input.new_text),
        all: input.all ?? false,
      };
      const replaced = replaceText(layout.text, name, wanted);
      const after = writeLayout({ ...layout, text: replaced.text });
      const diff = await changeFiles(setting, [{ written: input.path, real, before, after }], context);
      const places = replaced.count === 1 ? "1 place" : `${replaced.count} places`;
      const how = replaced.matcher === "exact" ? "" : ` (${replaced.matcher})`;
      return {
        text: `Changed ${places} in "${name}"${how}.`,
        title: name,
        metadata: { diff, matcher: replaced.matcher },
      };
    },
  });

  function plain(text: string): string {
    return text.replaceAll("\r\n", "\n");
  }
}
