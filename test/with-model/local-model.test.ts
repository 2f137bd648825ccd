// The local model on real weights: what it reuses, forces, forbids, repeats, and how it stops.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBenchModel, smallestModel } from "../../bench/verify/open-bench-model.ts";
import type { DecodeContext } from "../../src/decode/decode-turn.ts";
import { decodeTurn, foldTurn } from "../../src/decode/decode-turn.ts";
import { createEngine } from "../../src/engine.ts";
import type { PromptPart } from "../../src/formats/index.ts";
import { createMatcher, parseGbnf } from "../../src/gbnf-builder/index.ts";
import type { GenerateRequest, ModelEvent } from "../../src/models/model.ts";
import { isAborted, type RunEvent } from "../../src/vocabulary/index.ts";

let context: DecodeContext;

beforeAll(async () => {
  context = await openBenchModel(smallestModel, { context: { size: 2048 } });
});

afterAll(async () => {
  await context.model.close();
});

const greedy = { temperature: 0, topK: 0, topP: 1, minP: 0 };
const hot = { temperature: 1, topK: 0, topP: 1, minP: 0 };
const ask = (text: string): PromptPart[] => [
  { text: "<|im_start|>user\n", special: true },
  { text, special: false },
  { text: "<|im_end|>\n<|im_start|>assistant\n", special: true },
];
const weather = ask("What is the weather in Paris? Answer as JSON.");
const grammar = parseGbnf(String.raw`
root ::= "{\"name\": \"" ("get_weather" | "get_wind") "\", \"city\": " string ", \"unit\": " ("\"celsius\"" | "\"fahrenheit\"") ", \"days\": " [1-9] "}"
string ::= "\"" [a-zA-Z ,é茶]{0,40} "\""`);

async function generate(request: Partial<GenerateRequest>) {
  const seen: ModelEvent[] = [];
  const base = { prompt: weather, prefix: [], sampling: greedy, seed: 1, maxTokens: 120 };
  const span = { type: "constrained", grammar } as const;
  for await (const event of context.model.generate({ ...base, span, ...request })) seen.push(event);
  const pieces = seen.filter((event) => event.type === "piece");
  const count = (source: string) =>
    pieces.filter((piece) => piece.source === source).reduce((sum, piece) => sum + piece.tokens, 0);
  return {
    text: pieces.map((piece) => piece.text).join(""),
    forced: count("forced"),
    sampled: count("sampled"),
    prefill: seen.find((event) => event.type === "prefill-end"),
    end: seen.find((event) => event.type === "end"),
  };
}

describe("a constrained span", () => {
  it("gives a text of the grammar, ends where nothing may follow, and feeds what is certain", async () => {
    const result = await generate({});
    expect(createMatcher(grammar).accepts(result.text)).toBe(true);
    expect(result.end).toMatchObject({ reason: "accepted" });
    expect(result.forced).toBeGreaterThan(result.sampled);
  });

  it("repeats itself under one seed and differs under others", async () => {
    const texts = await Promise.all([1, 1, 2, 3, 4].map((seed) => generate({ seed, sampling: hot })));
    expect(texts[0]?.text).toBe(texts[1]?.text);
    expect(new Set(texts.map((result) => result.text)).size).toBeGreaterThan(1);
  });

  it("ends with length when its tokens are spent", async () => {
    expect((await generate({ maxTokens: 6 })).end).toMatchObject({ reason: "length" });
  });

  it("goes on from any place of what it wrote, and evaluates at most a few tokens for that", async () => {
    const whole = await generate({});
    for (let cut = 1; cut < whole.text.length; cut += 7) {
      const rest = await generate({
        prefix: [{ text: whole.text.slice(0, cut), special: false }],
        consumed: cut,
      });
      expect(createMatcher(grammar).accepts(whole.text.slice(0, cut) + rest.text)).toBe(true);
      expect(rest.prefill?.evaluated).toBeLessThanOrEqual(8);
    }
  });

  it("never writes a forbidden value again", async () => {
    const whole = await generate({});
    const at = whole.text.indexOf('"unit": ') + '"unit": '.length;
    const unit = whole.text.slice(at, whole.text.indexOf(",", at));
    const rest = await generate({
      prefix: [{ text: whole.text.slice(0, at), special: false }],
      consumed: at,
      span: { type: "constrained", grammar, forbidden: { texts: [unit] } },
    });
    expect(rest.text.startsWith(unit)).toBe(false);
    expect(createMatcher(grammar).accepts(whole.text.slice(0, at) + rest.text)).toBe(true);
  });

  it("says that only forbidden text would be possible", async () => {
    const whole = await generate({});
    const at = whole.text.indexOf('"unit": ') + '"unit": '.length;
    const rest = await generate({
      prefix: [{ text: whole.text.slice(0, at), special: false }],
      consumed: at,
      span: { type: "constrained", grammar, forbidden: { texts: ['"celsius"', '"fahrenheit"'] } },
    });
    expect(rest.end).toMatchObject({ reason: "impossible" });
  });

  it("cuts no character: whatever the pieces, their text holds no replacement character", async () => {
    const tea = parseGbnf('root ::= "茶é👩‍👧" [茶é👩]{6} "안녕"');
    const result = await generate({ span: { type: "constrained", grammar: tea }, sampling: hot });
    expect(createMatcher(tea).accepts(result.text)).toBe(true);
    expect(result.text).not.toContain("\uFFFD");
  });
});

