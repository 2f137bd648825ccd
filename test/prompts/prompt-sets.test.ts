import { describe, expect, it } from "vitest";
import { createValidator } from "../../src/schema-grammar/validator.ts";
import type { JsonObject, JsonValue } from "../../src/vocabulary/index.ts";
import { isList, isOptional, type Matcher, matchesExpected } from "../with-model/prompts/match-expected.ts";
import {
  type Prompt,
  readLadderPrompts,
  readSmallTalk,
  readToolPrompts,
} from "../with-model/prompts/read-prompts.ts";

const toolPrompts = readToolPrompts();
const smallTalk = readSmallTalk();
const ladder = readLadderPrompts();

describe("the sets as a whole", () => {
  it("has 40 tool prompts, 20 of small talk and two times 100 for the ladder", () => {
    expect(toolPrompts.length).toBe(40);
    expect(smallTalk.length).toBe(20);
    expect(countTag(ladder, "open")).toBe(100);
    expect(countTag(ladder, "residual")).toBe(100);
    expect(ladder.length).toBe(200);
  });

  it("has enough near names, structured arguments and tools that only a description tells apart", () => {
    expect(countTag(toolPrompts, "near-names")).toBeGreaterThanOrEqual(10);
    expect(countTag(toolPrompts, "structured")).toBeGreaterThanOrEqual(10);
    expect(countTag(toolPrompts, "description-only")).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ["tool prompts", toolPrompts],
    ["small talk", smallTalk],
    ["ladder", ladder],
  ] as const)("%s: ids are unique and every request is a different one", (_name, set) => {
    expect(new Set(set.map((prompt) => prompt.id)).size).toBe(set.length);
    expect(new Set(set.map((prompt) => prompt.messages.map((m) => m.content).join())).size).toBe(set.length);
  });

  it("wants no call in small talk", () => {
    expect(smallTalk.filter((prompt) => prompt.expected !== null)).toEqual([]);
  });
});

describe.each([...toolPrompts, ...smallTalk, ...ladder])("$id", (prompt) => {
  it("offers a few tools of different names whose schemas are sound", () => {
    const names = prompt.tools.map((tool) => tool.name);
    expect(names.length).toBeGreaterThanOrEqual(1);
    expect(names.length).toBeLessThanOrEqual(5);
    expect(new Set(names).size).toBe(names.length);
    for (const tool of prompt.tools) {
      expect(tool.description).not.toBe("");
      expect(() => createValidator(tool.inputSchema)).not.toThrow();
    }
  });
});

describe.each(toolPrompts)("expected call of $id", (prompt) => {
  const expected = prompt.expected;
  if (expected === null) throw new Error("a tool prompt expects a call");

  it("names an offered tool, and every accepted spelling of its arguments fits the schema", () => {
    const tool = prompt.tools.find((offered) => offered.name === expected.name);
    if (tool === undefined) throw new Error(`${expected.name} is not offered`);
    const validate = createValidator(tool.inputSchema);
    const examples = objectsOf(expected.arguments);
    for (const input of examples) {
      expect(validate(input)).toEqual([]);
      expect(matchesExpected({ name: expected.name, input }, expected)).toEqual({ ok: true, reason: "" });
    }
  });

  it("wants values that the request states", () => {
    const request = prompt.messages.map((message) => message.content.toLowerCase()).join("\n");
    const unstated = Object.entries(expected.arguments)
      .filter(([, matcher]) => !isOptional(matcher))
      .filter(([, matcher]) => !valuesOf(matcher).some((value) => leavesStated(value, request)))
      .map(([key]) => key);
    expect(unstated).toEqual([]);
  });
});

function countTag(prompts: readonly Prompt[], tag: string): number {
  return prompts.filter((prompt) => prompt.tags.includes(tag)).length;
}

/** Objects that together use every accepted value at least once, with and without each optional key. */
function objectsOf(keys: Readonly<Record<string, Matcher>>): readonly JsonObject[] {
  const entries = Object.entries(keys);
  const base = Object.fromEntries(entries.map(([key, matcher]) => [key, firstOf(matcher)]));
  const varied = entries.flatMap(([key, matcher]) =>
    valuesOf(matcher).map((value): JsonObject => ({ ...base, [key]: value })),
  );
  const bare = Object.fromEntries(Object.entries(base).filter(([key]) => !isOptional(keys[key] ?? [])));
  return [base, bare, ...varied];
}

function valuesOf(matcher: Matcher): readonly JsonValue[] {
  if (isList(matcher)) return matcher;
  if ("values" in matcher) return matcher.values;
  if ("keys" in matcher) return objectsOf(matcher.keys);
  return [matcher.items.map(firstOf)];
}

function firstOf(matcher: Matcher): JsonValue {
  const first = valuesOf(matcher)[0];
  if (first === undefined) throw new Error("a matcher accepts nothing");
  return first;
}

function leavesStated(value: JsonValue, request: string): boolean {
  if (Array.isArray(value)) return value.every((item) => leavesStated(item, request));
  if (typeof value === "object" && value !== null) {
    return Object.values(value).every((item) => leavesStated(item, request));
  }
  return request.includes(String(value).toLowerCase());
}
