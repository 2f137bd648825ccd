// The crash matrix: runs that are ended by SIGKILL and resumed, and what must hold once they came to their end.
// Shared by the test and the long count.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { openJournal } from "../../src/journal/index.ts";
import { createRandom, drawScript, longOutput } from "./crash-draws.ts";

export interface CrashRun {
  /** Where the process was ended, each time. */
  readonly points: readonly string[];
  /** What does not hold; empty where all is well. */
  readonly faults: readonly string[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Bundles the child into one file, which starts ten times as fast as its sources; gives the file. */
export async function bundleChild(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "error",
    root,
    build: {
      ssr: path.join(root, "test", "journal", "crash-child.ts"),
      // As deep as a source file, from where data is found.
      outDir: path.join(folder, "src", "child"),
      minify: false,
      rollupOptions: { output: { entryFileNames: "child.mjs" } },
    },
  });
  for (const name of ["node_modules", "grammars"])
    symlinkSync(path.join(root, name), path.join(folder, name));
  return path.join(folder, "src", "child", "child.mjs");
}

/** Runs a seed's script, ended at drawn steps up to twice, resumed each time, and judges what came of it. */
export function runCrashing(child: string, seed: number): CrashRun {
  const folder = mkdtempSync(path.join(os.tmpdir(), "callwright-crash-"));
  const random = createRandom(seed * 7919 + 1);
  const points: string[] = [];
  try {
    mkdirSync(path.join(folder, "journal"));
    for (let attempt = 0; ; attempt += 1) {
      // The first steps are those of a new database; later ones are as likely.
      const killAt = attempt < 2 ? 1 + Math.floor(random() * (attempt === 0 ? 110 : 60)) : 0;
      const ended = spawnSync(process.execPath, [child, folder, String(seed), String(killAt)], {
        encoding: "utf8",
      });
      if (ended.signal === "SIGKILL") {
        points.push(readFileSync(path.join(folder, "point"), "utf8"));
        continue;
      }
      if (ended.status !== 0) return { points, faults: [`the run failed: ${ended.stderr}`] };
      return { points, faults: judge(folder, seed) };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(folder: string, seed: number): readonly string[] {
  const script = drawScript(seed);
  const journal = openJournal({ folder: path.join(folder, "journal") });
  try {
    const [summary, ...others] = journal.list();
    if (summary === undefined || others.length > 0) return [`${others.length + 1} sessions`];
    const session = journal.read(summary.id);
    const effects = readEffects(folder);
    const turns = session.history.flatMap((message) =>
      message.role === "assistant" && message.calls !== undefined ? [message.calls] : [],
    );
    const results = session.history.filter(({ role }) => role === "tool");
    const faults: string[] = [];
    const check = (isRight: boolean, fault: string) => {
      if (!isRight) faults.push(fault);
    };
    const made = turns.map((calls) => ({
      calls: calls.map(({ name, input }) => ({ name, arguments: input })),
    }));
    check(JSON.stringify(made) === JSON.stringify(script), "the calls made are not the script's");
    check(session.open === 0, `${session.open} calls have no end`);
    check(
      results.length === session.calls.length,
      `${results.length} results for ${session.calls.length} calls`,
    );
    check(session.history.at(-1)?.content === "All done.", "no answer at the end");
    check(session.runs.at(-1)?.reason === "done", `the last run ended by ${session.runs.at(-1)?.reason}`);
    for (const { id, name, state } of session.calls) {
      const times = effects.filter((effect) => effect === id).length;
      check(times <= 1, `${name} ${id} ran ${times} times`);
      check(state !== "completed" || times === 1, `${name} ${id} is completed and ran ${times} times`);
      check(state === "completed" || state === "interrupted", `${name} ${id} is ${state}`);
      const files = path.join(folder, "journal", "outputs", session.id);
      if (name === "dump" && state === "completed") {
        check(holdsWhole(files), `the output of ${id} is not whole`);
      }
    }
    check(
      effects.every((effect) => session.calls.some(({ id }) => id === effect)),
      "an effect of no call",
    );
    return faults;
  } finally {
    journal.close();
  }
}

function readEffects(folder: string): readonly string[] {
  const file = path.join(folder, "effects");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

function holdsWhole(folder: string): boolean {
  const first = path.join(folder, "r1.txt");
  return existsSync(first) && readFileSync(first, "utf8") === longOutput;
}
