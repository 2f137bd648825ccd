// Starts the binary from its sources in a process of its own.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BinaryOptions {
  readonly input?: string;
  readonly home?: string;
  /** In a group of processes of its own, which can be signalled as a whole. */
  readonly detached?: boolean;
}

export function startBinary(args: readonly string[], options: BinaryOptions = {}) {
  const loader = new URL("../../scripts/typescript.mjs", import.meta.url).href;
  return spawn(process.execPath, ["--import", loader, "src/cli/main.ts", ...args], {
    cwd: root,
    detached: options.detached ?? false,
    env: { ...process.env, CALLWRIGHT_HOME: options.home ?? "/nowhere", CALLWRIGHT_DEBUG: "" },
  });
}

/** Runs the binary to its end. */
export function runBinary(args: readonly string[], options: BinaryOptions = {}): Promise<Ended> {
  const child = startBinary(args, options);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
