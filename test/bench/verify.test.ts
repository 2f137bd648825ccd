import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printTable } from "../../bench/verify/print-table.ts";
import { createProgress } from "../../bench/verify/progress.ts";
import { openResultFile } from "../../bench/verify/result-file.ts";
import { type CallOutcome, summarizeCalls } from "../../bench/verify/run-call.ts";
import { type LadderOutcome, ladderBreaches, unusedRungs } from "../../bench/verify/run-ladder.ts";
import {
  conversationBreaches,
  runLongConversation,
  type TurnOutcome,
} from "../../bench/verify/run-long-conversation.ts";
import { type PromptOutcome, promptBreaches, summarizePrompts } from "../../bench/verify/run-prompt.ts";
import { runResumable } from "../../bench/verify/run-resumable.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const call = (over: Partial<CallOutcome>): CallOutcome => ({
  id: "a",
  ending: "valid",
  exact: true,
  sound: true,
  reason: "",
  tokens: { forced: 6, sampled: 4 },
  milliseconds: 1,
  ...over,
});

describe("summarizeCalls", () => {
  it("finds nothing wrong with calls that are all valid", () => {
    const summary = summarizeCalls([call({}), call({ id: "b", exact: false, sound: false })]);
    expect(summary).toMatchObject({
      exact: 1,
      sound: 1,
      broken: [],
      cutShare: 0,
      forcedShare: 0.6,
      breaches: [],
    });
  });

  it.each(["repaired", "invalid", "none"] as const)(
    "counts %s as broken where the grammar promised validity",
    (ending) => {
      expect(summarizeCalls([call({ ending })]).breaches).toHaveLength(1);
      expect(summarizeCalls([call({ ending, exact: false })]).breaches).toHaveLength(1);
      expect(summarizeCalls([call({ ending, exact: false, sound: false })]).breaches).toEqual([]);
    },
  );

  it("counts an invalid delivery as broken under any schema", () => {
    const outcome = call({ ending: "invalid", exact: false, sound: false, reason: "delivered: /a type: 1" });
    expect(summarizeCalls([outcome]).breaches).toEqual(["a: delivered: /a type: 1"]);
  });

  it("allows fewer than two cut calls in a hundred", () => {
    const valid = (count: number) => Array.from({ length: count }, () => call({}));
    expect(summarizeCalls([...valid(99), call({ ending: "length" })]).breaches).toEqual([]);
    expect(summarizeCalls([...valid(49), call({ ending: "length" })]).breaches).toHaveLength(1);
  });

  it("does not count a refused schema as generated, and nothing generated as success", () => {
    const refused = call({ ending: "refused", exact: false, sound: false });
    expect(summarizeCalls([refused, call({})])).toMatchObject({ exact: 1, breaches: [] });
    expect(summarizeCalls([refused]).breaches).toEqual(["nothing was generated"]);
  });
});

const turn = (over: Partial<LadderOutcome>): LadderOutcome => ({
  id: "a",
  kind: "residual",
  model: "m",
  ending: "valid",
  rungs: { 2: 0, 3: 1, 4: 0, 5: 0 },
  attempts: 2,
  attemptLimit: 4,
  reevaluated: [64],
  reason: "",
  milliseconds: 1,
  ...over,
});

describe("ladderBreaches", () => {
  it.each([
    ["a turn within its bounds", {}, 0],
    ["a turn that was given up openly", { ending: "call-invalid" }, 0],
    ["a turn cut by the token limit", { ending: "length" }, 0],
    ["attempts at the cap", { attempts: 4 }, 0],
    ["attempts over the cap", { attempts: 5 }, 1],
    ["a return to the fault that evaluates too much", { reevaluated: [3, 65] }, 1],
    ["an invalid call that was delivered", { ending: "delivered-invalid" }, 1],
    ["a turn that ends in silence", { ending: "none" }, 1],
  ] as const)("%s", (_name, over, count) => {
    expect(ladderBreaches([turn(over)])).toHaveLength(count);
  });

  it("names the rungs that no turn took", () => {
    expect(unusedRungs([turn({}), turn({ rungs: { 2: 0, 3: 0, 4: 0, 5: 1 } })])).toEqual([2, 4]);
  });
});

const answer = (over: Partial<PromptOutcome>): PromptOutcome => ({
  id: "a",
  tags: ["files"],
  wantsCall: true,
  calls: [{ id: "1", name: "f", input: {} }],
  text: "",
  finish: "calls",
  attempts: 1,
  ok: true,
  rightTool: true,
  reason: "",
  tokens: { forced: 1, sampled: 1 },
  milliseconds: 1,
  ...over,
});
const answers = (count: number, over: Partial<PromptOutcome>) =>
  Array.from({ length: count }, () => answer(over));
const silent = { calls: [], finish: "stop" };
const quiet = { wantsCall: false, ...silent };

