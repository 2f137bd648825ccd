// The tool that searches the workspace's text files for a text or a regular expression.
// Own walk and own caps; what the caps left out is said.
import { stat } from "node:fs/promises";
import { createLineMatcher } from "./match-lines.ts";
import { readText, splitLines } from "./read-text.ts";
import { defineTool, type Tool, type ToolContext, ToolFailure, type ToolResult } from "./tool.ts";
import { walkFiles } from "./walk-files.ts";
import type { Workspace } from "./workspace.ts";

type SearchFilesInput = { readonly text: string; readonly path?: string; readonly regex?: boolean };

const mostMatches = 50;
const mostFiles = 5_000;
const longestLine = 300;
const deepest = 20;

/** Searches a workspace's files line by line, ignoring case; gives `path:line: text` for up to 50 lines. */
export function searchFiles(workspace: Workspace): Tool {
  return defineTool<SearchFilesInput>({
    name: "search_files",
    description:
      "Search all files for a word or phrase, ignoring case. Returns the matching lines with their file and line number.",
    shortDescription: "Search all files for a word or phrase.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 200, description: "Word or phrase to look for." },
        path: {
          type: "string",
          minLength: 1,
          description: "File or folder to search; all files if left out.",
        },
        regex: { type: "boolean", description: "true: text is a regular expression." },
      },
      required: ["text"],
      additionalProperties: false,
    },
    permissions: ["read"],
    concurrency: "parallel",
    execute: (input, context) => search(workspace, input, context),
  });
}

async function search(
  workspace: Workspace,
  input: SearchFilesInput,
  context: ToolContext,
): Promise<ToolResult> {
  const written = input.path ?? ".";
  const start = await workspace.existing(written);
  const kind = (await stat(start)).isDirectory() ? "folder" : "file";
  await context.ask({ permission: "read", patterns: workspace.patterns(written, start, kind) });
  const matchLines = createLineMatcher(input.text, input.regex ?? false);
  const found: string[] = [];
  const notes = new Set<string>();
  let files = 0;
  let matches = 0;
  let withheld = 0;
  for await (const real of filesBelow(start, context.signal)) {
    const name = workspace.display(real);
    // A file that may not be read unasked is asked about where it is read by name, not in a search.
    if (real !== start && !context.isAllowed({ permission: "read", patterns: [name] })) {
      withheld += 1;
      continue;
    }
    if (files >= mostFiles) {
      notes.add(`[stopped after ${mostFiles} files: give a path]`);
      break;
    }
    const lines = await readable(workspace, real, notes);
    if (lines === undefined) continue;
    files += 1;
    for (const index of matchLines(lines)) {
      matches += 1;
      if (found.length < mostMatches) found.push(`${name}:${index + 1}: ${cutLine(lines[index] ?? "")}`);
    }
  }
  if (withheld > 0) notes.add(`[${withheld} files not searched: reading them needs permission]`);
  if (matches > found.length) notes.add(`[${matches - found.length} more matching lines left out]`);
  if (matches === 0) found.push(`Nothing matches "${input.text}" (${files} files searched).`);
  return { text: [...found, ...notes].join("\n"), metadata: { matches, files } };
}

async function* filesBelow(start: string, signal: AbortSignal): AsyncGenerator<string> {
  if (!(await stat(start)).isDirectory()) {
    yield start;
    return;
  }
  for await (const entry of walkFiles(start, deepest, signal)) {
    if (entry.kind === "file") yield entry.real;
  }
}

/** Files that cannot be searched do not end the search; they are named. */
async function readable(
  workspace: Workspace,
  real: string,
  notes: Set<string>,
): Promise<readonly string[] | undefined> {
  const name = workspace.display(real);
  try {
    const file = await readText(workspace, real);
    if (file.type === "text") return splitLines(file.text);
    if (file.type === "too-large") notes.add(`[${name} not searched: ${file.bytes} bytes]`);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    notes.add(`[${error.message}]`);
    return undefined;
  }
}

function cutLine(line: string): string {
  const trimmed = line.trim();
  return trimmed.length <= longestLine ? trimmed : `${trimmed.slice(0, longestLine)} […]`;
}
