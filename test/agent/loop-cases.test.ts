// Runs the loop cases of real users' failures against the agent loop, with the model and the tools scripted as they say.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { foldRun, type PermissionPolicy, runLoop } from "../../src/agent/index.ts";
import type { Levers } from "../../src/decode/levers.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import type { JsonSchema, RunEvent } from "../../src/vocabulary/index.ts";
import { durableLoopCases, loopCasesLeftOut } from "./loop-cases-left-out.ts";
import { fenceProfile, type WrittenCall, writeCalls } from "./write-calls.ts";

interface LoopCase {
  readonly id: string;
  readonly kind: string;
  readonly input: {
    readonly tools: readonly {
      readonly function: {
        readonly name: string;
        readonly description?: string;
        readonly parameters: JsonSchema;
      };
    }[];
    readonly user: string;
    readonly modelScript: readonly ScriptedTurn[];
    readonly toolScript?: Readonly<Record<string, readonly string[] | { readonly generate: string }>>;
    readonly toolIdentity?: Readonly<Record<string, readonly string[]>>;
    readonly permissions?: readonly {
      readonly match: string;
      readonly ask?: boolean;
      readonly answers?: readonly string[];
    }[];
    readonly limits?: {
      readonly identicalRounds?: number;
      readonly sameToolMax?: number;
      readonly denials?: number;
    };
  };
  readonly expected: LoopExpectation;
}

type ScriptedTurn =
  | { readonly text: string }
  | { readonly call: WrittenCall }
  | { readonly calls: readonly WrittenCall[] };

interface LoopExpectation {
  readonly toolExecutions?: number;
  readonly toolExecutionsMax?: number;
  readonly validationErrorsToModel?: number;
  readonly feedbackMentions?: readonly string[];
  readonly correctiveMessages?: number;
  readonly nudges?: number;
  readonly promptsToUser?: number;
  readonly deniedResultsToModelMin?: number;
  readonly resultsToModel?: number;
  readonly outcome?: string;
  readonly outcomeIn?: readonly string[];
  readonly reason?: string;
  readonly reasonIn?: readonly string[];
  readonly finalText?: string;
  /** For people. */
  readonly log?: string;
}

const folder = new URL("../cases/", import.meta.url);

const cases = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as LoopCase)
  .filter(({ kind, id }) => kind === "loop" && !(id in loopCasesLeftOut) && !durableLoopCases.includes(id));

/** Cases whose model makes mistakes that the grammar rules out; they are run without it, each mistake told to the model. */
const withoutGrammar: Partial<Levers> = { grammar: "off", rewind: false };
const leversOf: Readonly<Record<string, Partial<Levers>>> = {
  "u033-invalid-arguments-are-recoverable": withoutGrammar,
  "u084-unknown-tool-bounded-retries": withoutGrammar,
};

test("there are loop cases to run", () => {
  expect(cases).toHaveLength(9);
});

describe("loop case", () => {
  test.each(cases.map((entry) => [entry.id, entry] as const))("%s", async (_, entry) => {
    const seen = await runCase(entry);
    check(entry.expected, seen);
  });
});

interface Seen {
  executions: number;
  asked: number;
  readonly events: readonly RunEvent[];
  readonly prompts: readonly string[];
  readonly reason: string;
  readonly text: string;
}

async function runCase(entry: LoopCase): Promise<Seen> {
  const { input } = entry;
  const counts = { executions: 0, asked: 0 };
  const replies = input.modelScript.map(writeTurn);
  const model = createScriptedModel({ replies });
  const { identicalRounds, sameToolMax, denials } = input.limits ?? {};
  const request = {
    messages: [{ role: "user" as const, content: input.user }],
    tools: input.tools.map((tool) => createTool(tool.function, input, counts)),
    permissions: createPolicy(input.permissions ?? [], counts),
    levers: leversOf[entry.id] ?? {},
    limits: {
      steps: 40,
      ...(identicalRounds === undefined ? {} : { identicalRounds }),
      ...(sameToolMax === undefined ? {} : { callsPerTool: sameToolMax }),
      ...(denials === undefined ? {} : { denials }),
    },
  };
  const events: RunEvent[] = [];
  for await (const event of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
    events.push(event);
  }
  const { reason, text } = await foldRun(replay(events));
  const prompts = model.requests.map(({ prompt }) => prompt.map((part) => part.text).join(""));
  return { ...counts, events, prompts, reason, text };
}

async function* replay(events: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* events;
}

function writeTurn(turn: ScriptedTurn): string {
  if ("text" in turn) return turn.text;
  return "call" in turn ? writeCalls(turn.call) : writeCalls(...turn.calls);
}

