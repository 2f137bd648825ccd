import { describe, expect, it } from "vitest";
import { createMatcher, createTokenTrie, parseGbnf } from "../../../src/gbnf-builder/index.ts";
import { refusedByForbidden } from "../../../src/models/local/forbidden-text.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

function refused(options: {
  grammar: string;
  tokens: string[];
  before: string;
  written: string;
  forbidden: string[];
}) {
  const matcher = createMatcher(parseGbnf(options.grammar));
  const trie = createTokenTrie(options.tokens.map(bytes));
  const written = bytes(options.before + options.written);
  const ids = refusedByForbidden({
    forbidden: { offset: options.before.length, texts: options.forbidden.map(bytes) },
    matcher,
    trie,
    state: matcher.advance(matcher.start, written),
    written,
    bytesOf: (token) => bytes(options.tokens[token] ?? ""),
  });
  return [...ids].map((id) => options.tokens[id]).sort();
}

describe("refusedByForbidden", () => {
  const units = 'root ::= "u: " ("\\"celsius\\"" | "\\"fahrenheit\\"") ","';
  const unitTokens = ["c", "f", "cel", 'celsius"', 'celsius",', "fahr"];

  it("refuses every token that leads to the forbidden value only", () => {
    const place = {
      grammar: units,
      tokens: unitTokens,
      before: "u: ",
      written: '"',
      forbidden: ['"celsius"'],
    };
    expect(refused(place)).toEqual(["c", "cel", 'celsius"', 'celsius",'].sort());
  });

  it("refuses all where all values are forbidden", () => {
    const forbidden = ['"celsius"', '"fahrenheit"'];
    const place = { grammar: units, tokens: unitTokens, before: "u: ", written: '"', forbidden };
    expect(refused(place)).toEqual([...unitTokens].sort());
  });

  it("leaves a string's beginning alone where it may become another string", () => {
    const grammar = 'root ::= "\\"" [a-z]* "\\""';
    const tokens = ["re", "red", 'red"', "reds", '"'];
    expect(refused({ grammar, tokens, before: "", written: '"', forbidden: ['"red"'] })).toEqual(['red"']);
    expect(refused({ grammar, tokens, before: "", written: '"red', forbidden: ['"red"'] })).toEqual(['"']);
  });

  it("lets a number go on, but not end, where the forbidden number stands", () => {
    const grammar = 'root ::= [0-9]+ ","';
    const tokens = ["1", "12", "12,", "123", ",", "3"];
    expect(refused({ grammar, tokens, before: "", written: "", forbidden: ["12"] })).toEqual(["12,"]);
    expect(refused({ grammar, tokens, before: "", written: "12", forbidden: ["12"] })).toEqual([","]);
  });

  it("refuses a number that could not go on", () => {
    const grammar = 'root ::= ("12" | "7") ","';
    expect(
      refused({ grammar, tokens: ["1", "12", "7"], before: "", written: "", forbidden: ["12"] }),
    ).toEqual(["1", "12"]);
  });

  it("has nothing to say once another value stands there", () => {
    const place = {
      grammar: units,
      tokens: unitTokens,
      before: "u: ",
      written: '"f',
      forbidden: ['"celsius"'],
    };
    expect(refused(place)).toEqual([]);
  });
});
