// What counts as the wanted calls, as a table.
import { describe, expect, it } from "vitest";
import { judgeCalls, type ToolNotes, type WantedCall } from "../../../src/bench/own/judge-calls.ts";
import type { JsonObject } from "../../../src/vocabulary/index.ts";

const tools: Readonly<Record<string, ToolNotes>> = {
  book: {
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string" },
        code: { type: "string" },
        minutes: { type: "integer", default: 60 },
        place: {
          oneOf: [
            { type: "object", properties: { room: { type: "string" } } },
            {
              type: "object",
              properties: { hall: { type: "string" }, open: { type: "boolean", default: false } },
            },
          ],
        },
        tags: { type: "array", items: { type: "string" } },
        stops: {
          type: "array",
          items: { type: "object", properties: { n: { type: "integer", default: 1 } } },
        },
      },
    },
    freeText: ["/title"],
    unordered: ["/tags"],
  },
  drop: { inputSchema: { type: "object" } },
};

function judge(given: JsonObject, want: Omit<WantedCall, "name">) {
  return judgeCalls([{ name: "book", text: JSON.stringify(given) }], [{ name: "book", ...want }], tools);
}

describe("one call", () => {
  const rows: readonly [given: JsonObject, wanted: JsonObject, fault: string | undefined][] = [
    [{ code: "A" }, { code: "A" }, undefined],
    [{ code: "a" }, { code: "A" }, "wrong-value"],
    [{ title: "Team  sync." }, { title: "team sync" }, undefined],
    [{ title: '"Team sync"' }, { title: "team sync" }, undefined],
    [{ title: "team" }, { title: "team sync" }, "wrong-value"],
    // A value that is the schema's default and its absence are the same.
    [{ minutes: 60 }, {}, undefined],
    [{}, { minutes: 60 }, undefined],
    [{ minutes: 30 }, {}, "wrong-value"],
    [{}, { minutes: 30 }, "wrong-value"],
    [{ stops: [{ n: 1 }, {}] }, { stops: [{}, { n: 1 }] }, undefined],
    [{ place: { hall: "B", open: false } }, { place: { hall: "B" } }, undefined],
    [{ place: { hall: "B", open: true } }, { place: { hall: "B" } }, "wrong-value"],
    [{}, { code: "A" }, "missing-argument"],
    [{ code: "A" }, {}, "extra-argument"],
    [{ code: null }, {}, "extra-argument"],
    [{ tags: ["b", "a"] }, { tags: ["a", "b"] }, undefined],
    [{ tags: ["a", "a"] }, { tags: ["a", "b"] }, "wrong-value"],
    [{ stops: [{ n: 3 }, { n: 2 }] }, { stops: [{ n: 2 }, { n: 3 }] }, "wrong-value"],
    [{ stops: [{ n: 2 }] }, { stops: [{ n: 2 }, { n: 3 }] }, "wrong-value"],
    [{ code: 5 }, { code: "5" }, "wrong-value"],
  ];
  it.each(rows)("%j for %j: %s", (given, wanted, fault) => {
    expect(judge(given, { arguments: wanted })).toBe(fault);
  });

  it("takes what is accepted at a place, and its absence only where that is said", () => {
    const values = { arguments: { code: "A" }, accept: { "/code": { values: ["A", "B"] } } };
    expect(judge({ code: "B" }, values)).toBeUndefined();
    expect(judge({ code: "C" }, values)).toBe("wrong-value");
    expect(judge({}, values)).toBe("missing-argument");
    const optional = { arguments: {}, accept: { "/code": { values: ["A"], absent: true } } };
    expect(judge({}, optional)).toBeUndefined();
    expect(judge({ code: "A" }, optional)).toBeUndefined();
    expect(judge({ code: "B" }, optional)).toBe("wrong-value");
    const open = { arguments: { code: "A" }, accept: { "/minutes": { any: true } } } as const;
    expect(judge({ code: "A", minutes: 7 }, open)).toBeUndefined();
    expect(judge({ code: "A" }, open)).toBeUndefined();
    const inList = {
      arguments: { stops: [{}, {}] },
      accept: { "/stops/*/n": { values: [7], absent: true } },
    };
    expect(judge({ stops: [{ n: 7 }, {}] }, inList)).toBeUndefined();
    expect(judge({ stops: [{ n: 8 }, {}] }, inList)).toBe("wrong-value");
  });

  it("with arguments that are no JSON is wrong", () => {
    const cut = [{ name: "book", text: '{"code": "A' }];
    expect(judgeCalls(cut, [{ name: "book", arguments: {} }], tools)).toBe("unreadable-arguments");
  });
});

describe("calls", () => {
  const call = (name: string, input: JsonObject) => ({ name, text: JSON.stringify(input) });
  const want = (name: string, input: JsonObject): WantedCall => ({ name, arguments: input });

  it("are right in any order, each used once", () => {
    const wanted = [want("book", { code: "A" }), want("book", { code: "B" }), want("drop", {})];
    expect(
      judgeCalls([call("drop", {}), call("book", { code: "B" }), call("book", { code: "A" })], wanted, tools),
    ).toBeUndefined();
    expect(
      judgeCalls([call("drop", {}), call("book", { code: "A" }), call("book", { code: "A" })], wanted, tools),
    ).toBe("wrong-value");
  });

  it("go back to another pairing where the first does not work out", () => {
    const either: WantedCall = {
      ...want("book", { code: "A" }),
      accept: { "/code": { values: ["A", "B"] } },
    };
    const calls = [call("book", { code: "A" }), call("book", { code: "B" })];
    expect(judgeCalls(calls, [either, want("book", { code: "A" })], tools)).toBeUndefined();
  });

  it("are told apart by what is wrong with them", () => {
    expect(judgeCalls([], [], tools)).toBeUndefined();
    expect(judgeCalls([call("drop", {})], [], tools)).toBe("unwanted-call");
    expect(judgeCalls([], [want("drop", {})], tools)).toBe("missed-call");
    expect(judgeCalls([call("drop", {}), call("drop", {})], [want("drop", {})], tools)).toBe("wrong-count");
    expect(judgeCalls([call("book", {})], [want("drop", {})], tools)).toBe("wrong-tool");
  });
});
