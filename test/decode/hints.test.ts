// Hints from prose and grounding in a decoded turn, over a scripted model.
import { describe, expect, it } from "vitest";
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import type { GenerateRequest, Model, ScoreRequest } from "../../src/models/model.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { JsonObject, TurnEvent } from "../../src/vocabulary/index.ts";

const tool = {
  name: "book",
  description: "Books a room.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "City, e.g. San Francisco, CA" },
      day: { type: "string", description: "Day as MM/DD/YYYY" },
      view: { type: "string", description: "The view." },
    },
    required: ["city", "day"],
  },
};
const call = (input: JsonObject) =>
  `<tool_call>\n{"name": "book", "arguments": ${JSON.stringify(input).replaceAll('":', '": ').replaceAll(',"', ', "')}}\n</tool_call>`;
const own = { city: "New York", day: "03/04/2026" };
const stated = { city: "New York, NY", day: "03/04/2026" };

async function ask(attempts: readonly JsonObject[], calls: PartialProfile["calls"], score = () => -1) {
  const info = { givesProbabilities: true };
  const model = createScriptedModel({ replies: [{ attempts: attempts.map(call) }], score, info });
  const profile = resolveProfile({ format: "hermes-json", openers: ["hermes-json"] }, { calls: calls ?? {} });
  const messages = [{ role: "user", content: "A room in New York on 4 March" }] as const;
  const events: TurnEvent[] = [];
  let writing = 0;
  let overlaps = 0;
  const watched: Model = Object.assign(Object.create(model) as Model, {
    async *generate(request: GenerateRequest) {
      writing += 1;
      try {
        yield* model.generate(request);
      } finally {
        writing -= 1;
      }
    },
    score(request: ScoreRequest) {
      overlaps += writing;
      return model.score(request);
    },
  });
  for await (const event of decodeTurn(
    { model: watched, profile },
    { messages, tools: [tool], toolChoice: "required" },
  ))
    events.push(event);
  return { events, requests: model.requests, overlaps };
}

const callsOf = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === "call-end" ? [event.input] : []));
const repairsOf = (events: readonly TurnEvent[]) =>
  events.flatMap((event) =>
    event.type === "call-repaired" ? [[event.rule, event.before, event.after]] : [],
  );
const textOf = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.type === "call-delta" ? event.text : "")).join("");

describe("hints", () => {
  it("have a value written again in the form that its description states, and say so", async () => {
    const { events, requests } = await ask([own, stated], { hints: true });
    expect(callsOf(events)).toEqual([stated]);
    expect(repairsOf(events)).toEqual([["stated-form", '"New York"', '"New York, NY"']]);
    expect(JSON.parse(textOf(events))).toEqual(stated);
    expect(events.filter(({ type }) => type === "call-start")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "retry" || type === "call-refused")).toEqual([]);
    const grammars = requests.flatMap(({ span }) => (span.type === "constrained" ? [span.grammar] : []));
    const accepted = grammars.map((grammar) => acceptsText(grammar, call(own).slice("<tool_call>".length)));
    // Then the turn goes on behind the judged call, under the same grammar.
    expect(accepted).toEqual([true, false, false]);
  });

  it("are given up where the model finds the stated form too unlikely", async () => {
    let asked = 0;
    const { events } = await ask([own, stated, own], { hints: true }, () => (asked++ % 2 === 0 ? -1 : -40));
    expect(callsOf(events)).toEqual([own]);
    expect(repairsOf(events)).toEqual([]);
  });

  it("ask the model only while it does not write", async () => {
    const { events, overlaps } = await ask([own, stated], { hints: true });
    expect(callsOf(events)).toEqual([stated]);
    expect(overlaps).toBe(0);
  });

  it("are not asked where the profile does not want them", async () => {
    const { events } = await ask([own, stated], { hints: false });
    expect(callsOf(events)).toEqual([own]);
  });
});

describe("grounding", () => {
  const invented = { ...stated, view: "sea" };

  it("leaves out an optional value that nobody spoke of, and says so", async () => {
    const { events } = await ask([invented], { grounding: true });
    expect(callsOf(events)).toEqual([stated]);
    expect(repairsOf(events)).toEqual([["ungrounded-dropped", '"view": "sea"', ""]]);
    expect(JSON.parse(textOf(events))).toEqual(stated);
  });

  it("is off where the profile does not want it", async () => {
    const { events } = await ask([invented], { grounding: false });
    expect(callsOf(events)).toEqual([invented]);
  });
});
