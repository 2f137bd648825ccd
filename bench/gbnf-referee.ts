// llama.cpp as a judge of GBNF: whether a grammar loads, and which texts it accepts. Runs in a child process with a time
// limit, because its parser can hang on some grammars; a child that was lost is started again.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** One verdict per text, or why there is none. */
export type RefereeAnswer =
  | { readonly type: "verdicts"; readonly verdicts: readonly boolean[] }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "lost"; readonly isLoaded: boolean; readonly message: string };

export interface Referee {
  /** Asks for the verdicts on texts under a grammar. Texts with U+0000 end there for llama.cpp. */
  judge(gbnf: string, texts: readonly string[]): Promise<RefereeAnswer>;
  close(): void;
}

export interface RefereeOptions {
  readonly milliseconds?: number;
}

export const defaultRefereeOptions: Required<RefereeOptions> = { milliseconds: 10_000 };

const startMilliseconds = 60_000;
const childPath = fileURLToPath(new URL("./gbnf-referee-child.mjs", import.meta.url));

interface Child {
  readonly process: ChildProcess;
  /** The next line the child writes, or what happened instead. */
  read(milliseconds: number): Promise<string | undefined>;
}

/** A referee; one question at a time. Close it when done. */
export function createReferee(options: RefereeOptions = {}): Referee {
  const { milliseconds } = { ...defaultRefereeOptions, ...options };
  let child: Child | undefined;

  async function ready(): Promise<Child> {
    if (child !== undefined) return child;
    const started = startChild();
    const greeting = await started.read(startMilliseconds);
    if (greeting === undefined) {
      started.process.kill("SIGKILL");
      throw new Error(
        "The GBNF referee did not start; is node-llama-cpp's binary for this platform installed?",
      );
    }
    child = started;
    return started;
  }

  return {
    async judge(gbnf, texts) {
      const asked = await ready();
      asked.process.stdin?.write(`${JSON.stringify({ gbnf, texts })}\n`);
      const loaded = await asked.read(milliseconds);
      const isLoaded = loaded !== undefined && "isLoaded" in JSON.parse(loaded);
      const line = isLoaded ? await asked.read(milliseconds) : loaded;
      if (line === undefined) {
        asked.process.kill("SIGKILL");
        child = undefined;
        return {
          type: "lost",
          isLoaded,
          message: `no answer within ${milliseconds} ms, or the process ended`,
        };
      }
      return toAnswer(JSON.parse(line));
    },
    close() {
      child?.process.kill("SIGKILL");
      child = undefined;
    },
  };
}

function toAnswer(answer: {
  readonly verdicts?: readonly boolean[];
  readonly error?: string;
}): RefereeAnswer {
  if (answer.verdicts !== undefined) return { type: "verdicts", verdicts: answer.verdicts };
  return { type: "refused", message: answer.error ?? "no reason given" };
}

function startChild(): Child {
  const child = spawn(process.execPath, [childPath], { stdio: ["pipe", "pipe", "ignore"] });
  const lines: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let hasEnded = false;
  const deliver = (line: string | undefined): void => {
    const reader = waiting;
    waiting = undefined;
    if (reader !== undefined) reader(line);
    else if (line !== undefined) lines.push(line);
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("{")) deliver(line);
  });
  child.on("exit", () => {
    hasEnded = true;
    deliver(undefined);
  });
  // A write to a child that is gone shows as its end, which is reported above.
  child.stdin.on("error", () => deliver(undefined));
  return {
    process: child,
    read(milliseconds) {
      const line = lines.shift();
      if (line !== undefined || hasEnded) return Promise.resolve(line);
      return new Promise((resolve) => {
        const timer = setTimeout(() => deliver(undefined), milliseconds);
        waiting = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
      });
    },
  };
}
