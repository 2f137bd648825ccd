// What may follow a text, against the matcher that read it, and by hand.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  acceptsText,
  createMatcher,
  grammarAfter,
  parseGbnf,
  printGbnf,
} from "../../src/gbnf-builder/index.ts";
import { arbitraryGrammar, decisionsFrom, mutateText, sampleText } from "./arbitrary-grammar.ts";

describe("the grammar after a text", () => {
  const list = parseGbnf(`root ::= "[" item ("," item)* "]"
item ::= [0-9]{1,3} | list
list ::= "[" item? "]"`);

  test.each([
    ["[1", ["]", "2]", "23,4]"], ["", "234]", "1"]],
    ["[12", ["]", "3]"], ["34]"]],
    ["[[", ["]]", "5]]", "[]]]"], ["]", ",]"]],
    ["[1]", [""], ["]"]],
  ] as const)("behind %s", (text, accepted, refused) => {
    const rest = grammarAfter(list, text);
    if (rest === undefined) throw new Error("nothing may follow");
    expect(accepted.filter((more) => !acceptsText(rest, more))).toEqual([]);
    expect(refused.filter((more) => acceptsText(rest, more))).toEqual([]);
    expect(acceptsText(parseGbnf(printGbnf(rest)), accepted[0])).toBe(true);
  });

  test("is none where the text leaves the grammar", () => {
    expect(grammarAfter(list, "[1234")).toBeUndefined();
    expect(grammarAfter(list, "x")).toBeUndefined();
  });

  test("is the grammar itself where nothing was read", () => {
    expect(grammarAfter(list, "")).toBe(list);
  });

  test.each([true, false])(
    "agrees with the matcher at every place of a text (recursive: %s)",
    (isRecursive) => {
      let split = 0;
      fc.assert(
        fc.property(arbitraryGrammar({ isRecursive }), fc.integer(), (grammar, seed) => {
          const decide = decisionsFrom(seed);
          const matcher = createMatcher(grammar);
          const original = sampleText(grammar, decide) ?? "";
          for (const text of [original, mutateText(original, decide)]) {
            const characters = [...text];
            if (characters.length > (isRecursive ? 8 : 20)) continue;
            const at = Math.floor(decide() * (characters.length + 1));
            const [read, more] = [characters.slice(0, at).join(""), characters.slice(at).join("")];
            const rest = grammarAfter(grammar, read);
            const isAlive = matcher.advance(matcher.start, Buffer.from(read)) >= 0;
            expect(rest !== undefined).toBe(isAlive);
            if (rest === undefined) continue;
            split += 1;
            expect(acceptsText(rest, more), JSON.stringify([read, more])).toBe(matcher.accepts(text));
          }
        }),
        { numRuns: 300 },
      );
      expect(split).toBeGreaterThan(100);
    },
  );
});
