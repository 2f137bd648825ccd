// `callwright run`: an agent does a task in a folder, within a session that can be resumed.
import { defaultRunLimits, listCatalogue, offeredTools } from "../agent/index.ts";
import type { Engine, EngineRunRequest } from "../engine.ts";
import { type Journal, openJournal, type Session } from "../journal/index.ts";
import { homeFolder, inheritedEnvironment, journalFolder } from "../models/index.ts";
import { defaultRules, hookPrompt } from "../tools/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import { findPerson, type Person } from "./ask-person.ts";
import { attachFiles } from "./attach-files.ts";
import type { Command } from "./commander.ts";
import { exitCodeOfRun, exitCodes } from "./exit-codes.ts";
import { interruptSignal } from "./interrupt.ts";
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
import { addWorkspaceOptions, openSetup, type Setup, type WorkspaceOptions } from "./workspace-options.ts";

export interface RunOptions extends ModelOptions, ReasoningOptions, WorkspaceOptions {
  readonly maxSteps: number;
  readonly parallel?: boolean;
  readonly system?: string;
  readonly file?: readonly string[];
  /** An id's beginning; true: the latest of the workspace. */
  readonly resume?: string | true;
  /** False: nothing is kept. */
  readonly session?: boolean;
  readonly json?: boolean;
}

/** Adds `run`. */
export function addRunCommand(program: Command): void {
  addWorkspaceOptions(
    addReasoningOptions(
      addModelOptions(
        program
          .command("run")
          .description(
            "Let the model do a task in a folder: by default it only reads, searches and computes.",
          )
          .argument("[prompt...]", "what to do; @path adds a file"),
      ),
    ),
    "read",
  )
    .option(
      "--file <path>",
      "add a file of the workspace to the prompt (repeatable)",
      (path: string, before: readonly string[] = []) => [...before, path],
    )
    .option(
      "--resume [session]",
      "go on with a session, the workspace's latest by default; without a prompt with what it left undone",
    )
    .option("--no-session", "keep nothing of this run")
    .option(
      "--max-steps <number>",
      "turns at most; the last one has no tools",
      wholeNumber,
      defaultRunLimits.steps,
    )
    .option("--parallel", "let one turn hold several calls; small models do better with one")
    .option("--system <text>", "instructions of your own instead of the agent's")
    .option("--json", "print events, one JSON object on each line")
    .addHelpText(
      "after",
      `
The answer goes to stdout, all else to stderr. The agent "read" changes nothing. "build" also writes files and runs commands:
each is asked first, unless --allow says otherwise; where nobody is at the terminal, what would be asked is denied.
Small models do best when told which file to read and what to do with it.

Examples:
  callwright run "Read the file notes.md and tell me the price of milk."
  callwright run "Read the file prices.txt, then use the calculator to compute the sum of all prices." --workspace data --json
  callwright run --agent build --allow edit "In config.json set the port to 8080."
  callwright run --resume`,
    )
    .action(async (words: readonly string[], options: RunOptions) => {
      process.exitCode = await runCommand(words.join(" "), options);
    });
}

/** Runs a prompt and prints what happens; gives the exit code. */
export async function runCommand(prompt: string, options: RunOptions): Promise<number> {
  if (prompt.trim() === "" && options.resume === undefined) {
    throw new CallwrightError(
      "request-invalid",
      "missing required argument 'prompt': say what to do, or --resume a session.",
    );
  }
  const notice = (text: string) => void process.stderr.write(`callwright: ${text}\n`);
  const setup = await openSetup(options, inheritedEnvironment(), notice);
  try {
    const engine = await openEngine(options);
    const found = findPerson();
    try {
      const full = prompt.trim() === "" ? "" : await attachFiles(prompt, options.file ?? [], setup.workspace);
      if (options.session === false)
        return await printRun(engine, runRequest(full, options, { setup, person: found?.person }), options);
      return await inSession(full, options, setup, (session) =>
        printRun(engine, runRequest(full, options, { setup, person: found?.person, session }), options),
      );
    } finally {
      found?.lines.close();
      await engine.close();
    }
  } finally {
    await setup.close();
  }
}

/** Holds a new session, or the one that is resumed. */
async function inSession(
  prompt: string,
  options: RunOptions,
  setup: Setup,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const journal = openJournal({ folder: journalFolder(homeFolder()) });
  try {
    const id =
      options.resume === undefined
        ? createSession(journal, prompt, setup)
        : resumed(journal, options.resume, setup);
    const onWait = (owner: string) =>
      void process.stderr.write(`callwright: waiting for ${owner}, which uses the session\n`);
    return await journal.withSession(id, { signal: interruptSignal(), onWait }, work);
  } finally {
    journal.close();
  }
}

/** The title is what was asked: a model asked for one would lose the prefix that it has read. */
export function createSession(journal: Journal, prompt: string, { workspace, agent }: Setup): string {
  const title = prompt.replace(/\s+/g, " ").trim().slice(0, 80);
  return journal.createSession({ workspace: workspace.root, title, agent: agent.name });
}

/** The session to go on with. Throws `session-unknown`. */
export function resumed(journal: Journal, wanted: string | true, { workspace }: Setup): string {
  const latest = journal.list().find((session) => session.workspace === workspace.root);
  const found = wanted === true ? latest : journal.find(wanted);
  if (found === undefined) {
    throw new CallwrightError("session-unknown", `There is no session of "${workspace.root}" to go on with.`);
  }
  if (found.workspace === workspace.root) return found.id;
  throw new CallwrightError(
    "session-unknown",
    `The session ${found.id} is one of "${found.workspace}": give that with --workspace.`,
  );
}

/** What the options ask of the engine. */
export function runRequest(
  prompt: string,
  options: RunOptions,
  more: { readonly setup: Setup; readonly person: Person | undefined; readonly session?: Session },
): EngineRunRequest {
  const { setup, person, session } = more;
  const { agent, rules, plugins } = setup;
  const sources = setup.sources({
    ...(session === undefined ? {} : { changes: { record: session.recordChange } }),
    ...(person === undefined ? {} : { answer: person.answer }),
  });
  return {
    ...(prompt === "" ? {} : { prompt }),
    system: hookPrompt(options.system ?? agent.system, plugins),
    ...turnOptions(options),
    parallel: options.parallel ?? false,
    limits: { steps: Math.max(Math.min(options.maxSteps, agent.steps ?? Infinity), 1) },
    tools: () => offeredTools({ sources, agent, rules: [...defaultRules, ...rules] }),
    onBadTool: "leave-out",
    permissions: { rules, ...(person === undefined ? {} : { allow: person.allow }) },
    ...(session === undefined ? {} : { session }),
  };
}

/** All tools with the reasons why they are offered or not. */
export function describeCatalogue(setup: Setup) {
  const { agent, rules } = setup;
  return listCatalogue({ sources: setup.sources({}), agent, rules: [...defaultRules, ...rules] });
}

async function printRun(engine: Engine, request: EngineRunRequest, options: RunOptions): Promise<number> {
  const print = createEventPrinter({ json: options.json ?? false });
  let code: number = exitCodes.bug;
  for await (const event of engine.run(request)) {
    print(event);
    if (event.type === "run-end") code = exitCodeOfRun(event.reason);
  }
  return code;
}