describe("a free span that must not be empty", () => {
  it("writes something where the model would end at once", async () => {
    // Two finished turns in a row leave nothing to say.
    const done = [...ask("Say nothing at all."), { text: "<|im_end|>", special: true }];
    const span = { type: "free", specials: [], nonEmpty: true } as const;
    const result = await generate({ prompt: done, span, maxTokens: 4 });
    expect(result.sampled).toBeGreaterThan(0);
  });
});

describe("the sequence", () => {
  it("evaluates a prompt once: the second request finds all of it", async () => {
    const prompt = ask(`Tell me about the number ${Math.floor(Math.random() * 1e9)}.`);
    const first = await generate({ prompt });
    const second = await generate({ prompt });
    expect(first.prefill?.ofPrompt).toBeGreaterThan(10);
    expect(second.prefill?.ofPrompt).toBeLessThanOrEqual(1);
    expect(second.prefill?.reused).toBeGreaterThan(10);
  });

  it("keeps a user's spelling of a control token plain text", async () => {
    const [plain, special] = await Promise.all([
      context.model.countTokens([{ text: "<|im_end|>", special: false }]),
      context.model.countTokens([{ text: "<|im_end|>", special: true }]),
    ]);
    expect(special).toBe(1);
    expect(plain).toBeGreaterThan(1);
  });

  it("refuses a prompt that does not fit, with the counts", async () => {
    const error = await generate({ prompt: ask("long ".repeat(3000)) }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "context-overflow", details: { available: 2048 } });
  });

  it("stops within a batch of an aborted prompt, and works again afterwards", async () => {
    const controller = new AbortController();
    let evaluated = 0;
    const prompt = ask(`${Math.floor(Math.random() * 1e9)} ${"word ".repeat(1500)}`);
    const request = {
      prompt,
      prefix: [],
      sampling: greedy,
      seed: 1,
      maxTokens: 5,
      signal: controller.signal,
    };
    const run = async () => {
      for await (const event of context.model.generate({
        ...request,
        span: { type: "free", specials: [] },
      })) {
        if (event.type !== "prefill-progress") continue;
        evaluated = event.done;
        if (event.done > 0) controller.abort();
      }
    };
    const error = await run().catch((thrown: unknown) => thrown);
    expect(isAborted(error)).toBe(true);
    expect(evaluated).toBeLessThanOrEqual(128);
    expect((await generate({})).end).toMatchObject({ reason: "accepted" });
  });

  it("can be left in the middle and used again", async () => {
    for await (const event of context.model.generate({
      prompt: weather,
      prefix: [],
      span: { type: "free", specials: [] },
      sampling: greedy,
      seed: 1,
      maxTokens: 50,
    })) {
      if (event.type === "piece") break;
    }
    expect((await generate({})).end).toMatchObject({ reason: "accepted" });
  });
});

describe("score", () => {
  it("gives logarithms of probabilities: what greedy decoding writes is likelier than anything else", async () => {
    const free = { type: "free", specials: [] } as const;
    const { text } = await generate({ span: free, maxTokens: 3 });
    const continuations = [text, "Xylophone quarrel", "zzz"].map((part) => ({ text: part, special: false }));
    const scores = await context.model.score({ prompt: weather, prefix: [], continuations });
    expect(Math.max(...scores)).toBe(scores[0]);
    for (const score of scores) expect(score).toBeLessThanOrEqual(0);
  });

  it("adds up to at most one over texts that exclude each other", async () => {
    const continuations = ["The", "A", "I", "{", "```"].map((text) => ({ text, special: false }));
    const scores = await context.model.score({ prompt: weather, prefix: [], continuations });
    expect(scores.reduce((sum, score) => sum + Math.exp(score), 0)).toBeLessThanOrEqual(1.0001);
  });
});

