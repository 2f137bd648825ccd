// The turn's state machine and its ladder, over a scripted model: what the model writes is given, what comes of it is checked.
import { describe, expect, it } from "vitest";
import { decodeTurn, foldTurn, type TurnRequest } from "../../src/decode/decode-turn.ts";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import type { ModelInfo } from "../../src/models/model.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";
import { CallwrightError, type TurnEvent } from "../../src/vocabulary/index.ts";

const weather = {
  name: "get_weather",
  description: "Current weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const label = {
  name: "label",
  description: "Labels a file with tags that all differ.",
  inputSchema: {
    type: "object",
    properties: {
      tags: { type: "array", items: { type: "string" }, uniqueItems: true },
      note: { type: "string" },
    },
    required: ["tags"],
  },
};

const open = "<tool_call>\n";
const close = "\n</tool_call>";
const call = (name: string, input: unknown) => `{"name": "${name}", "arguments": ${spaced(input)}}`;
const spaced = (value: unknown) =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n */g, " ")
    .replaceAll(/([[{]) | ([\]}])/g, "$1$2");

interface Asked extends Partial<TurnRequest> {
  readonly profile?: PartialProfile;
  readonly info?: Partial<ModelInfo>;
}

async function ask(replies: readonly ScriptedReply[], asked: Asked = {}) {
  const { profile, info, ...request } = asked;
  const model = createScriptedModel({ replies, ...(info ? { info } : {}) });
  const events: TurnEvent[] = [];
  const context = {
    model,
    profile: resolveProfile(
      { format: "hermes-json", openers: ["hermes-json"], calls: { stringLimit: 200 } },
      profile ?? {},
    ),
  };
  const turn = decodeTurn(context, {
    messages: [{ role: "user", content: "Hello?" }],
    tools: [weather],
    ...request,
  });
  for await (const event of turn) events.push(event);
  const result = await foldTurn(replay(events));
  return { events, result, model, types: events.map((event) => event.type) };
}

async function* replay(events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  yield* events;
}

