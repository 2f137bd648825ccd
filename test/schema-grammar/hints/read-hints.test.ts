// What descriptions say of forms, against texts as real tools have them; expected by reading.
import { describe, expect, it } from "vitest";
import { followsHint, hintedValues, readHints, withHints } from "../../../src/schema-grammar/index.ts";

function follows(description: string, value: string): boolean | undefined {
  const schema = { type: "object", properties: { x: { type: "string", description } } };
  const [hinted] = hintedValues(schema, readHints(schema), { x: value });
  return hinted && followsHint(hinted);
}

describe("forms that descriptions state", () => {
  it.each<[description: string, right: readonly string[], wrong: readonly string[]]>([
    [
      "The date, in the format 'YYYY-MM-DD'.",
      ["2024-02-29"],
      ["02/29/2024", "tomorrow", "2024-13-01", "2024-2-9"],
    ],
    ["Date (MM/DD/YYYY)", ["12/31/2023"], ["31/12/2023", "2023-12-31"]],
    ["Day of travel as dd.mm.yyyy", ["31.12.2023"], ["12.31.2023"]],
    ["Pickup time, 24-hour format HH:MM", ["09:30", "23:59"], ["9:30", "24:00", "09:30:00"]],
    [
      "Start in the format 'YYYY-MM-DD HH:mm:ss'",
      ["2024-03-20 18:00:00"],
      ["2024-03-20", "2024-03-20T18:00:00"],
    ],
    ["Timestamp 'YYYY-MM-DDTHH:MM:SSZ'", ["2024-03-20T18:00:00Z"], ["2024-03-20 18:00:00"]],
    ["A range, 'YYYY-MM-DD to YYYY-MM-DD'", ["2024-01-01 to 2024-01-31"], ["2024-01-01"]],
    ["'HH:MM:SS' or 'HH:MM'", ["10:00", "10:00:30"], ["10"]],
    ["The day in 'YYYY-MM-DD'. If set to 'dontcare', any will do.", ["dontcare", "2024-01-01"], ["anytime"]],
    ["An ISO 8601 timestamp", ["2024-03-20T18:00:00Z", "2024-03-20"], ["20 March 2024"]],
    ["Country, as ISO 3166-1 alpha-2 code", ["GB"], ["Britain", "gb"]],
    ["The city and state, e.g. San Francisco, CA", ["Boston, MA"], ["Boston", "Boston, Massachusetts"]],
    ["Location as 'City, State' or 'City, Country'", ["Riga, Latvia", "Boston, MA"], ["Riga"]],
    [
      "Pickup as 'Street Address, City, State', such as '1 Main St, Ames, IA'",
      ["2 Elm St, Ames, IA"],
      ["Elm St"],
    ],
    ["The order. Can be 'asc' or 'desc'.", ["asc", "desc"], ["ascending"]],
    ["Either 'president' or 'vice president'", ["vice president"], ["vice-president"]],
  ])("%s", (description, right, wrong) => {
    expect(right.map((value) => follows(description, value))).toEqual(right.map(() => true));
    expect(wrong.map((value) => follows(description, value))).toEqual(wrong.map(() => false));
  });

  it.each<[description: string]>([
    ["The name of the user."],
    ["Format of the returned date. Default is 'MM-DD-YYYY'."],
    ["The kind. Can be 'bug', 'fish', 'sea creatures', etc."],
    ["Something like 'a', perhaps."],
    ["Name of the city"],
    ["The MMDD part is cut."],
  ])("says nothing: %s", (description) => {
    expect(follows(description, "anything")).toBeUndefined();
  });
});

describe("hints of a schema", () => {
  const date = { type: "string", description: "Day as YYYY-MM-DD" };
  const schema = {
    type: "object",
    properties: {
      day: date,
      own: { ...date, pattern: "^x" },
      listed: { ...date, enum: ["x"] },
      trips: { type: "array", items: { type: "object", properties: { "a/b": date } } },
    },
  };

  it("are read at any depth, where the schema itself leaves the string open", () => {
    expect(readHints(schema).map(({ schemaPointer }) => schemaPointer)).toEqual([
      "/properties/day",
      "/properties/trips/items/properties/a~1b",
    ]);
  });

  it("find their values in a call", () => {
    const input = { trips: [{ "a/b": "x" }, { "a/b": "2024-01-01" }, {}], day: 5 };
    const found = hintedValues(schema, readHints(schema), input);
    expect(found.map((value) => [value.pointer, followsHint(value)])).toEqual([
      ["/trips/0/a~1b", false],
      ["/trips/1/a~1b", true],
    ]);
  });

  it("become patterns, and change nothing else", () => {
    const [hint] = readHints(schema);
    if (hint === undefined) throw new Error("a hint");
    const { properties, ...rest } = withHints(schema, [hint]) as typeof schema;
    expect(rest).toEqual({ type: "object" });
    expect(properties).toEqual({ ...schema.properties, day: { ...date, pattern: hint.pattern } });
  });

  it("allow the schema's default", () => {
    const open = { type: "object", properties: { day: { ...date, default: "any day" } } };
    const [value] = hintedValues(open, readHints(open), { day: "any day" });
    expect(value && followsHint(value)).toBe(true);
  });
});