function createTool(
  described: LoopCase["input"]["tools"][number]["function"],
  input: LoopCase["input"],
  counts: { executions: number },
): Tool {
  const { name } = described;
  const script = input.toolScript?.[name] ?? [];
  const asks = input.permissions?.some((rule) => rule.match === name && rule.ask) ?? false;
  const identity = input.toolIdentity?.[name];
  let answered = 0;
  return {
    name,
    description: described.description ?? name,
    inputSchema: described.parameters,
    ...(identity === undefined ? {} : { identity }),
    execute: async (given, context) => {
      if (asks) await context.ask({ permission: name, patterns: [JSON.stringify(given)] });
      counts.executions += 1;
      answered += 1;
      return { text: answerOf(script, answered) };
    },
  };
}

/** A script's last answer holds for all further calls. */
function answerOf(script: readonly string[] | { readonly generate: string }, number: number): string {
  if ("generate" in script)
    return `job 1 ok\njob 2 ok\njob 3 ok\ntime 12:00:${String(number).padStart(2, "0")}`;
  return script[Math.min(number, script.length) - 1] ?? "done";
}

function createPolicy(
  rules: NonNullable<LoopCase["input"]["permissions"]>,
  counts: { asked: number },
): PermissionPolicy {
  return {
    allow: ({ tool }) => {
      const rule = rules.find(({ match }) => match === tool);
      const answer = rule?.answers?.[Math.min(counts.asked, (rule.answers?.length ?? 1) - 1)];
      counts.asked += 1;
      return answer === "allow";
    },
  };
}

const reasons: Readonly<Record<string, string>> = { loop: "repeated call", denied: "denied repeatedly" };

function check(expected: LoopExpectation, seen: Seen): void {
  const known = new Set([...Object.keys(checks), "log"]);
  expect(Object.keys(expected).filter((key) => !known.has(key))).toEqual([]);
  for (const [key, judge] of Object.entries(checks)) {
    const wanted = expected[key as keyof LoopExpectation];
    if (wanted !== undefined) judge(wanted as never, seen);
  }
}

const toolEnds = (seen: Seen) => seen.events.filter((event) => event.type === "tool-end");
const notices = (seen: Seen, code: string) =>
  seen.events.filter((event) => event.type === "notice" && event.code === code);

function outcomeOf(seen: Seen): string {
  if (seen.reason === "done") return "finished";
  return "stopped";
}

const checks: { readonly [Key in keyof LoopExpectation]?: (wanted: never, seen: Seen) => void } = {
  toolExecutions: (wanted: number, seen) => expect(seen.executions).toBe(wanted),
  toolExecutionsMax: (wanted: number, seen) => expect(seen.executions).toBeLessThanOrEqual(wanted),
  validationErrorsToModel: (wanted: number, seen) =>
    expect(seen.events.filter((event) => event.type === "call-refused")).toHaveLength(wanted),
  feedbackMentions: (wanted: readonly string[], seen) => {
    const [first = "", ...later] = seen.prompts;
    const added = later.map((prompt) => prompt.replace(first, "")).join("\n");
    for (const word of wanted) expect(added).toContain(word);
  },
  correctiveMessages: (wanted: number, seen) => expect(notices(seen, "loop-warning")).toHaveLength(wanted),
  nudges: (wanted: number, seen) => expect(notices(seen, "call-missing")).toHaveLength(wanted),
  promptsToUser: (wanted: number, seen) => expect(seen.asked).toBe(wanted),
  deniedResultsToModelMin: (wanted: number, seen) => {
    const denied = toolEnds(seen).filter((event) => event.type === "tool-end" && event.outcome === "denied");
    expect(denied.length).toBeGreaterThanOrEqual(wanted);
  },
  resultsToModel: (wanted: number, seen) => expect(toolEnds(seen)).toHaveLength(wanted),
  outcome: (wanted: string, seen) => expect(outcomeOf(seen)).toBe(wanted),
  outcomeIn: (wanted: readonly string[], seen) => {
    const outcome = outcomeOf(seen);
    expect(wanted).toContain(outcome === "finished" ? outcome : `${outcome}: ${reasons[seen.reason]}`);
  },
  reason: (wanted: string, seen) => expect(reasons[seen.reason]).toBe(wanted),
  reasonIn: (wanted: readonly string[], seen) => {
    const isBudget = notices(seen, "tool-budget").length > 0;
    expect(wanted).toContain(isBudget ? "tool budget" : reasons[seen.reason]);
  },
  finalText: (wanted: string, seen) => expect(seen.text).toBe(wanted),
};
