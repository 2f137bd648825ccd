// The demo: from a fresh clone to a small model that answers a question by calling tools.
// Installs, builds and fetches what is missing; then runs a task whose right answer is known, and checks it.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root, say } from "./prepare.mjs";

const task = "Read the file prices.txt, then use the calculator to compute the sum of all prices.";
const rightAnswer = "51.85";

try {
  prepare();
  process.exitCode = await runDemo();
} catch (error) {
  process.stderr.write(`demo: ${error.message}\n`);
  process.exitCode = error.code === "aborted" ? 130 : (error.status ?? 1);
}

async function runDemo() {
  const { openWorkspace, readOnlyTools } = await fromDist("index.js");
  const { openEngine } = await fromDist("cli/model-options.js");
  const workspaceFolder = mkdtempSync(path.join(os.tmpdir(), "callwright-demo-"));
  try {
    cpSync(path.join(root, "bench", "sample-workspace"), workspaceFolder, { recursive: true });
    const tools = readOnlyTools(await openWorkspace(workspaceFolder));
    const engine = await openEngine({ fetch: true }, { tools });
    try {
      return await runTask(engine);
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(workspaceFolder, { recursive: true, force: true });
  }
}

async function runTask(engine) {
  const { createEventPrinter } = await fromDist("cli/print-events.js");
  const { builtInAgents } = await fromDist("agent/index.js");
  const { interruptSignal } = await fromDist("cli/interrupt.js");
  say(task);
  const print = createEventPrinter({ json: false });
  const seen = { answer: "", toolsByTurn: new Map(), reason: "error" };
  const signal = interruptSignal();
  for await (const event of engine.run({
    prompt: task,
    system: builtInAgents.find(({ name }) => name === "read").system,
    parallel: false,
    seed: 1,
    signal,
  })) {
    print(event);
    if (event.type === "turn-start") seen.answer = "";
    if (event.type === "text-delta") seen.answer += event.text;
    if (event.type === "tool-end" && event.outcome === "completed")
      seen.toolsByTurn.set(event.turn, event.name);
    if (event.type === "run-end") seen.reason = event.reason;
  }
  return judge(seen);
}

function judge({ answer, toolsByTurn, reason }) {
  if (reason === "aborted") return 130;
  const tools = new Set(toolsByTurn.values());
  const isRight = answer.includes(rightAnswer);
  const usesTools = tools.size >= 2 && toolsByTurn.size >= 2;
  say(isRight ? `right: the answer is ${rightAnswer}` : `wrong: the answer should be ${rightAnswer}`);
  if (!usesTools) say("wrong: it did not use two different tools in two turns");
  return isRight && usesTools ? 0 : 1;
}

function fromDist(file) {
  return import(pathToFileURL(path.join(root, "dist", file)).href);
}
