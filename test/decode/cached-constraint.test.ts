import { describe, expect, test } from "vitest";
import { cachedConstraint, forcedStart } from "../../src/decode/cached-constraint.ts";
import { compileTools } from "../../src/decode/compile-tools.ts";
import { hermesJson } from "../../src/formats/hermes-json.ts";
import type { ConstraintRequest, Format } from "../../src/formats/index.ts";

/** The format, and how often it was asked to build a constraint. */
function countedFormat() {
  const counted = { builds: 0 };
  const format: Format = {
    ...hermesJson,
    constraint: (request) => {
      counted.builds += 1;
      return hermesJson.constraint(request);
    },
  };
  return { counted, format };
}

function requestFor(names: readonly string[], more: Partial<ConstraintRequest> = {}): ConstraintRequest {
  const described = names.map((name) => ({
    name,
    description: "",
    inputSchema: { type: "object", properties: { about: { const: name } } },
  }));
  const { tools } = compileTools(described, { compile: { objects: "closed" }, onBadTool: "refuse" });
  return { tools, parallel: false, spacing: "spaced", ...more };
}

const manyNames = Array.from({ length: 200 }, (_, index) => `tool_${index}`);

describe("a constraint", () => {
  test("is the same object for the same tools", () => {
    const first = cachedConstraint(hermesJson, requestFor(["one", "two"]));
    expect(cachedConstraint(hermesJson, requestFor(["one", "two"]))).toBe(first);
  });

  test("is another one for other tools, several calls or other special tokens", () => {
    const specialTokens = ["</tool_call>"];
    const all = [
      requestFor(["one"]),
      requestFor(["one", "two"]),
      requestFor(["one"], { parallel: true }),
      requestFor(["one"], { specialTokens }),
    ].map((request) => cachedConstraint(hermesJson, request));
    expect(new Set(all).size).toBe(all.length);
  });

  test("outlasts the forced starts of a large catalogue", () => {
    const request = requestFor(["one", "two", "three"]);
    const constraint = cachedConstraint(hermesJson, request);
    for (const tool of requestFor(manyNames).tools) forcedStart(hermesJson, { ...request, tools: [tool] });
    expect(cachedConstraint(hermesJson, request)).toBe(constraint);
  });
});

describe("a forced start", () => {
  test("goes as far as all calls begin alike", () => {
    expect(forcedStart(hermesJson, requestFor(["get_time"]))).toContain('"name": "get_time"');
    expect(forcedStart(hermesJson, requestFor(["get_time", "get_weather"]))).toMatch(/"name": "get_$/);
  });

  test("is built once for each tool of a large catalogue, however often it is asked for", () => {
    const { counted, format } = countedFormat();
    const specialTokens = ["<|end|>"];
    for (let turn = 0; turn < 3; turn++) {
      const request = requestFor(manyNames, { specialTokens });
      for (const tool of request.tools) forcedStart(format, { ...request, tools: [tool] });
    }
    expect(counted.builds).toBe(manyNames.length);
  });
});
