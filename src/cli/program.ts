// The command line as commander sees it: commands, options, help. What a command does is in its own file.
import { readFileSync } from "node:fs";
import { addBenchCommands } from "./bench.ts";
import { addCallCommand } from "./call.ts";
import { addChatCommand } from "./chat.ts";
import { Command } from "./commander.ts";
import { exitCodeHelp } from "./exit-codes.ts";
import { addGrammarCommand } from "./grammar.ts";
import { addMcpCommand } from "./mcp.ts";
import { addModelsCommands } from "./models.ts";
import { addModelsProfileCommand } from "./models-profile.ts";
import { addRunCommand } from "./run.ts";
import { addServeCommand } from "./serve.ts";
import { addSessionsCommands } from "./sessions.ts";
import { addToolsCommand } from "./tools.ts";

/** The whole program, ready to parse. Throws `CommanderError` for wrong use, and what the commands throw. */
export function createProgram(): Command {
  const program = new Command("callwright")
    .description("Correct tool calls from small local language models.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "callwright: ")) })
    .showHelpAfterError("(add --help to see what there is)")
    .addHelpText(
      "after",
      `
Examples:
  callwright models pull qwen2.5-coder-0.5b-instruct-q4_k_m
  callwright run "Read the file notes.md and tell me the price of milk."
  callwright chat
  callwright call --tools tools.json --prompt "Weather in Oslo?"
  callwright serve
  callwright grammar schema.json --report
  callwright bench calls --sample 20
${exitCodeHelp}`,
    );
  addRunCommand(program);
  addChatCommand(program);
  addCallCommand(program);
  addServeCommand(program);
  addGrammarCommand(program);
  addModelsProfileCommand(addModelsCommands(program));
  addToolsCommand(program);
  addMcpCommand(program);
  addSessionsCommands(program);
  addBenchCommands(program);
  for (const command of [program, ...program.commands]) refuseUnknownCommands(command);
  return program;
}

/** Commander answers `models sing --help` with the help of `models`, as if `sing` were a command. */
function refuseUnknownCommands(command: Command): void {
  if (command.commands.length === 0) return;
  command.addHelpText("before", () => {
    const name = command.args[command.args[0] === "help" ? 1 : 0];
    if (name !== undefined && !name.startsWith("-")) {
      command.error(`error: unknown command '${name}'`, { code: "commander.unknownCommand" });
    }
    return "";
  });
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
