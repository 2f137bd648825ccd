// How the end of a task is held against its goal, as tables.
import { expect, it } from "vitest";
import { judgeTask, type TaskGoal } from "../../../src/bench/tasks/judge-task.ts";
import type { JsonValue } from "../../../src/vocabulary/index.ts";

const start = { files: { "a/b": "one\n", c: "two" }, list: ["x", "y"], count: 1 };
const file = "/files/a~1b";

it.each<[name: string, goal: TaskGoal["state"], end: JsonValue, fault: string | undefined]>([
  ["the wanted change", { "/count": 2 }, { ...start, count: 2 }, undefined],
  ["no change", { "/count": 2 }, start, "not-done"],
  ["another change besides", { "/count": 2 }, { ...start, count: 2, list: ["x"] }, "collateral-change"],
  ["an entry more besides", { "/count": 2 }, { ...start, count: 2, more: 1 }, "collateral-change"],
  ["a change where none is wanted", {}, { ...start, count: 2 }, "collateral-change"],
  [
    "what has to go and went",
    { "/files/c": { $gone: true } },
    { ...start, files: { "a/b": "one\n" } },
    undefined,
  ],
  ["what has to go and stayed", { "/files/c": { $gone: true } }, start, "not-done"],
  [
    "a text but for spacing and case",
    { [file]: { $text: "One  two" } },
    { ...start, files: { "a/b": "one\ntwo\n", c: "two" } },
    undefined,
  ],
  [
    "another text",
    { [file]: { $text: "one two" } },
    { ...start, files: { "a/b": "two one", c: "two" } },
    "not-done",
  ],
  [
    "a text that holds what it should",
    { [file]: { $has: ["TWO", "one"] } },
    { ...start, files: { "a/b": "one, two", c: "two" } },
    undefined,
  ],
  ["a list in another order", { "/list": ["y", "x"] }, start, "not-done"],
  ["an object with a key more", { "/files": { "a/b": "one\n" } }, start, "not-done"],
])("%s", (_, state, end, fault) => {
  expect(judgeTask({ state: state ?? {} }, { start, end }, "")).toBe(fault);
});

it.each<[text: string, texts: readonly string[], isSaid: boolean]>([
  ["It costs 119 euros.", ["119"], true],
  ["It costs 1190 euros.", ["119"], false],
  ["It costs 119.50 euros.", ["119"], false],
  ["It costs 2,119 euros.", ["119"], false],
  ["On April 18.", ["18 april", "april 18"], true],
  ["There are twofold.", ["two"], false],
  ["TWO of them", ["two"], true],
  ["", ["two"], false],
])("%j says %j: %s", (text, texts, isSaid) => {
  const fault = judgeTask({ answer: [texts] }, { start, end: start }, text);
  expect(fault).toBe(isSaid ? undefined : "wrong-answer");
});