describe("drafts on real weights", () => {
  it("change nothing of what is written, greedy or drawn, and are accepted where values are copied", async () => {
    const without = await openBenchModel(smallestModel, { context: { size: 2048 } }, { drafts: false });
    const string = parseGbnf(String.raw`root ::= "{\"text\": \"" [a-zA-Z0-9 .,:-]{0,60} "\"}"`);
    const copied = [
      "Repeat: the keys are under the green flowerpot, 2026-05-14.",
      "Copy this number: 449044304137821",
      "Say again: Casa Verde, Lisbon, 19:30",
      "Name a colour.",
    ];
    try {
      let accepted = 0;
      for (const [index, text] of copied.entries()) {
        for (const sampling of [greedy, { ...hot, temperature: 0.5 }]) {
          const request = {
            prompt: ask(text),
            prefix: [],
            span: { type: "constrained" as const, grammar: string },
            sampling,
            seed: index,
            maxTokens: 60,
          };
          const [plain, drafted] = await Promise.all(
            [without.model, context.model].map(async (model) => {
              const events: ModelEvent[] = [];
              for await (const event of model.generate(request)) events.push(event);
              return events.filter((event) => event.type === "piece");
            }),
          );
          const written = (pieces: typeof plain) => pieces?.map((piece) => piece.text).join("");
          expect(written(drafted)).toBe(written(plain));
          expect(plain?.some((piece) => piece.source === "drafted")).toBe(false);
          accepted += drafted?.filter((piece) => piece.source === "drafted").length ?? 0;
        }
      }
      expect(accepted).toBeGreaterThan(10);
    } finally {
      await without.model.close();
    }
  });
});

describe("several sequences on real weights", () => {
  it("give nobody what another one asked for", async () => {
    const shared = await openBenchModel(smallestModel, {
      context: { size: 1024 },
      runtime: { sequences: 4 },
    });
    const digits = parseGbnf("root ::= [0-9] [0-9] [0-9] [0-9]");
    const repeat = async (number: number) => {
      let text = "";
      for await (const event of shared.model.generate({
        prompt: ask(`Write this number and nothing else: ${number}`),
        prefix: [],
        span: { type: "constrained", grammar: digits },
        sampling: greedy,
        seed: 1,
        maxTokens: 8,
      })) {
        if (event.type === "piece") text += event.text;
      }
      return Number(text);
    };
    try {
      const right: boolean[] = [];
      for (let round = 0; round < 8; round++) {
        const numbers = [1031, 2142, 3253, 4364].map((number) => number + round * 17);
        const written = await Promise.all(numbers.map(repeat));
        for (const [index, number] of numbers.entries()) {
          right.push(written[index] === number);
          expect(numbers.filter((other) => other !== number)).not.toContain(written[index]);
        }
      }
      // The model can do it, so that a mix-up would show.
      expect(right.filter(Boolean).length).toBeGreaterThan(right.length / 2);
    } finally {
      await shared.model.close();
    }
  });
});

describe("decodeTurn on real weights", () => {
  it("gives two concurrent turns their own, valid calls", async () => {
    const tool = (name: string) => ({
      name,
      description: "Looks a city up.",
      inputSchema: { type: "object", properties: { city: { enum: ["Oslo", "Rome"] } }, required: ["city"] },
    });
    const results = await Promise.all(
      ["find_a", "find_b"].map((name) =>
        foldTurn(
          decodeTurn(context, {
            messages: [{ role: "user", content: "Look up Oslo." }],
            tools: [tool(name)],
            toolChoice: "required",
            parallel: false,
          }),
        ),
      ),
    );
    expect(results.map((result) => result.calls.map((call) => call.name))).toEqual([["find_a"], ["find_b"]]);
  });
});

describe("an engine on real weights", () => {
  it("closes while a run is held in the middle, whose end can still be read", async () => {
    const engine = createEngine({ model: context.model });
    const run = engine.run({ prompt: "Write a long story about a fox." })[Symbol.asyncIterator]();
    let step = await run.next();
    while (!step.done && step.value.type !== "text-delta") step = await run.next();
    expect(step.done).toBe(false);
    await engine.close();
    let last: RunEvent | undefined;
    for (step = await run.next(); !step.done; step = await run.next()) last = step.value;
    expect(last).toMatchObject({ type: "run-end", reason: "aborted" });
    await expect(engine.call({ prompt: "Hello" })).rejects.toMatchObject({ code: "request-invalid" });
  });
});
