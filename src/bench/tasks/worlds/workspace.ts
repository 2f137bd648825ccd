// A workspace of text files in memory.
import { ToolFailure } from "../../../tools/index.ts";
import { entryOf, lines, textAt, type WorldTools } from "../world.ts";

export interface WorkspaceState {
  /** Text by path. Folders are only parts of paths. */
  files: Record<string, string>;
}

export const workspaceTools: WorldTools<WorkspaceState> = {
  list_files: ({ files }, input) => {
    const folder = textAt(input, "folder").replace(/^\.?\/?|\/+$/g, "");
    const inside = Object.keys(files).filter((path) => folder === "" || path.startsWith(`${folder}/`));
    return lines(inside.sort(), `There are no files in "${folder}".`);
  },
  read_file: ({ files }, input) => entryOf(files, pathAt(input), "file"),
  search_files: ({ files }, input) => {
    const wanted = textAt(input, "text").toLowerCase();
    const found = Object.entries(files).flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, at) => (line.toLowerCase().includes(wanted) ? [`${path}:${at + 1}: ${line}`] : [])),
    );
    return lines(found.sort(), "No file contains that.");
  },
  write_file: ({ files }, input) => {
    files[pathAt(input)] = textAt(input, "content");
    return "Written.";
  },
  append_line: ({ files }, input) => {
    const path = pathAt(input);
    const text = entryOf(files, path, "file");
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    files[path] = `${start}${textAt(input, "line")}\n`;
    return "Appended.";
  },
  replace_text: ({ files }, input) => {
    const path = pathAt(input);
    const text = entryOf(files, path, "file");
    const old = textAt(input, "old");
    const count = old === "" ? 0 : text.split(old).length - 1;
    if (count === 0) throw new ToolFailure(`"${old}" does not occur in ${path}.`);
    files[path] = text.replaceAll(old, () => textAt(input, "new"));
    return `Replaced ${count} times.`;
  },
  move_file: ({ files }, input) => {
    const from = pathAt(input, "from");
    const to = pathAt(input, "to");
    const text = entryOf(files, from, "file");
    if (Object.hasOwn(files, to)) throw new ToolFailure(`There is a file "${to}" already.`);
    delete files[from];
    files[to] = text;
    return "Moved.";
  },
  delete_file: ({ files }, input) => {
    const path = pathAt(input);
    entryOf(files, path, "file");
    delete files[path];
    return "Deleted.";
  },
};

function pathAt(input: Parameters<typeof textAt>[0], key = "path"): string {
  return textAt(input, key).replace(/^\.?\//, "");
}
