// `callwright mcp`: the tools of a folder as an MCP server on stdin and stdout.
import { createToolService } from "../agent/index.ts";
import { inheritedEnvironment } from "../models/index.ts";
import type { Command } from "./commander.ts";
import { interruptSignal } from "./interrupt.ts";
import { visibleText } from "./visible-text.ts";
import { addWorkspaceOptions, openSetup, type WorkspaceOptions } from "./workspace-options.ts";

/** Adds `mcp`. */
export function addMcpCommand(program: Command): void {
  addWorkspaceOptions(
    program
      .command("mcp")
      .description("Serve the tools of a folder to an MCP client, over stdin and stdout."),
    "read",
  )
    .addHelpText(
      "after",
      `
The agent "read" has tools that change nothing; "build" has those that write files and run commands too. Nobody can be
asked here: what --allow does not allow, and would be asked elsewhere, is denied. Ends when the client closes its end.
Other servers of --mcp are passed on, their tools behind the same rules.

Examples:
  callwright mcp
  callwright mcp --workspace ~/notes --agent build --allow edit --deny "edit:*.key"
A client's configuration:
  {"mcpServers": {"notes": {"command": "callwright", "args": ["mcp", "--workspace", "/home/me/notes"]}}}`,
    )
    .action((options: WorkspaceOptions) => serveTools(program.version() ?? "", options));
}

async function serveTools(version: string, options: WorkspaceOptions): Promise<void> {
  // Standard output belongs to the protocol.
  const notice = (text: string) => void process.stderr.write(`callwright: ${visibleText(text)}\n`);
  const setup = await openSetup(options, inheritedEnvironment(), notice);
  try {
    const { serveMcp } = await import("../server/mcp-server.ts");
    await serveMcp({
      tools: createToolService({
        sources: setup.sources({}),
        agent: setup.agent,
        permissions: { rules: setup.rules },
      }),
      name: "callwright",
      version,
      instructions: `Tools of the folder ${setup.workspace.root}. Paths are relative to it.`,
      onError: (error) => notice(error.message),
      signal: interruptSignal(),
    });
  } finally {
    await setup.close();
  }
}
