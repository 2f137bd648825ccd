// npm run bench:runtime: a session of 1,000 turns with a scripted model, each with a call: what the runtime itself costs by
// turn, whether memory and journal grow as they should, and how fast the session is opened again. Exit code 1 where a
// bound is broken.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runLoop } from "../src/agent/index.ts";
import { openDatabase } from "../src/journal/database.ts";
import { openJournal } from "../src/journal/index.ts";
import { migrations } from "../src/journal/schema.ts";
import type { GenerateRequest } from "../src/models/model.ts";
import { resolveProfile } from "../src/models/profile.ts";
import { createScriptedModel } from "../src/models/scripted.ts";
import type { Tool } from "../src/tools/index.ts";
import { fenceProfile, writeCalls } from "../test/agent/write-calls.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run bench:runtime -- [--turns 1000]", { turns: "turns, 1000 by default" });
const turns = wholeNumber(options.turns, "turns", 1_000);
const bounds = { recordMilliseconds: 5, reopenMilliseconds: 300, growth: 1.3, memoryMegabytes: 100 };

const folder = mkdtempSync(path.join(os.tmpdir(), "callwright-bench-"));
const look: Tool = {
  name: "look",
  description: "Looks",
  inputSchema: {
    type: "object",
    properties: { at: { type: "integer" } },
    required: ["at"],
    additionalProperties: false,
  },
  execute: async ({ at }) => ({ text: `saw ${at}` }),
};

/** Milliseconds from the end of a turn's decoding to the beginning of the next: calls, gate, journal, loop. */
const overheads: number[] = [];
const sizes: number[] = [];
const memory: number[] = [];
const collect = globalThis.gc;

/** Bytes of all pages, whether they stand in the file or in its log yet. */
function sizeOf(): number {
  const database = openDatabase({ file: path.join(folder, "journal.db"), migrations });
  const [pages] = database.all("PRAGMA page_count");
  const [page] = database.all("PRAGMA page_size");
  database.close();
  return Number(pages?.page_count) * Number(page?.page_size);
}

async function runSession(): Promise<void> {
  const journal = openJournal({ folder });
  const id = journal.createSession({ workspace: "/" });
  await journal.withSession(id, {}, async (session) => {
    const replies = Array.from({ length: turns }, (_, at) => writeCalls({ name: "look", arguments: { at } }));
    const model = createScriptedModel({ replies: [...replies, "Done."], pieceLength: 64 });
    const request = {
      messages: [{ role: "user" as const, content: "Look." }],
      tools: [look],
      limits: {
        steps: turns + 2,
        callsPerTool: turns + 2,
        tokens: Number.MAX_SAFE_INTEGER,
        milliseconds: 2 ** 31 - 1,
      },
      session,
    };
    let ended = 0;
    for await (const event of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
      if (event.type === "turn-end") ended = performance.now();
      if (event.type !== "tool-end") continue;
      overheads.push(performance.now() - ended);
      if (event.turn % Math.ceil(turns / 10) !== 0) continue;
      // The scripted model keeps all that it was asked; that is not the runtime's memory.
      (model.requests as GenerateRequest[]).length = 0;
      collect?.();
      sizes.push(sizeOf());
      memory.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
  });
  journal.close();
}

try {
  await runSession();
  const started = performance.now();
  const journal = openJournal({ folder });
  const [summary] = journal.list();
  const reopened = await journal.withSession(summary?.id ?? "", {}, async (session) => {
    session.history();
    return performance.now() - started;
  });
  journal.close();
  const sorted = [...overheads].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const step = (from: number, to: number) => ((sizes[to] ?? 0) - (sizes[from] ?? 0)) / (to - from);
  const growth = step(4, sizes.length - 1) / step(0, 4);
  const grown = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(
    `${turns} turns: ${median.toFixed(2)} ms by turn (95 %: ${p95.toFixed(2)} ms), bound ${bounds.recordMilliseconds}`,
  );
  say(
    `journal ${((sizes.at(-1) ?? 0) / 2 ** 20).toFixed(1)} MiB; growth of the second half over the first: ${growth.toFixed(2)}`,
  );
  say(
    `heap ${memory.map((size) => size.toFixed(0)).join(", ")} MiB${collect === undefined ? " (not collected)" : ""}`,
  );
  say(`opened again in ${reopened.toFixed(0)} ms, bound ${bounds.reopenMilliseconds}`);
  const isBroken =
    median > bounds.recordMilliseconds ||
    reopened > bounds.reopenMilliseconds ||
    growth > bounds.growth ||
    grown > bounds.memoryMegabytes;
  if (isBroken) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
