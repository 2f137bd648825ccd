// Twelve tasks in a real workspace with the built-in tools and the default model: `npm run verify:tasks`. Success is judged by
// the files that are left; each run is kept in a journal, to be read with `callwright trace`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEngine } from "../src/engine.ts";
import {
  builtInAgents,
  changingTools,
  foldRun,
  openJournal,
  openWorkspace,
  parseRule,
} from "../src/index.ts";
import { defaultModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { type WorkspaceTask, workspaceTasks } from "./workspace-tasks.ts";

const options = readOptions("npm run verify:tasks", {
  model: `catalogue id or path (${defaultModel})`,
  only: "one task, by its id (all)",
  seed: "of the model (1)",
  journal: "folder for the runs' journal (a new one, which is named at the end)",
});
const seed = wholeNumber(options.seed, "seed", 1);
const journalFolder = options.journal ?? mkdtempSync(join(tmpdir(), "callwright-tasks-"));
const offered = new Set([
  "list_files",
  "read_file",
  "search_files",
  "write_file",
  "edit_file",
  "calculator",
  "read_result",
]);
const system = builtInAgents.find(({ name }) => name === "build")?.system ?? "";
const tasks = workspaceTasks.filter(({ id }) => options.only === undefined || id === options.only);
const engine = createEngine({
  model: options.model ?? defaultModel,
  fetch: true,
  permissions: { rules: [parseRule("edit", "allow")] },
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
const journal = openJournal({ folder: journalFolder });
let done = 0;
try {
  for (const task of tasks) {
    const { isDone, calls, reason, seconds } = await runTask(task);
    if (isDone) done += 1;
    process.stdout.write(
      `${isDone ? "done  " : "failed"} ${task.id.padEnd(8)} ${seconds.toFixed(0).padStart(3)} s, ${reason}: ${calls}\n`,
    );
  }
} finally {
  journal.close();
  await engine.close();
}
process.stdout.write(`${done} of ${tasks.length} tasks done; the runs are kept in ${journalFolder}\n`);

async function runTask(task: WorkspaceTask) {
  const folder = mkdtempSync(join(tmpdir(), "callwright-task-"));
  const started = performance.now();
  try {
    for (const [path, text] of Object.entries(task.files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const workspace = await openWorkspace(folder);
    const tools = changingTools(workspace, { environment: {} }).filter(({ name }) => offered.has(name));
    const id = journal.createSession({ title: task.id, workspace: folder, agent: "build" });
    const run = await journal.withSession(id, {}, (session) =>
      foldRun(
        engine.run({
          prompt: task.prompt,
          system,
          tools,
          session,
          seed,
          parallel: false,
          limits: { steps: 10 },
        }),
      ),
    );
    const left = filesOf(folder);
    const wanted = { ...task.files, ...task.after };
    const isDone =
      Object.keys(left).length === Object.keys(wanted).length &&
      Object.entries(wanted).every(([path, text]) => left[path]?.trimEnd() === text.trimEnd());
    const calls = run.messages
      .flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []))
      .map(({ name }) => name)
      .join(", ");
    return { isDone, calls, reason: run.reason, seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const),
  );
}
