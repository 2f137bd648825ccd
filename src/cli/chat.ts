// `callwright chat`: prompts one after another in one session. What is typed while a run is busy waits for it; Ctrl-C ends
// the run and not the chat.
import { createInterface } from "node:readline";
import { createConversation, undoChanges } from "../agent/index.ts";
import type { Engine } from "../engine.ts";
import { openJournal, type Session } from "../journal/index.ts";
import { homeFolder, inheritedEnvironment, journalFolder } from "../models/index.ts";
import { ToolFailure } from "../tools/index.ts";
import type { RunEvent } from "../vocabulary/index.ts";
import { createPerson, type LineReader } from "./ask-person.ts";
import { attachFiles } from "./attach-files.ts";
import type { Command } from "./commander.ts";
import { addModelOptions, addReasoningOptions, openEngine, wholeNumber } from "./model-options.ts";
import { createEventPrinter } from "./print-events.ts";
import { createSession, describeCatalogue, type RunOptions, resumed, runRequest } from "./run.ts";
import { visibleText } from "./visible-text.ts";
import { addWorkspaceOptions, openSetup, type Setup } from "./workspace-options.ts";

const stepsOfRun = 30;

const help = `/tools  which tools there are, and why
/undo   take back the latest file changes
/help   this
/exit   leave (the session is kept: callwright chat --resume)`;

/** Adds `chat`. */
export function addChatCommand(program: Command): void {
  addWorkspaceOptions(
    addReasoningOptions(
      addModelOptions(program.command("chat").description("Talk with an agent that works in a folder.")),
    ),
    "build",
  )
    .option("--resume [session]", "go on with a session, the workspace's latest by default")
    .option("--max-steps <number>", "turns of one answer at most", wholeNumber, stepsOfRun)
    .option("--parallel", "let one turn hold several calls")
    .option("--system <text>", "instructions of your own instead of the agent's")
    .option("--json", "print events, one JSON object on each line")
    .addHelpText(
      "after",
      `
Prompts are read line by line; @path adds a file. Ctrl-C ends what is running, twice leaves.
${help}

Examples:
  callwright chat
  callwright chat --agent read --workspace docs
  callwright chat --resume`,
    )
    .action(async (options: RunOptions) => {
      await chat(options);
    });
}

async function chat(options: RunOptions): Promise<void> {
  const notice = (text: string) => void process.stderr.write(`callwright: ${text}\n`);
  const setup = await openSetup(options, inheritedEnvironment(), notice);
  const journal = openJournal({ folder: journalFolder(homeFolder()) });
  try {
    const engine = await openEngine(options);
    try {
      const id =
        options.resume === undefined
          ? createSession(journal, "", setup)
          : resumed(journal, options.resume, setup);
      const onWait = (owner: string) => notice(`waiting for ${owner}, which uses the session`);
      await journal.withSession(id, { onWait }, (session) => talk({ engine, options, setup, session }));
    } finally {
      await engine.close();
    }
  } finally {
    journal.close();
    await setup.close();
  }
}

export interface Talk {
  readonly engine: Pick<Engine, "run">;
  readonly options: RunOptions;
  readonly setup: Setup;
  readonly session: Session;
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output?: NodeJS.WritableStream;
  readonly print?: (event: RunEvent) => void;
}

/** Reads lines to the end of the input, or to `/exit`. */
export async function talk(talk: Talk): Promise<void> {
  const { engine, options, setup, session, input = process.stdin, output = process.stderr } = talk;
  const print = talk.print ?? createEventPrinter({ json: options.json ?? false });
  const write = (text: string) => void output.write(`${visibleText(text)}\n`);
  const isTerminal = input.isTTY === true;
  const lines = createInterface({ input, ...(isTerminal ? { output } : {}), prompt: "> " });
  const questions: ((line: string) => void)[] = [];
  const reader: LineReader = { question: (text, { signal }) => ask(text, signal) };
  const person =
    isTerminal || talk.input !== undefined ? createPerson(reader, (text) => output.write(text)) : undefined;
  let running: AbortController | undefined;
  const conversation = createConversation({
    run: (prompt) => {
      running = new AbortController();
      const more = { setup, session, person };
      return engine.run({ ...runRequest(prompt, options, more), signal: running.signal });
    },
  });
  let last: Promise<void> = Promise.resolve();
  let isOver = false;
  lines.on("SIGINT", () => {
    // The first ends the run; where nothing runs, it leaves.
    if (running === undefined) lines.close();
    else running.abort();
  });
  const closed = new Promise<void>((resolve) => {
    lines.once("close", () => {
      isOver = true;
      // Nobody answers any more: that is a no.
      for (const question of questions.splice(0)) question("");
      resolve();
    });
  });
  lines.on("line", (line) => {
    const waiting = questions.shift();
    if (waiting !== undefined) waiting(line);
    else if (line.trim() === "/exit") lines.close();
    else if (line.trim() !== "") last = last.then(() => answer(line.trim()));
    else prompt();
  });
  prompt();
  await closed;
  // What was typed before the end is still answered.
  await last;

  function prompt(): void {
    if (isTerminal && !isOver) lines.prompt();
  }

  function ask(text: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      questions.push(resolve);
      signal.addEventListener("abort", () => leave(resolve, () => reject(signal.reason)), { once: true });
      output.write(text);
    });
  }

  /** A question that is not open any more takes no line. */
  function leave(question: (line: string) => void, then: () => void): void {
    const at = questions.indexOf(question);
    if (at < 0) return;
    questions.splice(at, 1);
    then();
  }

  async function answer(line: string): Promise<void> {
    try {
      if (line.startsWith("/")) write(await command(line));
      else {
        const full = await attachFiles(line, [], setup.workspace);
        for await (const event of conversation.send(full)) print(event);
      }
    } catch (error) {
      // One prompt that fails is not the end of the chat.
      write(`callwright: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      running = undefined;
    }
    prompt();
  }

  async function command(line: string): Promise<string> {
    switch (line) {
      case "/tools":
        return describeCatalogue(setup)
          .map(
            ({ tool, source, isOffered, reason }) =>
              `${isOffered ? " " : "-"} ${tool.name}  ${source}: ${reason}`,
          )
          .join("\n");
      case "/undo":
        return undo();
      case "/help":
        return help;
      default:
        return `There is no ${line.split(" ")[0]}.\n${help}`;
    }
  }

  async function undo(): Promise<string> {
    try {
      const undone = await undoChanges(setup.workspace, session);
      return undone === undefined
        ? "There is nothing to take back."
        : `Taken back: ${undone.paths.join(", ")}`;
    } catch (error) {
      if (error instanceof ToolFailure) return error.message;
      throw error;
    }
  }
}
