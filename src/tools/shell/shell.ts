// The tool that runs a shell command in the workspace. What it may run is asked before; how it runs is elsewhere.
import { defineTool, type Tool, ToolFailure } from "../tool.ts";
import type { Workspace } from "../workspace.ts";
import { askForCommand } from "./ask-for-command.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";

type ShellInput = { readonly command: string; readonly timeout?: number };

export interface ShellOptions {
  /** Variables that commands find; those by which a shell runs something unasked are left out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const defaultSeconds = 60;
const mostSeconds = 600;
/** Characters of output kept: its end, where errors and sums stand. */
const keptOutput = 200_000;

/** Runs a command, each time in a new shell at the workspace's top; gives its output's end and its exit code. */
export function shell(workspace: Workspace, options: ShellOptions): Tool {
  return defineTool<ShellInput>({
    name: "shell",
    description:
      "Run a shell command in the workspace and return its output and exit code. Each command starts anew at the top of the workspace. Use it for builds, tests and git; to read, search or change files use the tools for that.",
    shortDescription: "Run a shell command.",
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, maxLength: 4_000, description: "The command." },
        timeout: {
          type: "integer",
          minimum: 1,
          maximum: mostSeconds,
          description: `Seconds it may take; ${defaultSeconds} if left out.`,
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    permissions: ["shell"],
    concurrency: "alone",
    milliseconds: (input) => ((input.timeout ?? defaultSeconds) + 10) * 1_000,
    execute: async (input, context) => {
      await askForCommand(workspace, input.command, context);
      const seconds = input.timeout ?? defaultSeconds;
      const end = await runProcess(input.command, {
        folder: workspace.root,
        environment: options.environment,
        signal: context.signal,
        milliseconds: seconds * 1_000,
        kept: keptOutput,
        onOutput: (text) => context.progress(text),
      }).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        throw new ToolFailure(`No shell could be started: ${String(error)}.`, { cause: error });
      });
      const text = describeEnd(end, seconds);
      if (end.isLate) throw new ToolFailure(text);
      return { text, title: input.command, metadata: { exitCode: end.exitCode, dropped: end.dropped } };
    },
  });
}

function describeEnd(end: ProcessEnd, seconds: number): string {
  const head = end.dropped === 0 ? [] : [`[${end.dropped} characters before this were dropped]`];
  const body = end.output.trimEnd();
  const how = end.isLate
    ? `[stopped after ${seconds} s]`
    : end.signal !== null
      ? `[ended by ${end.signal}]`
      : end.exitCode === 0 && body !== ""
        ? undefined
        : `[exit code ${end.exitCode}]`;
  return [...head, ...(body === "" ? [] : [body]), ...(how === undefined ? [] : [how])].join("\n");
}
