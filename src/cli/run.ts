// `callwright run`: an agent with read-only tools answers a question about a folder.
import { defaultRunLimits } from "../agent/index.ts";
import type { Engine } from "../engine.ts";
import { openWorkspace, readOnlyTools } from "../tools/index.ts";
import type { RunEvent } from "../vocabulary/index.ts";
import type { Command } from "./commander.ts";
import { exitCodeOfRun, exitCodes } from "./exit-codes.ts";
import {
  addModelOptions,
  addReasoningOptions,
  type ModelOptions,
  openEngine,
  type ReasoningOptions,
  turnOptions,
  wholeNumber,
} from "./model-options.ts";
import { createEventPrinter } from "./print-events.ts";

export interface RunOptions extends ModelOptions, ReasoningOptions {
  readonly workspace: string;
  readonly maxSteps: number;
  readonly parallel?: boolean;
  readonly system: string;
  readonly json?: boolean;
}

/** Short, because a small model reads every word of it with every request. */
export const systemPrompt =
  "You are a helpful assistant. Call one tool at a time. When you have its result, call the next tool or answer.";

/** Adds `run`. */
export function addRunCommand(program: Command): void {
  addReasoningOptions(
    addModelOptions(
      program
        .command("run")
        .description("Let the model answer with tools that read files, search them and compute.")
        .argument("<prompt...>", "what to do"),
    ),
  )
    .option("--workspace <folder>", "folder the tools may read", ".")
    .option(
      "--max-steps <number>",
      "turns at most; the last one has no tools",
      wholeNumber,
      defaultRunLimits.steps,
    )
    .option("--parallel", "let one turn hold several calls; small models do better with one")
    .option("--system <text>", "instructions of your own", systemPrompt)
    .option("--json", "print events, one JSON object on each line")
    .addHelpText(
      "after",
      `
The answer goes to stdout, all else to stderr. Nothing is changed: the tools only read.
Small models do best when told which file to read and what to do with it.

Examples:
  callwright run "Read the file notes.md and tell me the price of milk."
  callwright run "Read the file prices.txt, then use the calculator to compute the sum of all prices." --workspace data --json`,
    )
    .action(async (words: readonly string[], options: RunOptions) => {
      process.exitCode = await runCommand(words.join(" "), options);
    });
}

/** Runs a prompt and prints what happens; gives the exit code. */
export async function runCommand(prompt: string, options: RunOptions): Promise<number> {
  const workspace = await openWorkspace(options.workspace);
  const engine = await openEngine(options, { tools: readOnlyTools(workspace) });
  try {
    return await printRun(engine, prompt, options);
  } finally {
    await engine.close();
  }
}

async function printRun(engine: Engine, prompt: string, options: RunOptions): Promise<number> {
  const print = createEventPrinter({ json: options.json ?? false });
  let code: number = exitCodes.bug;
  const events: AsyncIterable<RunEvent> = engine.run({
    prompt,
    system: options.system,
    ...turnOptions(options),
    parallel: options.parallel ?? false,
    limits: { steps: Math.max(options.maxSteps, 1) },
  });
  for await (const event of events) {
    print(event);
    if (event.type === "run-end") code = exitCodeOfRun(event.reason);
  }
  return code;
}
