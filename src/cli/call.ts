// `callwright call`: one turn with tools from a file; prints the calls and executes nothing.
import { checkTools } from "../decode/check-tools.ts";
import type { Engine } from "../engine.ts";
import {
  CallwrightError,
  type FinishReason,
  type ToolChoice,
  type ToolDescription,
} from "../vocabulary/index.ts";
import type { Command } from "./commander.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import {
  addModelOptions,
  addReasoningOptions,
  type ModelOptions,
  openEngine,
  type ReasoningOptions,
  turnOptions,
} from "./model-options.ts";
import { createEventPrinter } from "./print-events.ts";
import { readToolsFile, type ToolsFile } from "./read-tools-file.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

export interface CallOptions extends ModelOptions, ReasoningOptions {
  readonly tools: string;
  readonly prompt: string;
  readonly system?: string;
  readonly toolChoice: string;
  readonly parallel: boolean;
  readonly leaveOutBadTools?: boolean;
  readonly json?: boolean;
}

/** Adds `call`. */
export function addCallCommand(program: Command): void {
  addReasoningOptions(
    addModelOptions(
      program
        .command("call")
        .description("Ask for tool calls once and print them; nothing is executed.")
        .requiredOption("--tools <file>", 'JSON list of tools, OpenAI, Anthropic or MCP shape; "-" for stdin')
        .requiredOption("--prompt <text>", "what the user says"),
    ),
  )
    .option("--system <text>", "instructions before the prompt")
    .option("--tool-choice <choice>", "auto, required, none, or a tool's name for one call of it", "auto")
    .option("--no-parallel", "at most one call")
    .option("--leave-out-bad-tools", "go on without tools whose schema is malformed or cannot be met")
    .option("--json", "print events, one JSON object on each line")
    .addHelpText(
      "after",
      `
Each call is one line on stdout: {"name": …, "arguments": {…}}. Text of the model goes to stderr.

Examples:
  callwright call --tools tools.json --prompt "Weather in Oslo?"
  callwright call --tools tools.json --prompt "Say hello" --tool-choice get_weather --json`,
    )
    .action(async (options: CallOptions) => {
      process.exitCode = await callCommand(options);
    });
}

/** Asks for calls and prints them; gives the exit code. */
export async function callCommand(options: CallOptions): Promise<ExitCode> {
  const read = await readToolsFile(options.tools);
  const toolChoice = readToolChoice(options.toolChoice, read.tools);
  // Tools that cannot be offered need not wait for the model.
  checkTools(read.tools, {
    toolChoice,
    onBadTool: options.leaveOutBadTools === true ? "leave-out" : "refuse",
  });
  const engine = await openEngine(options);
  try {
    return await printTurn(engine, read, toolChoice, options);
  } finally {
    await engine.close();
  }
}

function readToolChoice(text: string, tools: readonly ToolDescription[]): ToolChoice {
  if (text === "auto" || text === "required" || text === "none") return text;
  if (tools.some((tool) => tool.name === text)) return { name: text };
  const names = tools.map((tool) => tool.name).join(", ");
  throw new CallwrightError(
    "tool-choice-unknown",
    `There is no tool "${text}" to choose: write auto, required, none or one of ${names}.`,
  );
}

async function printTurn(
  engine: Engine,
  { tools, summary }: ToolsFile,
  toolChoice: ToolChoice,
  options: CallOptions,
): Promise<ExitCode> {
  const print = createEventPrinter({ json: options.json ?? false, textTo: "stderr" });
  let finish: FinishReason = "aborted";
  const events = engine.turn({
    prompt: options.prompt,
    ...(options.system === undefined ? {} : { system: options.system }),
    tools,
    toolChoice,
    ...(options.parallel ? {} : { parallel: false }),
    ...(options.leaveOutBadTools === true ? { onBadTool: "leave-out" as const } : {}),
    ...turnOptions(options),
  });
  for await (const event of events) {
    // Only now is it certain that the tools can be offered: an error before stands alone.
    if (event.type === "turn-start" && options.json !== true) {
      process.stderr.write(`${visibleText(summary)}\n`);
    }
    print(event);
    if (event.type === "turn-end") finish = event.finish;
    if (options.json === true || event.type !== "call-end") continue;
    process.stdout.write(jsonLine({ name: event.name, arguments: event.input }));
  }
  return exitCodeOfTurn(finish);
}

function exitCodeOfTurn(finish: FinishReason): ExitCode {
  if (finish === "stop" || finish === "calls") return exitCodes.done;
  return finish === "aborted" ? exitCodes.interrupted : exitCodes.unfinished;
}
