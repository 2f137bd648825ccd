// Runs the context cases of real users' failures: texts of the stated sizes, in the stated window, through whole turns.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runLoop } from "../../src/agent/index.ts";
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import {
  CallwrightError,
  type Message,
  type ToolDescription,
  type TurnEvent,
} from "../../src/vocabulary/index.ts";
import { fenceProfile, writeCalls } from "../agent/write-calls.ts";
import { contextCasesLeftOut, serverContextCases } from "./context-cases-left-out.ts";

const folder = new URL("../cases/", import.meta.url);
const read = (id: string) => JSON.parse(readFileSync(new URL(`${id}.json`, folder), "utf8"));

/** The scripted model counts four characters as one token. */
const words = (tokens: number, mark: string) =>
  `${mark} `.repeat(Math.ceil((tokens * 4) / (mark.length + 1))).slice(0, tokens * 4);
const context = (replies: readonly ScriptedReply[], contextSize: number) => ({
  model: createScriptedModel({ replies, info: { contextSize } }),
  profile: resolveProfile(fenceProfile, { context: { size: contextSize } }),
});

interface Asked {
  readonly contextSize: number;
  readonly reserve: number;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDescription[];
}

async function askOnce({ contextSize, reserve, messages, tools = [] }: Asked) {
  const { model, profile } = context(["Good."], contextSize);
  const events: TurnEvent[] = [];
  for await (const event of decodeTurn({ model, profile }, { messages, tools, maxTokens: reserve }))
    events.push(event);
  const start = events.find((event) => event.type === "turn-start");
  if (start === undefined) throw new Error("The turn did not start.");
  return { start, prompt: promptOf(model, 0), tokens: Math.ceil(promptOf(model, 0).length / 4) };
}

function promptOf(model: ScriptedModel, at: number): string {
  return (model.requests.at(at)?.prompt ?? []).map(({ text }) => text).join("");
}

/** A tool whose description takes about the given number of tokens. */
function toolOf(name: string, tokens: number, description = ""): ToolDescription {
  const rest = tokens - Math.ceil((name.length + description.length + 60) / 4);
  const inputSchema = {
    type: "object",
    properties: { value: { type: "string", description: words(rest, name) } },
  };
  return { name, description, inputSchema };
}

