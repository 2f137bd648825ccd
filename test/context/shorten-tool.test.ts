import { describe, expect, test } from "vitest";
import { firstSentence, trimSchema } from "../../src/context/shorten-tool.ts";

describe("the first sentence", () => {
  test.each([
    ["Reads a file. Use it often.", "Reads a file."],
    ["Reads a file", "Reads a file"],
    ["  Reads\n  a file.\n\nMore about it.", "Reads a file."],
    ["A heading\n\nThe text. More.", "A heading"],
    ["Takes a unit, e.g. km or miles. Then converts.", "Takes a unit, e.g. km or miles."],
    ["Since version 2.1 it waits. Really.", "Since version 2.1 it waits."],
    ["Is it there? Says yes or no.", "Is it there?"],
    ["Converts U.S. dollars to euros. Rates are daily.", "Converts U.S. dollars to euros."],
    [
      "Finds laws of the U.S. Congress, i.e. bills. Old ones too.",
      "Finds laws of the U.S. Congress, i.e. bills.",
    ],
    ["Takes units, e.g. Km or Mi. Then converts.", "Takes units, e.g. Km or Mi."],
    ["Scales by 3.5 or more. Up to 10.", "Scales by 3.5 or more."],
    ["Waits 3.5. Then goes on.", "Waits 3.5."],
    [
      "Shows flight no. 7 of Dr. No at approx. 9 a.m. on time. Or late.",
      "Shows flight no. 7 of Dr. No at approx. 9 a.m. on time.",
    ],
    ["Lists images, sounds, etc. Returns their names.", "Lists images, sounds, etc."],
    ["Writes file.txt. Replaces it.", "Writes file.txt."],
    ["Compares J. Smith et al. 2009 with others. Slow.", "Compares J. Smith et al. 2009 with others."],
    ['Says "done." Then ends.', 'Says "done."'],
    ["Reads .env files (see docs.) Never writes.", "Reads .env files (see docs.)"],
    ["Stops at 5 o'clock... or later. Perhaps.", "Stops at 5 o'clock... or later."],
    ["查询天气。支持全国城市。", "查询天气。"],
    ["天気を調べる。都市名が必要です。", "天気を調べる。"],
    ["मौसम बताता है। शहर दें।", "मौसम बताता है।"],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(firstSentence(text)).toBe(expected);
  });
});

describe("a trimmed schema", () => {
  test("loses titles, comments and all but the first sentence of descriptions, at any depth", () => {
    const schema = {
      title: "Input",
      $comment: "generated",
      type: "object",
      properties: {
        city: { title: "City", type: "string", description: "A city. With its country." },
        days: { type: "array", items: { title: "Day", type: "integer", description: "One. Two." } },
      },
      anyOf: [{ title: "A", required: ["city"] }],
    };
    expect(trimSchema(schema)).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "A city." },
        days: { type: "array", items: { type: "integer", description: "One." } },
      },
      anyOf: [{ required: ["city"] }],
    });
    expect(schema.title).toBe("Input");
  });

  test("keeps properties that are named like keywords, and values that are data", () => {
    const schema = {
      properties: { title: { type: "string" }, description: { type: "string", title: "D" } },
      default: { title: "Untitled", description: "One. Two." },
      enum: [{ title: "x" }],
      examples: [{ description: "One. Two." }],
    };
    expect(trimSchema(schema)).toEqual({
      ...schema,
      properties: { title: { type: "string" }, description: { type: "string" } },
    });
  });

  test("is the same for a schema that is true or false", () => {
    expect(trimSchema(true)).toBe(true);
  });
});
