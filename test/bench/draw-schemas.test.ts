import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawBySeed, readOwnSchemas, readToolLikeSchemas } from "../../bench/draw-schemas.ts";
import { createValidator } from "../../src/schema-grammar/validator.ts";

const rows = [
  { name: "Glaiveai2K---get_weather_0a1b2c3d", schema: { type: "object", properties: { cityName: {} } } },
  { name: "Github_easy---o1", schema: { type: "object" } },
  { name: "BFCL_multiple_7", schema: { anyOf: [{ type: "object", properties: { "a.b": {} } }] } },
  {
    name: "MCPspec---PingRequest",
    schema: { title: "Ping", description: "Checks the line", type: "object" },
  },
  { name: "JME_3", schema: true },
];

let folder = "";
const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "draw-schemas-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("readToolLikeSchemas", () => {
  it("keeps the splits that came from tools, ordered by name", async () => {
    const found = await readToolLikeSchemas(
      file("rows.jsonl", rows.map((row) => JSON.stringify(row)).join("\n")),
    );
    expect(found.map(({ id }) => id)).toEqual([
      "BFCL_multiple_7",
      "Glaiveai2K---get_weather_0a1b2c3d",
      "JME_3",
      "MCPspec---PingRequest",
    ]);
  });

  it("reads a packed file in another order to the same schemas", async () => {
    const lines = rows.map((row) => JSON.stringify(row));
    const plain = await readToolLikeSchemas(file("a.jsonl", `${lines.join("\n")}\n`));
    const packed = await readToolLikeSchemas(file("b.jsonl.gz", gzipSync(lines.toReversed().join("\n"))));
    expect(packed).toEqual(plain);
  });

  it("names tools without the row's hash and words requests from what the schema states", async () => {
    const found = await readToolLikeSchemas(
      file("c.jsonl", rows.map((row) => JSON.stringify(row)).join("\n")),
    );
    const byId = new Map(found.map((item) => [item.id, item]));
    expect(byId.get("Glaiveai2K---get_weather_0a1b2c3d")).toMatchObject({
      name: "get_weather",
      description: "Does what its name says: get weather.",
      prompt:
        "Does what its name says: get weather. Please use get_weather. Choose sensible values for city name.",
    });
    expect(byId.get("MCPspec---PingRequest")).toMatchObject({
      name: "PingRequest",
      description: "Checks the line.",
      prompt: "Checks the line. Please use PingRequest.",
    });
    expect(byId.get("BFCL_multiple_7")?.prompt).toContain("values for a b.");
  });

  it("refuses a line without a schema, and a file that is not there", async () => {
    await expect(readToolLikeSchemas(file("d.jsonl", '{"name":"BFCL_1"}'))).rejects.toThrow(
      /no name or no schema/,
    );
    await expect(readToolLikeSchemas(join(folder, "none.jsonl"))).rejects.toThrow(/ENOENT/);
    await expect(readToolLikeSchemas(join(folder, "none.jsonl.gz"))).rejects.toThrow(/ENOENT/);
  });
});

describe("drawBySeed", () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);

  it("gives the same draw for the same seed and another for another", () => {
    expect(drawBySeed(numbers, 20, 7)).toEqual(drawBySeed(numbers, 20, 7));
    expect(drawBySeed(numbers, 20, 7)).not.toEqual(drawBySeed(numbers, 20, 8));
  });

  it("draws each item at most once, from the whole range", () => {
    const drawn = drawBySeed(numbers, 50, 1);
    expect(new Set(drawn).size).toBe(50);
    expect(Math.min(...drawn)).toBeLessThan(25);
    expect(Math.max(...drawn)).toBeGreaterThanOrEqual(75);
  });

  it("begins a larger draw with a smaller one of the same seed", () => {
    expect(drawBySeed(numbers, 40, 3).slice(0, 10)).toEqual(drawBySeed(numbers, 10, 3));
  });

  it("gives all items where fewer are there, and leaves the list alone", () => {
    const few = [1, 2, 3];
    expect([...drawBySeed(few, 10, 5)].sort()).toEqual([1, 2, 3]);
    expect(few).toEqual([1, 2, 3]);
  });
});

describe("our own schemas", () => {
  const own = readOwnSchemas();

  it("are forty of different names that a tool may have", () => {
    expect(own.length).toBe(40);
    expect(new Set(own.map(({ name }) => name)).size).toBe(40);
    for (const { name } of own) expect(name).toMatch(/^[a-z_]{1,64}$/);
  });

  it.each(own)("$name is a sound schema with a request", ({ schema, description, prompt }) => {
    expect(() => createValidator(schema)).not.toThrow();
    expect(description).not.toBe("");
    expect(prompt).not.toBe("");
  });
});