describe("decodeTurn", () => {
  it("delivers an answer without a call as text and stops", async () => {
    const { result, types } = await ask(["Good morning!"]);
    expect(result).toMatchObject({ text: "Good morning!", calls: [], finish: "stop" });
    expect(types.at(-1)).toBe("turn-end");
    expect(types.filter((type) => type === "turn-end")).toHaveLength(1);
  });

  it("asks for a mark as a special token only where plain text never becomes that token", async () => {
    const written = `${call("get_weather", { city: "Oslo" })}${close}`;
    const specialTokens = ["</tool_call>"];
    for (const controlTokens of [[], specialTokens]) {
      const { model } = await ask([open + written], { info: { specialTokens, controlTokens } });
      const spans = model.requests.flatMap(({ span }) => (span.type === "constrained" ? [span.grammar] : []));
      expect(spans.map((grammar) => acceptsText(grammar, `\n${written}`))).toEqual([
        controlTokens.length === 0,
      ]);
    }
  });

  it("delivers prose and the call that follows it", async () => {
    const { result } = await ask([`Let me look.\n${open}${call("get_weather", { city: "Oslo" })}${close}`]);
    expect(result).toMatchObject({ text: "Let me look.", finish: "calls" });
    expect(result.calls).toMatchObject([{ name: "get_weather", input: { city: "Oslo" } }]);
  });

  it("forces the opener where a call is required", async () => {
    const { result, model } = await ask([`${open}${call("get_weather", { city: "Oslo" })}${close}`], {
      toolChoice: "required",
    });
    expect(result.calls).toMatchObject([{ name: "get_weather", input: { city: "Oslo" } }]);
    expect(model.requests[0]?.prefix.map((part) => part.text).join("")).toBe("<tool_call>");
    expect(model.requests[0]?.span.type).toBe("constrained");
  });

  it("offers no tools and parses no call where the choice is none", async () => {
    const { result, model } = await ask(["No tools here."], { toolChoice: "none" });
    expect(result).toMatchObject({ text: "No tools here.", calls: [], finish: "stop" });
    expect(model.requests[0]?.prompt.map((part) => part.text).join("")).not.toContain("get_weather");
  });

  it("delivers two calls where several are allowed", async () => {
    const one = call("get_weather", { city: "Oslo" });
    const two = call("get_weather", { city: "Bergen" });
    const { result } = await ask([`${open}${one}${close}\n${open}${two}${close}`], { parallel: true });
    expect(result.calls.map((each) => each.input)).toEqual([{ city: "Oslo" }, { city: "Bergen" }]);
    expect(new Set(result.calls.map((each) => each.id)).size).toBe(2);
  });

  describe("with a call that repeats an earlier one", () => {
    const oslo = `${open}${call("get_weather", { city: "Oslo" })}${close}\n`;
    const bergen = `${open}${call("get_weather", { city: "Bergen" })}${close}\n`;
    const delivered = (events: readonly TurnEvent[]) =>
      events.flatMap((event) => (event.type === "call-end" ? [event.input] : []));

    it("ends the list there: it is told and not delivered, not even its start", async () => {
      const { events, result } = await ask([oslo + bergen + oslo.repeat(40)], { parallel: true });
      expect(delivered(events)).toEqual([{ city: "Oslo" }, { city: "Bergen" }]);
      expect(events.filter((event) => event.type === "call-start")).toHaveLength(2);
      expect(result.notices.map(({ code }) => code)).toEqual(["call-repeated"]);
      expect(result.finish).toBe("calls");
    });

    it("does so with its grammar off, where the order of keys is no difference", async () => {
      const forward = call("move", { from: "a", to: "b" });
      const backward = call("move", { to: "b", from: "a" });
      const reply = `${open}${forward}${close}\n${`${open}${backward}${close}\n`.repeat(40)}`;
      const move = {
        name: "move",
        description: "Moves a file.",
        inputSchema: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
      };
      const { events, result } = await ask([reply], {
        tools: [move],
        parallel: true,
        levers: { grammar: "off" },
      });
      expect(delivered(events)).toEqual([{ from: "a", to: "b" }]);
      expect(result.notices.map(({ code }) => code)).toEqual(["call-repeated"]);
      expect(result.finish).toBe("calls");
    });
  });

  it("makes one call where the choice names a tool, unless several are asked for", async () => {
    const reply = ["Oslo", "Bergen"]
      .map((city) => `${open}${call("get_weather", { city })}${close}`)
      .join("\n");
    const named = { toolChoice: { name: "get_weather" }, profile: { calls: { parallel: true } } };
    expect((await ask([reply], named)).result.calls).toHaveLength(1);
    expect((await ask([reply], { ...named, parallel: true })).result.calls).toHaveLength(2);
  });

  it("streams the arguments of a call: their text joined is the call's input", async () => {
    const { events } = await ask([`${open}${call("get_weather", { city: "Oslo" })}${close}`]);
    const text = events.map((event) => (event.type === "call-delta" ? event.text : "")).join("");
    expect(JSON.parse(text)).toEqual({ city: "Oslo" });
  });

  it("never delivers a call that the token limit cut, and ends with length", async () => {
    const reply = {
      attempts: [`${open}{"name": "get_weather", "arguments": {"city": "Os`],
      cutByLength: true,
    };
    const { result } = await ask([reply]);
    expect(result).toMatchObject({ calls: [], finish: "length" });
  });

  it("decodes a call that the model wrote in a form of its own again under the grammar, and shows no text of it", async () => {
    const own = "```xml\n{name: get_weather, city: Oslo}\n```";
    const good = `${open}${call("get_weather", { city: "Oslo" })}${close}`;
    const { result } = await ask([{ attempts: [own, good] }]);
    expect(result).toMatchObject({ text: "", finish: "calls", calls: [{ input: { city: "Oslo" } }] });
  });

  it("shows code that names no tool as it is", async () => {
    const code = "```python\nprint('weather')\n```";
    expect((await ask([code])).result).toMatchObject({ text: code, finish: "stop", calls: [] });
  });

  it("goes back to the fault, forbids the refused value and keeps what stood before it (rung 3)", async () => {
    const bad = `${open}${call("label", { tags: ["red", "red"] })}${close}`;
    const good = `${open}${call("label", { tags: ["red", "blue"] })}${close}`;
    const { result, model, types } = await ask([{ attempts: [bad, good] }], { tools: [label] });
    expect(result.calls).toMatchObject([{ input: { tags: ["red", "blue"] } }]);
    expect(result.retries.map((retry) => retry.rung)).toEqual([3]);
    expect(types.indexOf("call-refused")).toBeLessThan(types.indexOf("retry"));
    const again = model.requests.at(-1);
    expect(again?.span).toMatchObject({ forbidden: { texts: ['"red"'] } });
    expect(again?.prefix.map((part) => part.text).join("")).toMatch(/"tags": \["red", $/);
  });

  it("shows nothing of a refused attempt: one call-start, one call-end, and deltas that are the good call", async () => {
    const bad = `${open}${call("label", { tags: ["red", "red"] })}${close}`;
    const good = `${open}${call("label", { tags: ["red", "blue"] })}${close}`;
    const { events } = await ask([{ attempts: [bad, good] }], { tools: [label] });
    const text = events.map((event) => (event.type === "call-delta" ? event.text : "")).join("");
    expect(JSON.parse(text)).toEqual({ tags: ["red", "blue"] });
    expect(events.filter((event) => event.type === "call-start")).toHaveLength(1);
  });

  it("says what is wrong and asks again, narrowed to that tool, where going back is off (rung 4)", async () => {
    const bad = `${open}${call("label", { tags: ["red", "red"] })}${close}`;
    const good = `${open}${call("label", { tags: ["red"] })}${close}`;
    const { result, model } = await ask([bad, good], { tools: [label, weather], levers: { rewind: false } });
    expect(result.calls).toMatchObject([{ input: { tags: ["red"] } }]);
    expect(result.retries.map((retry) => retry.rung)).toEqual([4]);
    const prompt =
      model.requests
        .at(-1)
        ?.prompt.map((part) => part.text)
        .join("") ?? "";
    expect(prompt).toContain("tags");
    expect(prompt.length).toBeGreaterThan(
      model.requests[0]?.prompt.map((part) => part.text).join("").length ?? 0,
    );
  });

  it("gives up openly with every attempt once the profile's attempts are spent (rung 5)", async () => {
    const bad = (second: string) => `${open}${call("label", { tags: ["red", second] })}${close}`;
    const same = bad("red");
    const { result, types } = await ask(
      [{ attempts: [same, same, same] }, { attempts: [same, same, same] }],
      {
        tools: [label],
        profile: { retry: { attempts: 3 } },
      },
    );
    expect(result).toMatchObject({ calls: [], finish: "invalid" });
    expect(result.invalid?.length).toBeGreaterThanOrEqual(1);
    expect(result.usage.attempts).toBeLessThanOrEqual(3);
    expect(types.slice(-2)).toEqual(["call-invalid", "turn-end"]);
  });

  it("spends at most as many tokens on all retries as a reply may have", async () => {
    const bad = `${open}${call("label", { tags: ["red", "red"], note: "x".repeat(150) })}${close}`;
    const replies = Array.from({ length: 9 }, () => ({ attempts: [bad, bad, bad] }));
    const { result } = await ask(replies, {
      tools: [label],
      maxTokens: 60,
      profile: { retry: { attempts: 9 } },
    });
    expect(result.calls).toEqual([]);
    expect(result.usage.tokens.forced + result.usage.tokens.sampled).toBeLessThanOrEqual(120);
  });

  it("repairs free text without loss and names the rule where the grammar is off (rung 2)", async () => {
    const reply = `${open}{"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}${close}`;
    const { result } = await ask([reply], { levers: { grammar: "off" } });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(result.repairs.map((repair) => repair.rule)).toEqual(["decoded-arguments-string"]);
  });

  it("ends as aborted, without an exception, when the signal fires", async () => {
    const { result } = await ask([`${open}${call("get_weather", { city: "Oslo" })}${close}`], {
      signal: AbortSignal.abort(),
    });
    expect(result).toMatchObject({ finish: "aborted", calls: [] });
  });

  it("says of each keyword that the grammar does not enforce", async () => {
    const { result } = await ask(["Fine."], { tools: [label] });
    const notice = result.notices.find(({ code }) => code === "schema-residual");
    expect(notice?.text).toContain("uniqueItems");
    expect(notice?.text).toContain("label");
  });
});

describe("decodeTurn refuses the caller's mistakes", () => {
  const impossible = {
    ...weather,
    name: "never",
    inputSchema: { type: "object", required: ["a"], properties: { a: false } },
  };
  it.each<[string, Asked, string, RegExp]>([
    ["two tools of one name", { tools: [weather, weather] }, "tool-duplicate", /get_weather/],
    [
      "a choice of a tool that is not offered",
      { toolChoice: { name: "nobody" } },
      "tool-choice-unknown",
      /nobody.*get_weather/,
    ],
    [
      "a required call without tools",
      { tools: [], toolChoice: "required" },
      "tool-choice-unknown",
      /no tool is offered/,
    ],
    ["a schema that nothing satisfies", { tools: [impossible] }, "schema-unsatisfiable", /never/],
    [
      "a malformed schema",
      { tools: [{ ...weather, inputSchema: { type: "objekt" } }] },
      "schema-invalid",
      /get_weather/,
    ],
    ["no message", { messages: [] }, "request-invalid", /message/],
    [
      "a prompt that does not fit",
      { messages: [{ role: "user", content: "long ".repeat(20_000) }] },
      "context-overflow",
      /conversation/,
    ],
  ])("%s", async (_name, asked, code, message) => {
    const error = await ask(["x"], asked).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallwrightError);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(message);
  });

  it("leaves a bad tool out with a notice where the request asks for that", async () => {
    const { result, events } = await ask(["Fine."], { tools: [weather, impossible], onBadTool: "leave-out" });
    expect(result.notices).toMatchObject([{ code: "tool-left-out" }]);
    expect(events[0]).toMatchObject({ type: "turn-start", tools: ["get_weather"] });
  });
});
