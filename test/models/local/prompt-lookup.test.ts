import { describe, expect, it } from "vitest";
import { lookUp } from "../../../src/models/local/prompt-lookup.ts";

const conversation =
  "user\nFly from Bergen, Norway on 2026-05-14 with 24 bags; Bergenline, please.\nassistant\n";

describe("lookUp in a value", () => {
  it.each([
    ['{"from": "B', "B", "ergenline"],
    ['{"from": "Bergen', "Bergen", "line"],
    ['{"date": "2', "2", "4"],
    ['{"date": "202', "202", "6-05-14"],
    ['{"what": "a trip to Nor', "Nor", "way"],
    ['{"what": "from Bergen,', "from Bergen,", " Norway"],
    [
      '{"what": "from Bergen, Norway',
      "from Bergen, Norway",
      " on 2026-05-14 with 24 bags; Bergenline, please.",
    ],
  ])("proposes after %s how its word went on last, and more after several words", (written, known, text) => {
    expect(lookUp({ conversation, written, inValue: true })).toEqual({ known, text });
  });

  it.each([
    ['{"from": "', "an empty value"],
    ['{"from": "Oslo', "a value that is not there"],
    ['{"from": "ergen', "the middle of a word"],
    ['{"bags": 24', "a word that ends"],
    ['{"from": "please.', "what ends its line"],
  ])("proposes nothing after %s: %s", (written) => {
    expect(lookUp({ conversation, written, inValue: true })).toBeUndefined();
  });
});

describe("lookUp in prose", () => {
  it("waits for a longer repetition, which may begin anywhere", () => {
    const at = (written: string) => lookUp({ conversation, written, inValue: false });
    expect(at("I fly from Bergen, N")).toEqual({
      known: " Bergen, N".padStart(12, "om"),
      text: expect.stringMatching(/^orway on/),
    });
    expect(at("Bergen, N")).toBeUndefined();
  });
});
