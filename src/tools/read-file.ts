// The tool that reads a text file of the workspace, whole or by a range of lines.
import type { SeenFiles } from "./files/seen-files.ts";
import { readText, splitLines } from "./read-text.ts";
import { defineTool, type Tool, ToolFailure } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

type ReadFileInput = { readonly path: string; readonly from_line?: number; readonly to_line?: number };

/** Characters of one result, and of one line in it. */
const longestResult = 60_000;
const longestLine = 2_000;
/** Lines of a file that is shown whole where a range beyond its end is asked for. */
const shortFile = 100;

/** Reads UTF-8 text of a workspace's file; says which lines were given and what was cut. `seen` notes what was read. */
export function readFile(workspace: Workspace, seen?: SeenFiles): Tool {
  return defineTool<ReadFileInput>({
    name: "read_file",
    description:
      "Read a text file and return its text. Only for a long file give the range of lines to read.",
    shortDescription: "Read a text file.",
    inputSchema: {
      type: "object",
      properties: {
        path: {
          type: "string",
          minLength: 1,
          description: "Path of the file.",
        },
        from_line: { type: "integer", minimum: 1, description: "First line to read, counted from 1." },
        to_line: { type: "integer", minimum: 1, description: "Last line to read." },
      },
      required: ["path"],
      additionalProperties: false,
    },
    permissions: ["read"],
    concurrency: "parallel",
    execute: async (input, context) => {
      const real = await workspace.existing(input.path);
      await context.ask({ permission: "read", patterns: workspace.patterns(input.path, real) });
      const name = workspace.display(real);
      const file = await readText(workspace, real);
      if (file.type === "binary") throw new ToolFailure(`"${name}" is not text (${file.bytes} bytes).`);
      if (file.type === "too-large") {
        throw new ToolFailure(`"${name}" is too large to read (${file.bytes} bytes): search it instead.`);
      }
      seen?.note(real, file.bytes);
      return { ...showRange(name, splitLines(file.text), input), title: name };
    },
  });
}

function showRange(name: string, lines: readonly string[], input: ReadFileInput) {
  if (lines.length === 0) return { text: `"${name}" is empty.` };
  // Small models fill in ranges that they were not asked for; a short file is more use to them than an error.
  const isBeyond = (input.from_line ?? 1) > lines.length;
  if (isBeyond && lines.length > shortFile) {
    throw new ToolFailure(
      `"${name}" has ${lines.length} lines: from_line ${input.from_line} is after its end.`,
    );
  }
  const from = isBeyond ? 1 : (input.from_line ?? 1);
  const to = isBeyond ? lines.length : Math.min(input.to_line ?? lines.length, lines.length);
  if (to < from) throw new ToolFailure(`to_line ${to} is before from_line ${from}.`);
  const shown: string[] = [];
  const notes: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1, to)) {
    const cut = cutLine(line);
    if (length + cut.length > longestResult && shown.length > 0) break;
    length += cut.length + 1;
    shown.push(cut);
  }
  const last = from + shown.length - 1;
  if (last < to) notes.push(`[cut after line ${last}: read on with from_line ${last + 1}]`);
  if (isBeyond) notes.push(`[line ${input.from_line} is after its end: all ${lines.length} lines are shown]`);
  if (from > 1 || last < lines.length) notes.push(`[lines ${from} to ${last} of ${lines.length}]`);
  return { text: [...shown, ...notes].join("\n"), metadata: { from, to: last, lines: lines.length } };
}

function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)} [${line.length - longestLine} characters of this line cut]`;
}
