import { describe, expect, test } from "vitest";
import { type AnsweredCall, createLoopGuard } from "../../src/agent/loop-guard.ts";

const limits = { identicalRounds: 3, callsPerTool: 4 };

function verdicts(rounds: readonly (readonly AnsweredCall[])[]): readonly string[] {
  const guard = createLoopGuard(limits);
  return rounds.map((round) => guard.judge(round).type);
}

const call = (input: AnsweredCall["input"], content: string, name = "read"): AnsweredCall => ({
  name,
  input,
  content,
  outcome: "completed",
});

describe("the loop guard", () => {
  test("warns after three identical rounds, takes the tool away at the next and stops after that", () => {
    const round = [call({ path: "a" }, "text")];
    expect(verdicts([round, round, round, round, round])).toEqual([
      "go-on",
      "go-on",
      "correct",
      "narrow",
      "stop",
    ]);
  });

  test("names the tools that bring nothing new", () => {
    const guard = createLoopGuard({ ...limits, identicalRounds: 2 });
    const round = [call({ path: "a" }, "text"), call({}, "entries", "list"), call({ path: "b" }, "b")];
    guard.judge(round);
    guard.judge(round);
    expect(guard.judge(round)).toMatchObject({ type: "narrow", tools: ["read", "list"] });
  });

  test("stops where there is no other tool", () => {
    const guard = createLoopGuard({ ...limits, identicalRounds: 2 });
    const round = [call({ path: "a" }, "text")];
    expect([1, 2, 3].map(() => guard.judge(round, false).type)).toEqual(["go-on", "correct", "stop"]);
  });

  test("lets polling go on as long as results change", () => {
    const rounds = ["10%", "30%", "60%", "90%", "done"].map((content) => [call({ id: 7 }, content)]);
    expect(verdicts(rounds)).toEqual(Array(5).fill("go-on"));
  });

  test("sees through two calls that take turns", () => {
    const a = [call({ path: "a" }, "text a")];
    const b = [call({ path: "b" }, "text b")];
    expect(verdicts([a, b, a, b, a])).toEqual(["go-on", "go-on", "go-on", "correct", "narrow"]);
  });

  test("starts counting afresh when something new happens", () => {
    const a = [call({ path: "a" }, "text")];
    const b = [call({ path: "b" }, "text")];
    expect(verdicts([a, a, a, b, a, a])).toEqual(["go-on", "go-on", "correct", "go-on", "go-on", "correct"]);
  });

  test("takes the order of keys for no difference", () => {
    const rounds = [
      [call({ a: 1, b: { c: 2, d: 3 } }, "x")],
      [call({ b: { d: 3, c: 2 }, a: 1 }, "x")],
      [call({ a: 1, b: { c: 2, d: 3 } }, "x")],
    ];
    expect(verdicts(rounds).at(-1)).toBe("correct");
  });

  test("looks only at the arguments that identify a call, where its tool names them", () => {
    const rounds = ["one", "two", "three"].map((reason) => [
      { ...call({ command: "serve", reason }, "refused"), identity: ["command"] },
    ]);
    expect(verdicts(rounds)).toEqual(["go-on", "go-on", "correct"]);
  });

  test.each([
    ["failed", "search failed in the same way again: There is no file a.txt."],
    ["crashed", "search failed in the same way again: There is no file a.txt."],
    ["denied", "search was denied again: There is no file a.txt."],
  ] as const)("carries the error of a call that %s again, and does not call it a result", (outcome, said) => {
    const content = "There is no file a.txt.\nFiles: b.txt";
    const round = [{ ...call({ path: "a.txt" }, content, "search"), outcome }];
    const guard = createLoopGuard({ ...limits, identicalRounds: 2 });
    guard.judge(round);
    expect(guard.judge(round)).toEqual({
      type: "correct",
      text: `${said}\nSay in one sentence what could not be done and why.`,
    });
  });

  test("takes a round for new where one of its calls is", () => {
    const same = call({ path: "a" }, "text");
    const rounds = ["1", "2", "3", "4"].map((content) => [same, call({}, content, "clock")]);
    expect(verdicts(rounds)).toEqual(Array(4).fill("go-on"));
  });

  test("sees errors that go on, however they read; a success ends the count", () => {
    const guard = createLoopGuard({ ...limits, failedRounds: 3 });
    const fail = (at: number) => [{ ...call({ at }, `No number ${at}.`), outcome: "failed" as const }];
    const seen = [1, 2, 3, 4, 5].map((at) => guard.judge(fail(at)).type);
    expect(seen).toEqual(["go-on", "go-on", "correct", "go-on", "stop"]);
    const other = createLoopGuard({ ...limits, failedRounds: 3 });
    const mixed = [fail(1), fail(2), [call({ at: 3 }, "found")], fail(4), fail(5)];
    expect(mixed.map((round) => other.judge(round).type)).toEqual(Array(5).fill("go-on"));
    expect(other.judge([...fail(6), { ...call({}, "no"), outcome: "denied" }]).type).toBe("go-on");
  });

  test("admits each tool only so many times", () => {
    const guard = createLoopGuard(limits);
    expect(Array.from({ length: 6 }, () => guard.admits("read"))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(guard.admits("list")).toBe(true);
  });
});
