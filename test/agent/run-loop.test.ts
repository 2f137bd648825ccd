import { describe, expect, test } from "vitest";
import { foldRun, type RunRequest, runLoop } from "../../src/agent/index.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";
import { type Tool, ToolFailure } from "../../src/tools/index.ts";
import type { Message, RunEvent } from "../../src/vocabulary/index.ts";
import { fenceProfile, writeCalls } from "./write-calls.ts";

const user: Message = { role: "user", content: "What is the weather in Oslo?" };

const weather: Tool = {
  name: "weather",
  description: "Weather of a city",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  execute: async ({ city }) => ({ text: `8 degrees in ${String(city)}` }),
};

const callWeather = (city: string) => writeCalls({ name: "weather", arguments: { city } });

async function run(replies: readonly ScriptedReply[], more: Partial<RunRequest> = {}, contextSize = 8192) {
  const model = createScriptedModel({ replies, info: { contextSize } });
  const profile = resolveProfile(fenceProfile, { context: { size: contextSize, reserve: 512 } });
  const events: RunEvent[] = [];
  for await (const event of runLoop({ model, profile }, { messages: [user], tools: [weather], ...more })) {
    events.push(event);
  }
  const result = await foldRun(replay(events));
  return { events, result, model, ends: events.filter(({ type }) => type === "run-end") };
}

async function* replay(events: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* events;
}

const toolEnds = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "tool-end" ? [`${event.outcome}: ${event.content}`] : []));

describe("a run", () => {
  test("frees the model where whoever listens leaves half-way", async () => {
    const scripted = createScriptedModel({ replies: ["Once upon a time."], info: { contextSize: 8192 } });
    let open = 0;
    const model: typeof scripted = Object.assign(Object.create(scripted), {
      generate: async function* (request: Parameters<typeof scripted.generate>[0]) {
        open += 1;
        try {
          yield* scripted.generate(request);
        } finally {
          open -= 1;
        }
      },
    });
    const profile = resolveProfile(fenceProfile, { context: { size: 8192, reserve: 512 } });
    let openOnTheWay = 0;
    for await (const event of runLoop({ model, profile }, { messages: [user], tools: [] })) {
      if (event.type !== "text-delta") continue;
      openOnTheWay = open;
      break;
    }
    expect(openOnTheWay).toBe(1);
    expect(open).toBe(0);
  });

  test("goes from call to result to answer", async () => {
    const { events, result, ends } = await run([callWeather("Oslo"), "It has 8 degrees."]);
    expect(events[0]).toMatchObject({ type: "run-start", turn: 0 });
    expect(events.at(-1)).toMatchObject({ type: "run-end", reason: "done", turn: 2 });
    expect(ends).toHaveLength(1);
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
    expect(toolEnds(events)).toEqual(["completed: 8 degrees in Oslo"]);
    expect(result).toMatchObject({ text: "It has 8 degrees.", reason: "done", turns: 2 });
    const [asked, answered, final] = result.messages;
    expect(asked).toMatchObject({
      role: "assistant",
      calls: [{ name: "weather", input: { city: "Oslo" } }],
    });
    const id = asked?.role === "assistant" ? asked.calls?.[0]?.id : undefined;
    expect(answered).toEqual({
      role: "tool",
      callId: id,
      name: "weather",
      content: "8 degrees in Oslo",
    });
    expect(final).toEqual({ role: "assistant", content: "It has 8 degrees." });
  });

  test("shows the model the result before its next turn", async () => {
    const { model } = await run([callWeather("Oslo"), "Done."]);
    const prompt = model.requests
      .at(-1)
      ?.prompt.map((part) => part.text)
      .join("");
    expect(prompt).toContain("8 degrees in Oslo");
  });

  test("without a call ends after one turn", async () => {
    const { result, events } = await run(["Hello."]);
    expect(result).toMatchObject({ text: "Hello.", reason: "done", turns: 1 });
    expect(toolEnds(events)).toEqual([]);
  });

  test("sums the usage of its turns", async () => {
    const { events, result } = await run([callWeather("Oslo"), "Done."]);
    const turns = events.flatMap((event) => (event.type === "turn-end" ? [event.usage.tokens] : []));
    expect(turns).toHaveLength(2);
    expect(result.usage.tokens.prefilled).toBe(turns.reduce((sum, tokens) => sum + tokens.prefilled, 0));
    expect(result.usage.tokens.sampled).toBe(turns.reduce((sum, tokens) => sum + tokens.sampled, 0));
    expect(result.usage.tokens.sampled).toBeGreaterThan(0);
  });

  test("goes on after a failure and after a crash", async () => {
    const failing: Tool = {
      ...weather,
      execute: async ({ city }) => {
        if (city === "Atlantis") throw new ToolFailure("No such city.");
        throw new Error("socket closed");
      },
    };
    const { events, result } = await run([callWeather("Atlantis"), callWeather("Oslo"), "I cannot say."], {
      tools: [failing],
    });
    expect(toolEnds(events)).toEqual(["failed: No such city.", 'crashed: "weather" crashed: socket closed']);
    expect(result.messages.filter((message) => message.role === "tool" && message.isError)).toHaveLength(2);
    expect(result.reason).toBe("done");
  });

  test("answers a call to a tool that left the catalogue as stale", async () => {
    let asked = 0;
    const tools = () => {
      asked += 1;
      return asked === 1 ? [weather] : [];
    };
    const { events } = await run([callWeather("Oslo"), "It is gone."], { tools });
    expect(toolEnds(events)).toEqual(['stale: The tool "weather" is no longer available.']);
  });
});

