// One test for each field of each endpoint: its effect, its refusal, or that it is left out; and the table of them in docs/.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fieldTables } from "./fields/field-tables.ts";
import { writeFieldTables } from "./fields/write-tables.ts";

describe.each(fieldTables)("$title", ({ rows }) => {
  test.each(rows.map((row) => [row.field, row] as const))("%s", async (_field, row) => {
    await row.show();
  });

  test("names each field once", () => {
    const fields = rows.map(({ field }) => field);
    expect(fields.filter((field, at) => fields.indexOf(field) !== at)).toEqual([]);
  });
});

test("docs/server.md has these tables (npm run docs:server writes them)", () => {
  const page = readFileSync(new URL("../../docs/server.md", import.meta.url), "utf8");
  expect(writeFieldTables(page, fieldTables)).toBe(page);
});