describe("promptBreaches", () => {
  it("is content with thirty right calls of 36, and with four calls where none is wanted", () => {
    const wanting = [
      ...answers(30, {}),
      ...answers(6, { ok: false }),
      ...answers(4, { ...silent, ok: false }),
    ];
    const outcomes = [...wanting, ...answers(16, quiet), ...answers(4, { wantsCall: false, ok: false })];
    expect(promptBreaches(outcomes)).toEqual([]);
  });

  it("names too few calls, too few right ones, too much talked over and too little forced", () => {
    const outcomes = [
      ...answers(29, { tokens: { forced: 39, sampled: 61 } }),
      ...answers(5, { wantsCall: false, ok: false }),
    ];
    expect(promptBreaches(outcomes)).toHaveLength(4);
  });

  it("counts a call that was given up as one that was opened", () => {
    const outcomes = [answer({}), answer({ calls: [], finish: "invalid", ok: false }), answer(silent)];
    expect(summarizePrompts(outcomes).opened).toBe(2);
  });

  it("takes the forced share over the turns that wanted a call and made one", () => {
    const idle = { calls: [], ok: false, tokens: { forced: 0, sampled: 50 } };
    const outcomes = [
      answer({ tokens: { forced: 3, sampled: 1 } }),
      answer(idle),
      answer({ ...quiet, ...idle }),
    ];
    expect(summarizePrompts(outcomes).forcedShare).toBe(0.75);
  });
});

describe("conversationBreaches", () => {
  const whole = { turn: 2, hasQuestion: true, prompt: 300, unchanged: 200, reused: 200, prefilled: 100 };

  it.each([
    ["all that is unchanged is reused", {}, 0],
    ["95 % of it are", { reused: 190 }, 0],
    ["more is reused than text is unchanged", { reused: 201 }, 0],
    ["less than that is", { reused: 189 }, 1],
    ["nothing was before", { unchanged: 0, reused: 0 }, 0],
    ["the question is missing as well", { hasQuestion: false, reused: 0 }, 2],
  ])("where %s", (_name, over, count) => {
    expect(conversationBreaches([{ ...whole, ...over }])).toHaveLength(count);
  });
});

describe("runLongConversation", () => {
  it("tells of each turn what its prompt has of the one before, and that the question is there", async () => {
    const model = createScriptedModel({
      replies: ["One.", "Two.", "Three."],
      info: { contextSize: 4096 },
      renderTemplate: ({ messages }) => messages.map((message) => JSON.stringify(message)).join("\n"),
    });
    const profile = resolveProfile({ format: "hermes-json", calls: { decision: { kind: "greedy" } } });
    const outcomes: TurnOutcome[] = [];
    for await (const outcome of runLongConversation({ model, profile }, { turns: 3, resultTokens: 3000 })) {
      outcomes.push(outcome);
    }
    expect(outcomes.map(({ hasQuestion }) => hasQuestion)).toEqual([true, true, true]);
    expect(outcomes.map(({ unchanged }) => unchanged > 0)).toEqual([false, true, true]);
    expect(outcomes.every(({ prompt }) => prompt > 1000 && prompt < 4096)).toBe(true);
    // Without a cache nothing is reused, which the check has to find.
    expect(conversationBreaches(outcomes)).toHaveLength(2);
  });
});

describe("openResultFile", () => {
  it("gives what earlier runs appended, without the half line of a stop", () => {
    const path = join(folder, "new", "results.jsonl");
    openResultFile<number>(path).append("a", 1);
    appendFileSync(path, '{"key":"b","resu');
    const again = openResultFile<number>(path);
    expect([...again.earlier]).toEqual([["a", 1]]);
    again.append("b", 2);
    expect(readFileSync(path, "utf8")).toBe('{"key":"a","result":1}\n{"key":"b","result":2}\n');
  });

  it("refuses a file of another kind", () => {
    const path = join(folder, "other.jsonl");
    appendFileSync(path, '{"name":"x"}\n');
    expect(() => openResultFile(path)).toThrow(/no key/);
  });
});

describe("runResumable", () => {
  it("runs only what the file does not hold, and keeps the order of the items", async () => {
    const path = join(folder, "resume.jsonl");
    const ran: string[] = [];
    const runOn = (items: readonly string[]) =>
      runResumable({
        label: "test",
        items,
        keyOf: (item) => item,
        run: async (item) => {
          ran.push(item);
          return item.toUpperCase();
        },
        note: (result) => result,
        file: path,
      });
    expect(await runOn(["b"])).toEqual(["B"]);
    expect(await runOn(["a", "b", "c"])).toEqual(["A", "B", "C"]);
    expect(ran).toEqual(["b", "a", "c"]);
  });
});

describe("createProgress", () => {
  it("says rate and remaining time, counting only what this run did", () => {
    const lines: string[] = [];
    let clock = 0;
    const progress = createProgress({
      label: "calls",
      total: 14,
      alreadyDone: 4,
      output: { isTTY: false, write: (text) => lines.push(text) },
      now: () => clock,
    });
    clock = 2000;
    progress.step("x valid");
    progress.finish();
    expect(lines).toEqual(["calls 5/14, 0.50/s, 18 s left: x valid\n"]);
  });
});

describe("printTable", () => {
  it("sets columns to their widest cell", () => {
    const text = printTable(
      ["name", "n"],
      [
        ["a", "10"],
        ["longer", "7"],
      ],
      ["n"],
    );
    expect(text).toBe("name     n\n------  --\na       10\nlonger   7");
  });
});
