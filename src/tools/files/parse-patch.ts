// Reads a patch that a model wrote: the form between "*** Begin Patch" and "*** End Patch", or a unified diff.
// Line numbers are not believed; where a change belongs is found by its lines.
import { ToolFailure } from "../tool.ts";

export interface Hunk {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export type FilePatch =
  | { readonly type: "add"; readonly path: string; readonly text: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** Throws `ToolFailure` that says which line cannot be read. */
export function parsePatch(text: string): readonly FilePatch[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const patches = lines.some((line) => line.startsWith("*** ")) ? parseMarked(lines) : parseUnified(lines);
  if (patches.length === 0) {
    throw new ToolFailure(
      'The patch names no file: begin with "*** Begin Patch" and "*** Update File: path".',
    );
  }
  return patches;
}

function parseMarked(lines: readonly string[]): readonly FilePatch[] {
  const sections = splitAt(lines, /^\*\*\* (?:Add|Update|Delete) File: /);
  return sections.map((section) => {
    const [head = "", ...rest] = section;
    const [, kind = "", path = ""] = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(head) ?? [];
    if (path === "") throw new ToolFailure(`The line "${head}" names no file.`);
    const body = rest.filter((line) => !/^\*\*\* (?:Begin|End) (?:Patch|of File)/.test(line));
    if (kind === "Delete") return { type: "delete", path };
    if (kind === "Add") return { type: "add", path, text: addedText(body, path) };
    const move = /^\*\*\* Move to: (.+?)\s*$/.exec(body[0] ?? "")?.[1];
    const hunks = readHunks(move === undefined ? body : body.slice(1), path);
    return { type: "update", path, ...(move === undefined ? {} : { moveTo: move }), hunks };
  });
}

function parseUnified(lines: readonly string[]): readonly FilePatch[] {
  const sections = splitAt(lines, /^--- /);
  return sections.map((section) => {
    const [from = "", to = "", ...body] = section;
    const [before, after] = [nameIn(from, "--- "), nameIn(to, "+++ ")];
    if (before === undefined || after === undefined) {
      throw new ToolFailure(`After the line "${from}" there must be one that begins with "+++ ".`);
    }
    if (after === "/dev/null") return { type: "delete", path: before };
    const hunks = readHunks(body, after);
    if (before !== "/dev/null") {
      return { type: "update", path: before, ...(before === after ? {} : { moveTo: after }), hunks };
    }
    return {
      type: "add",
      path: after,
      text: hunks.flatMap((hunk) => hunk.after.map((line) => `${line}\n`)).join(""),
    };
  });
}

/** The lines from each head on, up to the next; what stands before the first is left out. */
function splitAt(lines: readonly string[], head: RegExp): readonly (readonly string[])[] {
  const sections: string[][] = [];
  for (const line of lines) {
    if (head.test(line)) sections.push([line]);
    else sections.at(-1)?.push(line);
  }
  return sections;
}

function nameIn(line: string, mark: string): string | undefined {
  if (!line.startsWith(mark)) return undefined;
  const name = line.slice(mark.length).replace(/\t.*$/, "").trim();
  return name === "/dev/null" ? name : name.replace(/^[ab]\//, "");
}

function addedText(body: readonly string[], path: string): string {
  const lines = body.at(-1) === "" ? body.slice(0, -1) : body;
  const wrong = lines.find((line) => !line.startsWith("+"));
  if (wrong !== undefined)
    throw new ToolFailure(`Each line of the new file "${path}" begins with "+"; came "${wrong}".`);
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

function readHunks(body: readonly string[], path: string): readonly Hunk[] {
  const trimmed = body.at(-1) === "" ? body.slice(0, -1) : body;
  const blocks = splitAt(/^@@/.test(trimmed[0] ?? "") ? trimmed : ["@@", ...trimmed], /^@@/);
  return blocks
    .map(([, ...lines]) => readHunk(lines, path))
    .filter(({ before, after }) => before.length + after.length > 0);
}

function readHunk(lines: readonly string[], path: string): Hunk {
  const before: string[] = [];
  const after: string[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    switch (line.charAt(0)) {
      case "-":
        before.push(text);
        break;
      case "+":
        after.push(text);
        break;
      case " ":
      // Editors and models drop the space of an empty line.
      case "":
        before.push(text);
        after.push(text);
        break;
      case "\\":
        break;
      default:
        throw new ToolFailure(
          `In the patch of "${path}" each line begins with a space, "-" or "+"; came "${line}".`,
        );
    }
  }
  return { before, after };
}
