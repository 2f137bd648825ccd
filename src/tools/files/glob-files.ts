// The tool that finds files by a pattern of their paths.
import { stat } from "node:fs/promises";
import path from "node:path";
import { defineTool, type Tool, ToolFailure } from "../tool.ts";
import { walkFiles } from "../walk-files.ts";
import type { Workspace } from "../workspace.ts";

type GlobInput = { readonly pattern: string; readonly path?: string };

const longestList = 200;
const deepest = 20;

/** Lists files whose path below a folder matches, in order; says how many were left out. */
export function globFiles(workspace: Workspace): Tool {
  return defineTool<GlobInput>({
    name: "glob_files",
    description:
      'Find files by a pattern of their paths, such as "**/*.ts" or "src/{a,b}*.md". ** stands for any folders.',
    shortDescription: "Find files by a pattern such as **/*.ts.",
    inputSchema: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, maxLength: 300, description: "The pattern." },
        path: { type: "string", minLength: 1, description: "Folder to look in; everywhere if left out." },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    permissions: ["read"],
    concurrency: "parallel",
    execute: async ({ pattern, path: written = "." }, context) => {
      const folder = await workspace.existing(written);
      if (!(await stat(folder)).isDirectory())
        throw new ToolFailure(`"${written}" is a file: give a folder.`);
      await context.ask({ permission: "read", patterns: workspace.patterns(written, folder, "folder") });
      const matches = globExpression(pattern);
      const found: string[] = [];
      let total = 0;
      for await (const { real, kind } of walkFiles(folder, deepest, context.signal)) {
        if (kind !== "file" || !matches.test(path.relative(folder, real).split(path.sep).join("/"))) continue;
        total += 1;
        if (found.length < longestList) found.push(workspace.display(real));
      }
      if (total === 0) return { text: `No file matches "${pattern}".`, metadata: { total } };
      const more =
        total > found.length ? [`[${total - found.length} more left out: give a narrower pattern]`] : [];
      return { text: [...found, ...more].join("\n"), title: pattern, metadata: { total } };
    },
  });
}

/** `**`, `*`, `?`, `[…]` and `{…,…}`. A pattern without a slash matches names in any folder. */
export function globExpression(pattern: string): RegExp {
  const whole = pattern.includes("/") ? pattern.replace(/^\.?\//, "") : `**/${pattern}`;
  let source = "";
  let depth = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const rest = whole.slice(at);
    const [marks = ""] = /^\*\*\/|^\*\*|^\[[!^]?[^\]/]+\]/.exec(rest) ?? [];
    if (marks !== "") {
      source += marks === "**/" ? "(?:[^/]+/)*" : marks === "**" ? ".*" : classOf(marks);
      at += marks.length - 1;
      continue;
    }
    const character = whole.charAt(at);
    if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "{" && rest.includes("}")) {
      source += "(?:";
      depth += 1;
    } else if (character === "}" && depth > 0) {
      source += ")";
      depth -= 1;
    } else if (character === "," && depth > 0) source += "|";
    else source += character.replace(/[\\^$.|+()[\]{}]/, "\\$&");
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, "s");
}

function classOf(marks: string): string {
  const inner = marks.slice(1, -1).replace(/^[!^]/, "").replaceAll("\\", "\\\\").replaceAll("^", "\\^");
  return `${/^\[[!^]/.test(marks) ? "[^" : "["}${inner}]`;
}