describe("what the grammar does not enforce", () => {
  // Distinctness of values that are free text is beyond any grammar.
  const label = (name: string): Tool => ({
    name,
    description: "Labels a thing",
    inputSchema: {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" }, uniqueItems: true } },
      required: ["tags"],
    },
    execute: async () => ({ text: "Done." }),
  });
  const call = (name: string) => writeCalls({ name, arguments: { tags: ["red"] } });
  const residuals = (events: readonly RunEvent[]) =>
    events.flatMap((event) =>
      event.type === "notice" && event.code === "schema-residual"
        ? [`turn ${event.turn}: ${event.text.slice(0, event.text.indexOf(","))}`]
        : [],
    );

  test("is told in the first turn and not again", async () => {
    const { events } = await run([call("label"), call("label"), "Done."], { tools: [label("label")] });
    expect(residuals(events)).toEqual(['turn 1: Tool "label"']);
  });

  test("is told of a tool that joins the catalogue when it joins", async () => {
    let turns = 0;
    const tools = () => (turns++ === 0 ? [label("label")] : [label("label"), label("mark")]);
    const { events } = await run([call("label"), call("mark"), "Done."], { tools });
    expect(residuals(events)).toEqual(['turn 1: Tool "label"', 'turn 2: Tool "mark"']);
  });
});

describe("a run is bounded", () => {
  test("in turns: the last one has no tools and ends with an answer", async () => {
    const replies = [callWeather("Oslo"), callWeather("Bergen"), "8 degrees in both."];
    const { result, events } = await run(replies, { limits: { steps: 3 } });
    const starts = events.flatMap((event) => (event.type === "turn-start" ? [event.tools.length] : []));
    expect(starts).toEqual([1, 1, 0]);
    expect(result).toMatchObject({ reason: "step-limit", text: "8 degrees in both.", turns: 3 });
  });

  test("in calls of one tool", async () => {
    const cities = ["a", "b", "c", "d"].map(callWeather);
    const { events, result } = await run(cities, { limits: { callsPerTool: 2 } });
    expect(result.reason).toBe("loop");
    expect(toolEnds(events).filter((text) => text.startsWith("completed"))).toHaveLength(2);
    expect(toolEnds(events)).toHaveLength(3);
  });

  test("in rounds without news", async () => {
    const replies = [...Array(3).fill(callWeather("Oslo")), "8 degrees."];
    const { events, result, model } = await run(replies);
    expect(result.text).toBe("8 degrees.");
    expect(result.reason).toBe("loop");
    // Two that are the same, one more after the warning.
    expect(toolEnds(events)).toHaveLength(3);
    const warnings = events.filter((event) => event.type === "notice" && event.code === "loop-warning");
    expect(warnings).toHaveLength(1);
    const prompt = model.requests
      .at(-1)
      ?.prompt.map((part) => part.text)
      .join("");
    expect(prompt).toContain("This result is known already.");
    expect(result.messages.map(({ role }) => role).join(" ")).toBe(
      "assistant tool assistant tool user assistant tool assistant",
    );
  });

  test("in the size of a result", async () => {
    const long: Tool = { ...weather, execute: async () => ({ text: "x".repeat(100_000) }) };
    const { events } = await run([callWeather("Oslo"), "Long."], { tools: [long] }, 2048);
    const [shown = ""] = toolEnds(events);
    expect(shown).toMatch(/\d+ of 100000 characters cut here/);
    // Four characters a token, 40 % of 2,048 tokens.
    expect(shown.length).toBeLessThanOrEqual("completed: ".length + 4 * 819);
  });

  test("in tokens of a reply", async () => {
    const { result } = await run(["x".repeat(400)], { maxTokens: 10 });
    expect(result).toMatchObject({ reason: "length", turns: 1 });
  });
});

