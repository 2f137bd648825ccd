import { describe, expect, test } from "vitest";
import { createGrammar, literal, sequence } from "../../src/gbnf-builder/index.ts";
import type { GenerateRequest, ModelEvent, Span } from "../../src/models/model.ts";
import { createScriptedModel, type ScriptedModel } from "../../src/models/scripted.ts";

const greedy = { temperature: 0, topK: 0, topP: 1, minP: 0 };
const free: Span = { type: "free", specials: [] };

function ask(prompt: string, prefix = "", more: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    prompt: [{ text: prompt, special: false }],
    prefix: prefix === "" ? [] : [{ text: prefix, special: false }],
    span: free,
    sampling: greedy,
    seed: 0,
    maxTokens: 1_000,
    ...more,
  };
}

async function read(model: ScriptedModel, request: GenerateRequest) {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(request)) events.push(event);
  const pieces = events.flatMap((event) => (event.type === "piece" ? [event.text] : []));
  const end = events.find((event) => event.type === "end");
  return { text: pieces.join(""), pieces, end: end?.reason };
}

describe("the scripted model", () => {
  test("answers each new prompt with the next reply, in pieces", async () => {
    const model = createScriptedModel({ replies: ["first reply", "second"] });
    const first = await read(model, ask("a"));
    expect(first).toEqual({
      text: "first reply",
      pieces: ["firs", "t re", "ply"],
      end: "end-of-generation",
    });
    expect((await read(model, ask("b"))).text).toBe("second");
    expect(model.requests).toHaveLength(2);
  });

  test("splits between characters, never inside one", async () => {
    const model = createScriptedModel({ replies: ["a😀é"], pieceLength: 1 });
    expect((await read(model, ask("a"))).pieces).toEqual(["a", "😀", "é"]);
  });

  test("goes on where the prefix ends", async () => {
    const model = createScriptedModel({ replies: ["text then call"] });
    await read(model, ask("a"));
    expect((await read(model, ask("a", "text "))).text).toBe("then call");
  });

  test("says its whole reply after a prefix that is not its own", async () => {
    const model = createScriptedModel({ replies: ["reply"] });
    expect((await read(model, ask("a", "forced"))).text).toBe("reply");
  });

  test("turns to the next attempt where texts are forbidden or a place is asked for again", async () => {
    const grammar = createGrammar("root", { root: literal("call two") });
    const model = createScriptedModel({ replies: [{ attempts: ["call one", "call two", "call three"] }] });
    await read(model, ask("a"));
    const span: Span = { type: "constrained", grammar, forbidden: { texts: ["one"] } };
    expect((await read(model, ask("a", "call ", { span, consumed: 5 }))).text).toBe("two");
    expect((await read(model, ask("a", "call "))).text).toBe("three");
  });

  test("ends a constrained span where nothing may follow", async () => {
    const grammar = createGrammar("root", { root: sequence(literal("{"), literal("}")) });
    const model = createScriptedModel({ replies: ["{}more"] });
    const span: Span = { type: "constrained", grammar };
    expect(await read(model, ask("a", "", { span }))).toMatchObject({ text: "{}", end: "accepted" });
  });

  test("gives text that leaves the grammar all the same", async () => {
    const grammar = createGrammar("root", { root: literal("{}") });
    const model = createScriptedModel({ replies: ["{wrong"] });
    const span: Span = { type: "constrained", grammar };
    expect(await read(model, ask("a", "", { span }))).toMatchObject({
      text: "{wrong",
      end: "end-of-generation",
    });
  });

  test("stops at the token limit, when aborted, and when the prompt does not fit", async () => {
    const model = createScriptedModel({ replies: ["twelve chars", "x", "y"], info: { contextSize: 20 } });
    expect(await read(model, ask("a", "", { maxTokens: 2 }))).toMatchObject({
      text: "twelve c",
      end: "length",
    });
    const aborted = ask("b", "", { signal: AbortSignal.abort() });
    await expect(read(model, aborted)).rejects.toMatchObject({ code: "aborted" });
    await expect(read(model, ask("x".repeat(100)))).rejects.toMatchObject({ code: "context-overflow" });
  });

  test("holds what it says next for likely", async () => {
    const model = createScriptedModel({ replies: ["yes"] });
    const parts = (text: string) => ({ text, special: false });
    const scores = await model.score({
      prompt: [parts("a")],
      prefix: [],
      continuations: [parts("ye"), parts("no")],
    });
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
  });
});
