import { describe, expect, it } from "vitest";
import { DraftRecord, draftTokens } from "../../../src/models/local/drafts.ts";

/** One token for each word with the blanks before it, by its length; enough to see how a text was split. */
const tokenize = (text: string) => (text.match(/\s*[^\s]+/g) ?? []).map((word) => word.length);

describe("draftTokens", () => {
  const source = {
    conversation: "send it to Casa Verde now, at number twelve of the road",
    inValue: true,
    tokenize,
  };

  it("splits the known and the proposed text as one", () => {
    expect(draftTokens(source, '{"to": "to Casa Verde')).toEqual([5, 3, 7, 7, 3, 4, 5]);
  });

  it("splits the proposal by itself where the known text is split otherwise", () => {
    expect(draftTokens(source, '{"to": "Ca')).toEqual([2]);
  });

  it("gives at most eight tokens, and none without a proposal", () => {
    expect(draftTokens({ ...source, conversation: "a b c d e f g h i j k l" }, '{"x": "a b c')).toHaveLength(
      8,
    );
    expect(draftTokens(source, '{"to": "')).toEqual([]);
  });
});

describe("the record of drafts", () => {
  it("gives up after enough drafts that were refused, and tries again after a while", () => {
    const record = new DraftRecord();
    record.add(31, 0);
    expect(record.pays).toBe(true);
    record.add(1, 0);
    const later = Array.from({ length: 200 }, () => record.pays);
    expect(later.indexOf(true)).toBe(199);
    expect(record.pays).toBe(true);
  });

  it("goes on while a third and more is accepted", () => {
    const record = new DraftRecord();
    for (let count = 0; count < 50; count++) record.add(8, 3);
    expect(record.pays).toBe(true);
    for (let count = 0; count < 50; count++) record.add(8, 2);
    expect(record.pays).toBe(false);
  });
});