const runners: Readonly<Record<string, (entry: ReturnType<typeof read>) => Promise<void>>> = {
  "u066-system-and-tools-never-dropped": async ({ input, expected }) => {
    const { system, tools, user } = input.parts;
    const request = {
      contextSize: input.contextTokens,
      reserve: input.reserveForOutput,
      messages: [
        { role: "system", content: words(system, "rule") },
        { role: "user", content: words(user, "ask") },
      ],
      tools: Array.from({ length: 10 }, (_, at) => toolOf(`tool_${at}`, tools / 10)),
    } as const;
    const { start, prompt } = await askOnce(request);
    expect(prompt).toContain(request.messages[0].content);
    expect(prompt).toContain(request.messages[1].content);
    expect(start.tools.length).toBeLessThan(10);
    expect(start.cuts).toMatchObject([{ part: "tools" }]);
    // Where nothing may be hidden it is refused, with the numbers.
    const whole = askOnce({ ...request, tools: [toolOf("one", tools)] });
    const refusal = await whole.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CallwrightError);
    const { code, details } = refusal as CallwrightError;
    expect(code).toBe("context-overflow");
    expect(Object.keys(details ?? {})).toEqual(expect.arrayContaining(expected.mustReport.slice(0, 2)));
    expect(details?.parts).toMatchObject({ system: expect.any(Number), tools: expect.any(Number) });
  },
  "u067-latest-user-message-pinned": async ({ input }) => {
    const [system, tools, user, , tool] = input.messages;
    const messages: readonly Message[] = [
      { role: "system", content: words(system.tokens, "rule") },
      { role: "user", content: user.text },
      { role: "assistant", content: "", calls: [{ id: "c1", name: "log", input: { since: "Monday" } }] },
      { role: "tool", callId: "c1", name: "log", content: words(tool.tokens, "change") },
    ];
    const { start, prompt } = await askOnce({
      contextSize: input.contextTokens,
      reserve: input.reserveForOutput,
      messages,
      tools: [toolOf("log", tools.tokens)],
    });
    expect(prompt).toContain(words(system.tokens, "rule"));
    expect(prompt).toContain(user.text);
    expect(prompt).toContain('"since');
    expect(start.tools).toEqual(["log"]);
    expect(prompt).toMatch(/\d+ of \d+ characters cut here/);
    expect(start.cuts).toMatchObject([{ part: "results", text: "1 result shortened (log)" }]);
  },
  "u068-remove-only-what-is-needed": async ({ input, expected }) => {
    const messages = (input.messages as { role: "user"; tokens: number }[]).map(({ role, tokens }, at) => ({
      role,
      // The frame around a message is part of its tokens.
      content: words(tokens - 5, `m${at}`),
    }));
    const { prompt, tokens, start } = await askOnce({
      contextSize: input.contextTokens,
      reserve: input.reserveForOutput,
      messages,
    });
    expect(tokens).toBeGreaterThanOrEqual(expected.keptPromptTokensMin);
    expect(tokens).toBeLessThanOrEqual(input.contextTokens - input.reserveForOutput);
    expect(prompt).toContain(messages[0]?.content);
    expect(prompt).toContain(messages.at(-1)?.content);
    expect(start.cuts).toMatchObject([{ part: "turns" }]);
  },
  "u072-huge-tool-result": async ({ input, expected }) => {
    const [system, user, , tool] = input.messages;
    const text = `HEAD ${words(tool.tokens - 4, "line")} TAIL`;
    const { model, profile } = context(
      [writeCalls({ name: "dump", arguments: {} }), "Done."],
      input.contextTokens,
    );
    const dump: Tool = {
      name: "dump",
      description: "Dumps.",
      inputSchema: { type: "object" },
      execute: async () => ({ text }),
    };
    const messages: readonly Message[] = [
      { role: "system", content: words(system.tokens, "rule") },
      { role: "user", content: words(user.tokens, "ask") },
    ];
    const run = runLoop({ model, profile }, { messages, tools: [dump], maxTokens: input.reserveForOutput });
    for await (const _ of run);
    const shown = /HEAD[\s\S]*TAIL/.exec(promptOf(model, -1))?.[0] ?? "";
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length / 4).toBeLessThanOrEqual(expected.toolResultTokensMax);
    expect(shown).toMatch(/\[… \d+ of \d+ characters cut here: read_result shows them, result r1 …\]/);
    expect(promptOf(model, -1)).toContain('"name":"read_result"');
  },
  "u073-many-tools-small-window": async ({ input, expected }) => {
    const { count, schemaTokensEach } = input.toolCatalogue;
    const others = Array.from({ length: count - 1 }, (_, at) => toolOf(`action_${at}`, schemaTokensEach));
    const weather = toolOf("weather_today", schemaTokensEach, "Weather of today.");
    const request = {
      contextSize: input.contextTokens,
      reserve: input.reserveForOutput,
      messages: [{ role: "user" as const, content: input.user as string }],
      tools: [...others.slice(0, 60), weather, ...others.slice(60)],
    };
    const { start } = await askOnce(request);
    expect(start.tools).toEqual(expect.arrayContaining(expected.mustSelect));
    expect(start.tools.length).toBeLessThanOrEqual(expected.selectedToolsMax);
    expect(start.cuts).toMatchObject([{ part: "tools" }]);
    const [cut] = start.cuts;
    expect(cut?.text).toMatch(/^(\d+) of 120 tools not offered, about \d+ tokens each: action_/);
    expect(Number(cut?.text.split(" ")[0]) + start.tools.length).toBe(count);
    expect((await askOnce(request)).start.tools).toEqual(start.tools);
  },
  "u139-stable-prefix": async ({ input }) => {
    const [first, second] = input.turns;
    const contextSize = 8192;
    const { model, profile } = context(["One.", "Two."], contextSize);
    const talk = ["Read a.txt.", "It says hello.", "And b.txt?", "It says goodbye.", "Thanks. And c.txt?"];
    for (const turn of [first, second]) {
      const said = talk
        .slice(0, turn.messages)
        .map((content, at): Message => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
      const tools = (turn.tools as string[]).map((name) => toolOf(name, 60));
      // What changes with each request stands at the end: text of the system that comes later is shown where it stands.
      const messages: readonly Message[] = [
        { role: "system", content: turn.system },
        ...said,
        { role: "system", content: turn.volatile },
      ];
      for await (const _ of decodeTurn({ model, profile }, { messages, tools }));
    }
    const [before, after] = [promptOf(model, 0), promptOf(model, -1)];
    let same = 0;
    while (same < before.length && before[same] === after[same]) same += 1;
    const shared = after.slice(0, same);
    for (const name of first.tools) expect(shared).toContain(`"name":"${name}"`);
    expect(shared).toContain(first.system);
    for (const text of talk.slice(0, first.messages)) expect(shared).toContain(text);
  },
};

const cases = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ""))
  .filter((id) => /^u\d/.test(id) && read(id).kind === "context" && !(id in contextCasesLeftOut))
  .filter((id) => !serverContextCases.includes(id));

test("every context case that is not left out has its runner", () => {
  expect(Object.keys(runners).sort()).toEqual(cases.sort());
});

test.each(cases)("context case %s", async (id) => {
  await runners[id]?.(read(id));
});
