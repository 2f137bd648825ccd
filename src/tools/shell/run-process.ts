// Runs one command in a shell of its own: output of both streams in order, its end kept, the whole process group killed
// when the command ends, takes too long or is aborted. Knows nothing of permissions.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

export interface ProcessOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** Characters of output that are kept, counted from its end. */
  readonly kept: number;
  readonly onOutput?: (text: string) => void;
}

export interface ProcessEnd {
  readonly output: string;
  /** Characters that came before what was kept. */
  readonly dropped: number;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isLate: boolean;
}

/** Milliseconds between asking a process group to end and killing it. */
const grace = 2_000;

/** Variables by which a shell runs or reads something before the command. */
const shellVariables =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH|GLOBIGNORE|IFS|PS4|BASH_FUNC_.*)$/;

/** Rejects with the signal's reason where it is aborted, once nothing of the command runs any more. */
export async function runProcess(command: string, options: ProcessOptions): Promise<ProcessEnd> {
  options.signal.throwIfAborted();
  const [shell, ...flags] = shellOf();
  const child = spawn(shell, [...flags, "-c", command], {
    cwd: options.folder,
    env: environmentOf(options.environment),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const tail = createTail(options.kept);
  const read = (text: string) => {
    tail.add(text);
    options.onOutput?.(text);
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  let isLate = false;
  let killer: NodeJS.Timeout | undefined;
  const end = () => {
    kill(child.pid, "SIGTERM");
    killer ??= setTimeout(() => kill(child.pid, "SIGKILL"), grace);
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, options.milliseconds);
  options.signal.addEventListener("abort", end, { once: true });
  try {
    const ended = await new Promise<Pick<ProcessEnd, "exitCode" | "signal">>((resolve, reject) => {
      child.once("error", reject);
      // What the command left running keeps the streams open; it ends with the command.
      child.once("exit", () => kill(child.pid, "SIGKILL"));
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    options.signal.throwIfAborted();
    return { ...ended, ...tail.read(), isLate };
  } finally {
    clearTimeout(timer);
    clearTimeout(killer);
    options.signal.removeEventListener("abort", end);
  }
}

/** The shell whose language is the one that commands are read in. */
function shellOf(): readonly [string, ...string[]] {
  const bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((file) => existsSync(file));
  return bash === undefined ? ["/bin/sh"] : [bash, "--noprofile", "--norc"];
}

function environmentOf(given: ProcessOptions["environment"]): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !shellVariables.test(name));
  const quiet = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb", NO_COLOR: "1" };
  return { ...Object.fromEntries(kept), ...quiet };
}

function kill(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return;
  try {
    process.kill(-group, signal);
  } catch (error) {
    // Nothing of the group runs any more.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function createTail(kept: number) {
  let text = "";
  let dropped = 0;
  return {
    add: (more: string) => {
      text += more;
      if (text.length <= kept * 2) return;
      dropped += text.length - kept;
      text = text.slice(-kept);
    },
    read: () => {
      const cut = Math.max(0, text.length - kept);
      return { output: text.slice(cut), dropped: dropped + cut };
    },
  };
}
