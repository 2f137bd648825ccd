// What a server writes against the rules of its span; expected values by hand.
import { describe, expect, test } from "vitest";
import { parseGbnf } from "../../../src/gbnf-builder/index.ts";
import type { GenerateRequest, SpanEnd } from "../../../src/models/model.ts";
import { watchSpan } from "../../../src/models/remote/watch-span.ts";

const grammar = parseGbnf('root ::= "n=" [0-9]+ ("," [0-9]+)* ";"');
const open = parseGbnf('root ::= "n=" [0-9]+');
const plain = { sampling: { temperature: 0, topK: 0, topP: 1, minP: 0 }, seed: 0, maxTokens: 10, prompt: [] };
const constrained = (more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  ...plain,
  prefix: [],
  span: { type: "constrained", grammar },
  ...more,
});

/** What is passed on, and why it is over, of pieces and then the server's own end. */
function watch(request: GenerateRequest, pieces: readonly string[], end: SpanEnd, written = "") {
  const span = watchSpan(request, written);
  let text = "";
  for (const piece of pieces) {
    const taken = span.take(piece);
    text += taken.text;
    if (taken.over !== undefined) return [text, taken.over];
  }
  const last = span.finish(end);
  return [text + last.text, last.over];
}

const end = "end-of-generation";

describe("text under a grammar", () => {
  test.each([
    ["is over as soon as nothing may follow", ["n=1", "2;", "more"], end, "n=12;", "accepted"],
    ["is over within a piece too", ["n=1;more"], end, "n=1;", "accepted"],
    ["is cut where it leaves the grammar", ["n=1x", ";"], end, "n=1", "impossible"],
    ["that stops too early has not followed it", ["n=1"], end, "n=1", "impossible"],
    ["keeps the server's limit", ["n=1"], "length", "n=1", "length"],
  ] as const)("%s", (_name, pieces, ending, text, over) => {
    expect(watch(constrained(), pieces, ending)).toEqual([text, over]);
  });

  test("ends where it may, and the model says so", () => {
    const request = constrained({ span: { type: "constrained", grammar: open } });
    expect(watch(request, ["n=1", "2"], end)).toEqual(["n=12", "accepted"]);
    expect(watch(request, ["n=12 and more"], end)).toEqual(["n=12", "accepted"]);
  });

  test("goes on behind what the prefix and an earlier answer have of it", () => {
    const request = constrained({ prefix: [{ text: "Call: n=1", special: false }], consumed: 3 });
    expect(watch(request, ["2;"], end)).toEqual(["2;", "accepted"]);
    expect(watch(request, ["2;"], end, ",4")).toEqual(["2;", "accepted"]);
    expect(watch(request, ["n=2;"], end)).toEqual(["", "impossible"]);
  });
});

describe("a value that must not stand here", () => {
  const free = (texts: readonly string[]): GenerateRequest => ({
    ...plain,
    prefix: [],
    span: { type: "free", specials: [], forbidden: { texts } },
  });
  test.each([
    ["is noticed before any of it is passed on", ['"b'], ['"ba', 'd"', "}"], "", "forbidden"],
    ["is noticed across pieces", ['"bad"'], ['"', "ba", "d", '"}'], "", "forbidden"],
    ["is another one where it goes on differently", ['"bad"'], ['"ba', 'dge"'], '"badge"', end],
    ["of digits may be the beginning of another", ["12"], ["1", "2", "3,"], "123,", end],
    ["of digits is over at a delimiter", ["12"], ["1", "2", ","], "", "forbidden"],
    ["of digits is over at the end", ["12"], ["12"], "", "forbidden"],
    ["is any of several", ["1", "2"], ["2", "}"], "", "forbidden"],
  ] as const)("%s", (_name, texts, pieces, text, over) => {
    expect(watch(free(texts), pieces, end)).toEqual([text, over]);
  });
});
