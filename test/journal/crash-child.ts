// Runs or resumes a seed's script in a journal and ends itself by SIGKILL at a step. Arguments: folder, seed, step.
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runLoop } from "../../src/agent/index.ts";
import { openJournal } from "../../src/journal/index.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Tool, ToolContext } from "../../src/tools/index.ts";
import { emptyUsage } from "../../src/vocabulary/index.ts";
import { fenceProfile, writeCalls } from "../agent/write-calls.ts";
import { drawScript, longOutput } from "./crash-draws.ts";

const [folder = "", seed = "0", killAt = "0"] = process.argv.slice(2);
let steps = 0;
const seen = new Map<string, number>();

const step = (name: string) => {
  steps += 1;
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  if (steps !== Number(killAt)) return;
  writeFileSync(path.join(folder, "point"), `${name} #${times}`);
  process.kill(process.pid, "SIGKILL");
};

const effect = (context: ToolContext) => {
  step("before effect");
  appendFileSync(path.join(folder, "effects"), `${context.callId}\n`);
  step("after effect");
};

const inputSchema = {
  type: "object",
  properties: { number: { type: "integer" } },
  required: ["number"],
  additionalProperties: false,
};

const tools: readonly Tool[] = [
  {
    name: "write",
    description: "Asks, then has an effect.",
    inputSchema,
    permissions: ["edit"],
    execute: async ({ number }, context) => {
      await context.ask({ permission: "edit", patterns: [String(number)] });
      effect(context);
      return { text: `wrote ${number}` };
    },
  },
  {
    name: "look",
    description: "Runs beside others.",
    inputSchema,
    concurrency: "parallel",
    execute: async ({ number }, context) => {
      await Promise.resolve();
      effect(context);
      return { text: `saw ${number}` };
    },
  },
  {
    name: "mark",
    description: "Has an effect without asking.",
    inputSchema,
    execute: async ({ number }, context) => {
      effect(context);
      return { text: `marked ${number}` };
    },
  },
  {
    name: "dump",
    description: "Gives a long output.",
    inputSchema,
    execute: async (_, context) => {
      effect(context);
      return { text: longOutput };
    },
  },
];

const journal = openJournal({ folder: path.join(folder, "journal"), observe: step });
const id = journal.list()[0]?.id ?? journal.createSession({ workspace: "/" });
await journal.withSession(id, {}, async (session) => {
  const history = session.history();
  const answered = history.filter(({ role }) => role === "assistant").length;
  const replies = [...drawScript(Number(seed)).map(({ calls }) => writeCalls(...calls)), "All done."];
  const model = createScriptedModel({ replies: replies.slice(answered) });
  const isOver =
    history.at(-1)?.role === "assistant" &&
    session.pendingCalls().length === 0 &&
    answered === replies.length;
  const messages = history.length === 0 ? [{ role: "user" as const, content: "Do it." }] : [];
  if (isOver && journal.read(id).runs.at(-1)?.reason === undefined) {
    // It died between its last answer and the note that it is over; there is nothing to go on with.
    session.endRun(journal.read(id).runs.at(-1)?.id ?? "", "done", emptyUsage);
  }
  if (isOver) return;
  const request = {
    messages,
    tools,
    session,
    parallel: true,
    limits: { steps: 40, identicalRounds: 20 },
    permissions: { allow: () => true },
  };
  for await (const _ of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
    // Only what it writes counts.
  }
});
journal.close();