describe("a run that is aborted", () => {
  test("before it begins ends at once", async () => {
    const { ends, result } = await run(["never"], { signal: AbortSignal.abort() });
    expect(ends).toHaveLength(1);
    expect(result.reason).toBe("aborted");
  });

  test("while a tool works still has a result for its call", async () => {
    const controller = new AbortController();
    const slow: Tool = {
      ...weather,
      execute: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const { events, result } = await run([callWeather("Oslo"), "never"], {
      tools: [slow],
      signal: controller.signal,
    });
    expect(result).toMatchObject({ reason: "aborted", turns: 1 });
    expect(toolEnds(events)).toEqual(["interrupted: Interrupted before it ended."]);
  });

  test("by not being read any longer stops its tools", async () => {
    let stopped = false;
    const slow: Tool = {
      ...weather,
      execute: (_, { signal, progress }) => {
        progress("started");
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(new Error("stopped"));
          });
        });
      },
    };
    const model = createScriptedModel({ replies: [callWeather("Oslo")] });
    const profile = resolveProfile(fenceProfile);
    for await (const event of runLoop({ model, profile }, { messages: [user], tools: [slow] })) {
      if (event.type === "tool-progress") break;
    }
    expect(stopped).toBe(true);
  });
});

test("the caller's mistake ends the run and is thrown", async () => {
  const model = createScriptedModel({ replies: [] });
  const bad = { ...weather, inputSchema: { type: "objekt" } };
  const events: RunEvent[] = [];
  const reading = (async () => {
    const request = { messages: [user], tools: [bad] };
    for await (const event of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
      events.push(event);
    }
  })();
  await expect(reading).rejects.toMatchObject({ name: "CallwrightError" });
  expect(events.at(-1)).toMatchObject({ type: "run-end", reason: "error" });
});

test("a model that fails between turns ends the run with its error, after the calls beside it", async () => {
  const replies = [writeCalls({ name: "long", arguments: {} }), "Never said."];
  const scripted = createScriptedModel({ replies });
  const long: Tool = {
    name: "long",
    description: "Says much",
    inputSchema: { type: "object", properties: {} },
    execute: async () => {
      scripted.countTokens = () => Promise.reject(new Error("The model is gone."));
      return { text: "word ".repeat(20_000) };
    },
  };
  const events: RunEvent[] = [];
  const reading = (async () => {
    const request = { messages: [user], tools: [long] };
    const profile = resolveProfile(fenceProfile);
    for await (const event of runLoop({ model: scripted, profile }, request)) events.push(event);
  })();
  await expect(reading).rejects.toThrow("The model is gone.");
  expect(events.at(-1)).toMatchObject({ type: "run-end", reason: "error" });
});

test("a demanded call is demanded in the first turn only", async () => {
  const { result } = await run([callWeather("Oslo"), "8 degrees."], { toolChoice: "required" });
  expect(result).toMatchObject({ reason: "done", text: "8 degrees.", turns: 2 });
});

test("an announcement without its call is asked for once", async () => {
  const { result, events } = await run(["I will look that up now.", callWeather("Oslo"), "8 degrees."]);
  expect(result).toMatchObject({ reason: "done", text: "8 degrees.", turns: 3 });
  expect(events.filter((event) => event.type === "notice" && event.code === "call-missing")).toHaveLength(1);
  const twice = await run(["I will look that up now.", callWeather("Oslo"), "Let me check that again."]);
  expect(twice.result).toMatchObject({ reason: "done", turns: 3 });
});
