// How a turn reasons, over a scripted model: who opens it, what ends it, and what then comes.
import { describe, expect, it } from "vitest";
import { decodeTurn, foldTurn, type TurnRequest } from "../../src/decode/decode-turn.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedModelOptions } from "../../src/models/scripted.ts";
import type { TurnEvent } from "../../src/vocabulary/index.ts";

const marks = { start: "<think>\n", end: "\n</think>\n\n" };
const weather = {
  name: "get_weather",
  description: "Current weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

interface Asked extends Partial<TurnRequest> {
  readonly model?: Partial<ScriptedModelOptions>;
  /** What the generation prompt ends in. */
  readonly promptEnd?: string;
  readonly profile?: NonNullable<PartialProfile["reasoning"]>;
  readonly format?: string;
}

async function ask(replies: ScriptedModelOptions["replies"], asked: Asked = {}) {
  const { profile = {}, promptEnd = "", format = "hermes-json", model: options, ...request } = asked;
  const model = createScriptedModel({
    replies,
    renderTemplate: ({ messages }) => JSON.stringify(messages) + promptEnd,
    ...options,
    info: { template: `messages as JSON, then ${promptEnd}`, ...options?.info },
  });
  const events: TurnEvent[] = [];
  const turn = decodeTurn(
    {
      model,
      profile: resolveProfile({
        format,
        openers: [format],
        reasoning: { marks, ...profile },
      }),
    },
    { messages: [{ role: "user", content: "Hello?" }], tools: [weather], ...request },
  );
  for await (const event of turn) events.push(event);
  const result = await foldTurn(
    (async function* () {
      yield* events;
    })(),
  );
  const prefixes = model.requests.map((one) => one.prefix.map((part) => part.text).join(""));
  return { events, result, model, prefixes };
}

describe("reasoning", () => {
  it("is told apart from the answer where the model opens it by itself", async () => {
    const { result, events } = await ask(["<think>\nA greeting.\n</think>\n\nGood morning!"]);
    expect(result).toMatchObject({ reasoning: "A greeting.", text: "Good morning!", finish: "stop" });
    const kinds = events
      .map((event) => event.type)
      .filter((type) => /^(reasoning|text)-(start|end)/.test(type));
    expect(kinds).toEqual(["reasoning-start", "reasoning-end", "text-start", "text-end"]);
  });

  it("is opened for the model where it is on", async () => {
    const { result, prefixes } = await ask(["<think>\nA greeting.\n</think>\n\nGood morning!"], {
      reasoning: { mode: "on" },
    });
    expect(prefixes[0]).toBe("<think>\n");
    expect(result).toMatchObject({ reasoning: "A greeting.", text: "Good morning!" });
  });

  it("is not opened again where the prompt has opened it", async () => {
    const { result, prefixes } = await ask(["A greeting.\n</think>\n\nGood morning!"], {
      promptEnd: "<assistant><think>\n",
      reasoning: { mode: "on" },
    });
    expect(prefixes[0]).toBe("");
    expect(result).toMatchObject({ reasoning: "A greeting.", text: "Good morning!" });
  });

  it.each([
    ["ends what the prompt has opened", "<assistant><think>\n", {}, "\n</think>\n\n"],
    ["adds nothing where the prompt has closed it", "<think>\n\n</think>\n\n", {}, ""],
    ["trusts a switch", "<assistant>", { switch: { variable: "enable_thinking" } }, ""],
    ["fills it in where there is no switch", "<assistant>", {}, "<think>\n\n</think>\n\n"],
  ])("off: %s", async (_title, promptEnd, profile, prefix) => {
    const { result, prefixes, events } = await ask([`${prefix}Good morning!`], {
      promptEnd,
      profile,
      reasoning: { mode: "off" },
    });
    expect(prefixes[0]).toBe(prefix);
    expect(result).toMatchObject({ reasoning: "", text: "Good morning!" });
    expect(events.some((event) => event.type === "reasoning-start")).toBe(false);
  });

  it.each<[who: string, asked: Asked, opening: string]>([
    ["opened for the model", { reasoning: { mode: "on", budget: 8 } }, "<think>\n"],
    ["opened by the model", { reasoning: { mode: "auto", budget: 8 } }, "<think>\n"],
    ["opened by the prompt", { promptEnd: "<think>\n", reasoning: { budget: 8 } }, ""],
  ])("ends at its budget, %s, and the answer follows", async (_who, asked, opening) => {
    const endless = "again ".repeat(100);
    const { result } = await ask(
      [
        {
          attempts: [
            `${opening}${endless}`,
            `${opening}${"again ".repeat(100).slice(0, 32)}\n</think>\n\nYes.`,
          ],
        },
      ],
      { ...asked, model: { pieceLength: 4 } },
    );
    expect(result.reasoning.length).toBeLessThanOrEqual(8 * 4);
    expect(result.reasoning).toMatch(/^again again/);
    expect(result.text).toBe("Yes.");
    expect(result.notices.map((notice) => notice.code)).toEqual(["reasoning-ended"]);
    expect(result.usage.tokens.reasoning).toBe(8);
  });

  it("leaves half of the reply to the answer, whatever the budget says", async () => {
    const opening = "<think>\n";
    const thought = "0123456789".repeat(20);
    const { result, model } = await ask(
      [{ attempts: [opening + thought, `${opening}${thought.slice(0, 80)}\n</think>\n\nYes.`] }],
      { maxTokens: 40, reasoning: { mode: "on", budget: 1000 } },
    );
    expect(model.requests[0]?.maxTokens).toBe(20);
    expect(result).toMatchObject({ text: "Yes.", finish: "stop" });
  });

  it("keeps room for the answer where the window is nearly full", async () => {
    const { model } = await ask(["<think>\nHm.\n</think>\n\nYes."], {
      model: { info: { contextSize: 800 } },
      messages: [{ role: "user", content: "word ".repeat(400) }],
      maxTokens: 10_000,
      reasoning: { mode: "on", budget: 10_000 },
    });
    const [first] = model.requests;
    const used = Math.ceil((first?.prompt.map((part) => part.text).join("").length ?? 0) / 4);
    expect(first?.maxTokens).toBe(Math.floor((800 - 1 - used) / 2));
  });

  it("ends where the model stops inside it, and the answer follows", async () => {
    const opening = "<think>\nHm.";
    const { result } = await ask([{ attempts: [opening, `${opening}\n</think>\n\nYes.`] }], {
      reasoning: { mode: "on" },
    });
    expect(result).toMatchObject({ reasoning: "Hm.", text: "Yes.", finish: "stop" });
  });

  it("is over before a call that is required, and the opener is forced behind it", async () => {
    const { result, prefixes, model } = await ask([`<think>\nOslo.\n</think>\n\n${call}`], {
      reasoning: { mode: "on" },
      toolChoice: "required",
    });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(prefixes.at(-1)).toMatch(/<\/think>\s*<tool_call>$/);
    expect(model.requests.at(-1)?.span.type).toBe("constrained");
  });

  it("is not asked for by a call that is required and a model that decides by itself", async () => {
    const { result } = await ask([call], { toolChoice: "required" });
    expect(result).toMatchObject({ reasoning: "", finish: "calls" });
  });

  it("a call on a line of its own ends it: the end is put before the opener, and the call is decoded", async () => {
    const { result, prefixes } = await ask(
      [{ attempts: [`<think>\nI call it.\n${call}`, `<think>\nI call it.\n</think>\n\n${call}`] }],
      { reasoning: { mode: "on" } },
    );
    expect(result).toMatchObject({ reasoning: "I call it.", finish: "calls" });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(prefixes.at(-1)).toBe("<think>\nI call it.\n</think>\n\n<tool_call>");
  });

  it("such a call is decoded where it stands if the model cannot take back its tail", async () => {
    const { result, prefixes } = await ask([`<think>\nI call it.\n${call}`], {
      model: { info: { rollback: "checkpoint" } },
      reasoning: { mode: "on" },
    });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(prefixes.at(-1)).toBe("<think>\nI call it.\n<tool_call>");
  });

  it("a call that it only speaks of is no call", async () => {
    const text = `<think>\nOthers write ${call.replaceAll("\n", "")}, I need none.\n</think>\n\nNo need.`;
    const { result } = await ask([text], { reasoning: { mode: "on" } });
    expect(result).toMatchObject({ calls: [], text: "No need.", finish: "stop" });
  });

  it("spends one budget in all, however often it is opened", async () => {
    const opening = "<think>\n";
    const first = `${opening}${"x".repeat(16)}`;
    const { result } = await ask(
      [
        {
          attempts: [
            `${opening}${"x".repeat(400)}`,
            `${first}\n</think>\n\n${opening}${"y".repeat(400)}`,
            `${first}\n</think>\n\n${opening}\n</think>\n\nYes.`,
          ],
        },
      ],
      { reasoning: { mode: "on", budget: 4 } },
    );
    expect(result.usage.tokens.reasoning).toBe(4);
    expect(result.text).toBe("Yes.");
  });

  describe("on a channel of its own", () => {
    const analysis = "<|channel|>analysis<|message|>";
    const header = "<|start|>assistant";
    const message = "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>";
    const channels = {
      promptEnd: header,
      profile: { marks: { start: analysis, end: `<|end|>${header}` } },
      format: "harmony",
      toolChoice: "required",
    } as const;

    it.each([
      ["inside the message", 6, "x".repeat(24)],
      ["right behind its end", 8, `${"x".repeat(25)}<|end|>`],
      ["inside the next header", 10, `${"x".repeat(24)}<|end|><|start|>`],
    ])(
      "ends, where its budget ends %s, so that the call is the next message",
      async (_where, budget, thought) => {
        const written = `${analysis}${thought.replace(/<.*/, "")}<|end|>${header}${message}{"city": "Oslo"}<|call|>`;
        const { result, prefixes, events } = await ask(
          [{ attempts: [`${analysis}${thought}${"y".repeat(400)}`, written] }],
          { ...channels, reasoning: { mode: "on", budget } },
        );
        expect(result.calls).toMatchObject([{ name: "get_weather", input: { city: "Oslo" } }]);
        expect(result.reasoning).toBe(thought.replace(/<.*/, ""));
        expect(events).toContainEqual(expect.objectContaining({ code: "reasoning-ended" }));
        const prefix = prefixes.at(-1) ?? "";
        expect(written.startsWith(prefix)).toBe(true);
        expect(prefix.endsWith("<|channel|>commentary to=")).toBe(true);
      },
    );

    it("may use all tokens that the format's marks are made of", async () => {
      const specialTokens = ["<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>"];
      const { model } = await ask(["<|channel|>final<|message|>Yes.<|return|>"], {
        ...channels,
        toolChoice: "auto",
        model: { info: { specialTokens: [...specialTokens, "<|startoftext|>"] } },
      });
      expect(model.requests[0]?.span).toMatchObject({ type: "free", specials: specialTokens });
    });
  });

  it("is read with the grammar off as well", async () => {
    const { result } = await ask(["I think.\n</think>\n\nYes."], {
      promptEnd: "<think>\n",
      levers: { grammar: "off" },
    });
    expect(result).toMatchObject({ reasoning: "I think.", text: "Yes." });
  });

  it("of past turns is shown as the profile says", async () => {
    const messages = [
      { role: "user", content: "One?" },
      { role: "assistant", content: "1", reasoning: "Past thoughts" },
      { role: "user", content: "Two?" },
    ] as const;
    const promptOf = async (history: "drop" | "keep") => {
      const { model } = await ask(["2"], { messages, profile: { history } });
      return model.requests[0]?.prompt.map((part) => part.text).join("");
    };
    expect(await promptOf("keep")).toContain("Past thoughts");
    expect(await promptOf("drop")).not.toContain("Past thoughts");
  });

  it("says the words in the system text where these are the model's switch", async () => {
    const words = { on: "/think", off: "/no_think" };
    const { model } = await ask(["Yes."], {
      profile: { switch: { words } },
      reasoning: { mode: "off" },
      tools: [],
    });
    expect(model.requests[0]?.prompt.map((part) => part.text).join("")).toContain("/no_think");
  });
});
