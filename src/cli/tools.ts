// `callwright tools`: which tools an agent has, and why.
import { inheritedEnvironment } from "../models/index.ts";
import type { Command } from "./commander.ts";
import { describeCatalogue } from "./run.ts";
import { jsonLine, visibleText } from "./visible-text.ts";
import { addWorkspaceOptions, openSetup, type WorkspaceOptions } from "./workspace-options.ts";

interface ToolsOptions extends WorkspaceOptions {
  readonly why?: boolean;
  readonly json?: boolean;
}

/** Adds `tools`. */
export function addToolsCommand(program: Command): void {
  addWorkspaceOptions(
    program.command("tools").description("List the tools that an agent is offered in a folder."),
    "build",
  )
    .option("--why", "also those that are hidden, and what decides it")
    .option("--json", "print one JSON object for each tool")
    .addHelpText(
      "after",
      `
Examples:
  callwright tools
  callwright tools --why --agent read --deny "shell"
  callwright tools --why --mcp servers.json --json`,
    )
    .action(async (options: ToolsOptions) => {
      const notice = (text: string) => void process.stderr.write(`callwright: ${text}\n`);
      const setup = await openSetup(options, inheritedEnvironment(), notice);
      try {
        const entries = describeCatalogue(setup).filter(({ isOffered }) => options.why || isOffered);
        const width = Math.max(...entries.map(({ tool }) => tool.name.length), 0);
        for (const { tool, source, isOffered, reason } of entries) {
          const { name, description, inputSchema } = tool;
          const line = `${isOffered ? " " : "-"} ${name.padEnd(width)}  ${source}: ${reason}`;
          const text = options.why ? line : `${name.padEnd(width)}  ${description.split("\n")[0]}`;
          const record = { name, source, isOffered, reason, description, inputSchema };
          process.stdout.write(options.json ? jsonLine(record) : `${visibleText(text)}\n`);
        }
      } finally {
        await setup.close();
      }
    });
}
