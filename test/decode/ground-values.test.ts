// Which optional arguments a conversation speaks of; expected by reading.
import { describe, expect, it } from "vitest";
import { groundOf, ungroundedKeys } from "../../src/decode/ground-values.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";

const properties = Object.fromEntries(
  ["city", "unit", "limit", "sort_by", "date", "tags", "verbose", "filter"].map((key) => [key, {}]),
);
const tool = { inputSchema: { type: "object", properties, required: ["city"] } };

function ungrounded(request: string, input: JsonObject): readonly string[] {
  return ungroundedKeys(tool, input, groundOf([{ role: "user", content: request }]));
}

describe("ungroundedKeys", () => {
  it.each<[request: string, input: JsonObject, left: readonly string[]]>([
    ["Weather in Oslo", { city: "Rome" }, []],
    ["Weather in Oslo", { city: "Oslo", unit: "kelvin" }, ["unit"]],
    ["Weather in Oslo in Kelvin", { city: "Oslo", unit: "kelvin" }, []],
    ["The first 5 of them", { limit: 5 }, []],
    ["The first five of them", { limit: 5 }, []],
    ["At most 1,200 rows", { limit: 1200 }, []],
    ["Some of them", { limit: 10 }, ["limit"]],
    ["Sort them somehow", { sort_by: "name" }, []],
    ["All of them", { sort_by: "name" }, ["sort_by"]],
    ["Meet tomorrow", { date: "2026-12-02" }, []],
    ["On the 3rd", { date: "2026-12-03" }, []],
    ["Meet in Rome", { date: "2023-10-01" }, ["date"]],
    ["About horses", { tags: ["horse", "animal"] }, []],
    ["About cats", { tags: ["dog", "bird"] }, ["tags"]],
    ["Tell all", { verbose: true }, ["verbose"]],
    ["Be verbose", { verbose: true }, []],
    ["Only red ones", { filter: { colour: "red" } }, []],
    ["All of them", { filter: { colour: "red" } }, ["filter"]],
    ["All of them", { unknown: "x" }, []],
  ])("%s %j", (request, input, left) => {
    expect(ungrounded(request, input)).toEqual(left);
  });

  it("takes tools' results for ground and the model's own words for none", () => {
    const say = { role: "user", content: "Go on" } as const;
    const input = { unit: "kelvin" };
    const ground = groundOf([say, { role: "tool", callId: "1", name: "t", content: "in kelvin" }]);
    expect(ungroundedKeys(tool, input, ground)).toEqual([]);
    expect(
      ungroundedKeys(tool, input, groundOf([say, { role: "assistant", content: "In kelvin?" }])),
    ).toEqual(["unit"]);
  });
});
