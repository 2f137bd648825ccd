// A remote engine for real: `npm run verify:remote`. Starts the llama-server of a Python wheel with a small model, asks it
// for calls as a remote `Model` does (the grammar enforced there, verified here), kills it in the midst of a call, starts it
// again on the same port and goes on.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSuite } from "../src/bench/own/read-suite.ts";
import { checkCall } from "../src/decode/check-call.ts";
import type { TurnResult } from "../src/decode/fold-turn.ts";
import { createEngine, type Engine } from "../src/engine.ts";
import { findModel } from "../src/models/find-model.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import type { ToolDescription } from "../src/vocabulary/index.ts";
import { type StartedServer, startLlamaServer, wheel } from "./schemas/llama-server.ts";
import { smallestModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:remote", {
  model: `the model that the server loads (${smallestModel})`,
  limit: "items to ask, those with the shortest tools first, each greedily and drawn at temperature 1 (13)",
  threads: "of the server (1)",
});
const limit = wholeNumber(options.limit, "limit", 13);
const { path: modelPath, id } = await findModel(options.model ?? smallestModel, {
  home: homeFolder(),
  fetch: true,
});
const start = (port?: number) =>
  startLlamaServer({
    modelPath,
    folder: join(homeFolder(), "bench", wheel.replaceAll("=", "-")),
    threads: wholeNumber(options.threads, "threads", 1),
    window: 4096,
    slots: 1,
    ...(port === undefined ? {} : { port }),
  });
let server: StartedServer = await start();
const url = `${server.url}/v1`;
// What is known of a server is found out anew in each run.
const home = await mkdtemp(join(tmpdir(), "callwright-verify-remote-"));
const engine = createEngine({
  model: url,
  home,
  // Small models go on and on in strings without a bound, which shows nothing here.
  profile: { calls: { stringLimit: 40, itemLimit: 3 }, context: { reserve: 512 } },
});
const faults: string[] = [];
try {
  const { model, profile } = await engine.open();
  process.stdout.write(
    `${wheel} with ${id}: window ${model.contextSize}, profile ${profile.name}, grammar ${model.enforcesGrammar ? "enforced" : "NOT enforced"}, prefix ${model.continuesPrefix ? "continued" : "NOT continued"}\n`,
  );
  if (!model.enforcesGrammar) faults.push("the server enforces no grammar");
  process.stdout.write(`${await askSuite(engine)}\n`);
  process.stdout.write(`${await killInTheMidst(engine)}\n`);
} finally {
  await engine.close();
  server.stop();
  await rm(home, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
process.stdout.write(faults.length === 0 ? "all as it should be\n" : `${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function askSuite(engine: Engine): Promise<string> {
  const sizeOf = ({ tools }: { readonly tools: readonly ToolDescription[] }) => JSON.stringify(tools).length;
  const items = readSuite("hard-schemas")
    .items.toSorted((a, b) => sizeOf(a) - sizeOf(b))
    .slice(0, limit);
  const progress = createProgress({ label: "turns", total: items.length * 2 });
  const count = { calls: 0, cut: 0, repairs: 0, attempts: 0, reused: 0 };
  for (const { id: name, messages, tools } of items) {
    for (const temperature of [0, 1]) {
      const result = await engine.call({
        messages,
        tools,
        toolChoice: "required",
        parallel: false,
        maxTokens: 160,
        sampling: { temperature },
        sampleCalls: true,
        seed: 7,
      });
      // A call that is cut off by the limit is never delivered, which is as it should be.
      if (result.finish === "length") count.cut += 1;
      else judge(name, result, tools);
      count.calls += result.calls.length;
      count.repairs += result.repairs.length;
      count.attempts += result.usage.attempts;
      count.reused += result.usage.tokens.reused;
      progress.step(`${name} ${result.finish}`);
    }
  }
  progress.finish();
  if (count.calls < Math.min(20, items.length)) faults.push(`only ${count.calls} calls were delivered`);
  return `${items.length * 2} turns: ${count.calls} calls, each judged by its schema, ${count.cut} cut off by the limit of tokens; ${count.attempts} attempts, ${count.repairs} repairs, ${count.reused} prompt tokens reused by the server`;
}

/** Strictly by the tool's own schema, which no grammar has a say in. */
function judge(name: string, { finish, calls }: TurnResult, tools: readonly ToolDescription[]): void {
  if (finish !== "calls" || calls.length === 0) faults.push(`${name} ended in ${finish} without a call`);
  for (const call of calls) {
    const [fault] = checkCall(call, tools);
    if (fault !== undefined)
      faults.push(`${name}: ${fault.pointer} expected ${fault.expected}, came ${fault.came}`);
  }
}

async function killInTheMidst(engine: Engine): Promise<string> {
  const story: ToolDescription = {
    name: "write_story",
    description: "Writes a story of four sentences.",
    inputSchema: {
      type: "object",
      properties: {
        sentences: {
          type: "array",
          items: { type: "string", pattern: "^[A-Z][a-z ]{30,39}$" },
          minItems: 3,
          maxItems: 3,
        },
      },
      required: ["sentences"],
    },
  };
  const request = { prompt: "Write a story about a ship.", tools: [story], toolChoice: "required" } as const;
  let written = "";
  let pieces = 0;
  let restarted: Promise<void> | undefined;
  let cutAt = "";
  let input: unknown;
  for await (const event of engine.turn(request)) {
    if (event.type === "call-end") input = event.input;
    if (event.type !== "call-delta") continue;
    written += event.text;
    pieces += 1;
    if (pieces !== 8) continue;
    cutAt = written;
    server.stop();
    restarted = start(Number(new URL(url).port)).then((again) => {
      server = again;
    });
  }
  await restarted;
  if (restarted === undefined) faults.push("the server was never killed: the call came in too few pieces");
  const [fault] = checkCall({ name: story.name, input: JSON.parse(JSON.stringify(input ?? null)) }, [story]);
  if (fault !== undefined)
    faults.push(`the call over the kill: expected ${fault.expected}, came ${fault.came}`);
  if (!written.startsWith(cutAt)) faults.push("what was told before the kill was told again");
  const after = await engine.call(request);
  judge("after the restart", after, [story]);
  return `killed after ${cutAt.length} characters of the call, started again, and the call went on to ${written.length} characters; one more call after it: ${after.finish}`;
}
