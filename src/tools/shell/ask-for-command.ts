// Asks for everything that a shell command is about to do: leave the workspace, read, write, run. Throws where any of it
// is denied. Runs nothing.
import { stat } from "node:fs/promises";
import { type ToolContext, ToolFailure } from "../tool.ts";
import { walkFiles } from "../walk-files.ts";
import type { Workspace } from "../workspace.ts";
import { type CommandPaths, findPaths } from "./command-paths.ts";
import { readCommand, type ShellReading } from "./read-command.ts";

/** Files of a folder that are judged one by one; a larger folder is asked about. */
const mostFiles = 5_000;
const deepest = 20;

/** Resolves where all of the command may run as it is now; what it names is looked at again after the last question. */
export async function askForCommand(
  workspace: Workspace,
  command: string,
  context: ToolContext,
): Promise<void> {
  if (command.includes("\0")) throw new ToolFailure("The command holds a NUL character.");
  const reading = readCommand(command);
  const written = reading.redirects.map(({ path }) => path);
  const paths = await findPaths(workspace, [...reading.words, ...written]);
  if (paths.outside.length > 0) {
    await context.ask({ permission: "outside", patterns: paths.outside, metadata: { command }, more: true });
  }
  const anyPath = [...new Set([...paths.inside, ...paths.possible])];
  await context.ask({ permission: "read", patterns: anyPath, denyOnly: true, more: true });
  await context.ask({ permission: "edit", patterns: anyPath, denyOnly: true, more: true });
  if (paths.inside.length > 0) {
    await context.ask({ permission: "read", patterns: paths.inside, metadata: { command }, more: true });
  }
  await askForRedirects(workspace, reading, context);
  const unclear = [reading.unclear, await describeTrees(workspace, reading, context)].filter(
    (reason) => reason !== undefined,
  );
  await context.ask({
    permission: "shell",
    patterns: reading.commands,
    metadata: { command },
    ...(unclear.length === 0 ? {} : { unclear: unclear.join("; ") }),
  });
  const now = await findPaths(workspace, [...reading.words, ...written]);
  if (!isSame(paths, now)) throw new ToolFailure("What the command names has changed meanwhile: look again.");
}

async function askForRedirects(
  workspace: Workspace,
  reading: ShellReading,
  context: ToolContext,
): Promise<void> {
  for (const { path, access } of reading.redirects) {
    if (path === "/dev/null") continue;
    const { inside, possible, outside } = await findPaths(workspace, [path]);
    // What lies outside was asked for already.
    if (outside.length > 0) continue;
    const patterns = [...new Set([...inside, ...possible])];
    await context.ask({ permission: access === "write" ? "edit" : "read", patterns, more: true });
  }
}

/** A program that reads a folder reads its files: those that may not be read unasked make the command a question. */
async function describeTrees(
  workspace: Workspace,
  reading: ShellReading,
  context: ToolContext,
): Promise<string | undefined> {
  for (const word of reading.trees) {
    const { inside } = await findPaths(workspace, [word]);
    for (const shown of inside) {
      // What is not there, or leads outside, has no files of the workspace to look at.
      const folder = await workspace.existing(shown).catch(() => undefined);
      if (folder === undefined || !(await stat(folder)).isDirectory()) continue;
      let files = 0;
      for await (const entry of walkFiles(folder, deepest, context.signal)) {
        files += 1;
        if (files > mostFiles) return `"${shown}" holds many files`;
        const name = workspace.display(entry.real);
        if (entry.kind === "file" && !context.isAllowed({ permission: "read", patterns: [name] })) {
          return `it may read ${name}`;
        }
      }
    }
  }
  return undefined;
}

function isSame(a: CommandPaths, b: CommandPaths): boolean {
  return JSON.stringify([a.inside, a.outside]) === JSON.stringify([b.inside, b.outside]);
}
