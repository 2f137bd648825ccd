// What the table of request fields is made of: each row names a field and what it does, and shows it on a scripted model.
// `docs/server.md` is written from the same rows.
import { expect } from "vitest";
import type { TemplateInput } from "../../../src/formats/index.ts";
import type { GenerateRequest, ModelInfo } from "../../../src/models/model.ts";
import type { PartialProfile } from "../../../src/models/profile.ts";
import type { ScriptedReply } from "../../../src/models/scripted.ts";
import { openTestServer } from "../ask-server.ts";

export interface FieldRow {
  readonly field: string;
  readonly effect: string;
  readonly kind: "effect" | "refused" | "left out" | "ignored";
  readonly show: () => Promise<void>;
}

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is read by path here, as its clients do.
  readonly body: any;
  readonly text: string;
  readonly requests: readonly GenerateRequest[];
  /** The prompt of the first turn. */
  readonly prompt: string;
}

export interface AskOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly profile?: PartialProfile;
  readonly info?: Partial<ModelInfo>;
}

/** A model that reasons, with a switch for whether and how much. */
export const reasoningProfile: PartialProfile = {
  reasoning: {
    marks: { start: "<think>", end: "</think>" },
    mode: "auto",
    switch: {
      variable: "enable_thinking",
      effort: { variable: "effort", low: "little", medium: "some", high: "much" },
    },
  },
};

/** Shows the template's variables, so that a test sees what a template is told. */
export function renderWithVariables({ messages, tools, variables }: TemplateInput): string {
  const said = messages.map(({ role, content, ...rest }) => {
    const more = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
    return `<${String(role)}>${String(content ?? "")}${more}</${String(role)}>`;
  });
  const parts = [JSON.stringify(variables ?? {}), JSON.stringify(tools ?? []), ...said];
  return `${parts.join("\n")}\n<assistant>`;
}

/** Asks an endpoint once. */
export async function askOnce(path: string, request: unknown, options: AskOptions = {}): Promise<Asked> {
  const { replies = ["Good."], profile, info } = options;
  const server = openTestServer(replies, {
    script: { renderTemplate: renderWithVariables, info: { template: "a template", ...info } },
    profile: { template: { variables: {} }, ...profile },
  });
  const response = await server.post(path, request);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // What was asked of the model, but for what each request has of its own.
  const requests = server.model.requests.map(({ signal: _signal, stablePrefix: _stable, ...asked }) => asked);
  const prompt = (requests[0]?.prompt ?? []).map((part) => part.text).join("");
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined, requests, prompt };
}

/** Rows of one endpoint, whose requests are laid over one that is complete. */
export function rowsOf(path: string, base: Record<string, unknown>) {
  const ask = (given: Record<string, unknown>, options?: AskOptions) =>
    askOnce(path, { ...base, ...given }, options);
  return {
    ask,
    effect: (field: string, effect: string, show: () => Promise<void>): FieldRow => ({
      field,
      effect,
      kind: "effect",
      show,
    }),
    /** A value that is refused, with the field's name in the message. */
    refused: (field: string, effect: string, given: Record<string, unknown>): FieldRow => ({
      field,
      effect,
      kind: "refused",
      show: async () => {
        const { status, text, requests } = await ask(given);
        expect(status, text).toBe(400);
        for (const name of Object.keys(given)) expect(text).toContain(name);
        expect(requests).toEqual([]);
      },
    }),
    /** A value that changes nothing and is told. */
    leftOut: (field: string, effect: string, given: Record<string, unknown>, said: string): FieldRow => ({
      field,
      effect,
      kind: "left out",
      show: async () => {
        const { status, body, requests } = await ask(given);
        expect(status).toBe(200);
        const notices: { text: string }[] = body.callwright.notices;
        expect(notices.map((notice) => notice.text).join("\n")).toContain(said);
        expect(requests).toEqual((await ask({})).requests);
      },
    }),
    /** Fields that change nothing. */
    ignored: (given: Record<string, unknown>): FieldRow[] =>
      Object.entries(given).map(([field, value]) => ({
        field,
        effect: "ignored: it does not change the answer",
        kind: "ignored" as const,
        show: async () => {
          const { status, requests } = await ask({ [field]: value });
          expect(status).toBe(200);
          expect(requests).toEqual((await ask({})).requests);
        },
      })),
  };
}

/** Fields of sampling, which all endpoints that have them read alike. */
export function samplingRows(
  { ask, effect, refused }: ReturnType<typeof rowsOf>,
  names: readonly string[],
  wrap: (given: Record<string, unknown>) => Record<string, unknown> = (given) => given,
  prefix = "",
): readonly FieldRow[] {
  const all: Record<string, readonly [effect: string, value: number, read: string]> = {
    temperature: [
      "how text and reasoning are drawn; 0 is greedy. Calls keep to the profile (see `callwright.sample_calls`)",
      0.7,
      "temperature",
    ],
    top_p: ["the likeliest tokens that hold this share together", 0.8, "topP"],
    top_k: ["this many of the likeliest tokens; 0 or -1 for all", 12, "topK"],
    min_p: ["tokens at least this likely beside the likeliest", 0.1, "minP"],
    presence_penalty: ["0 to 2, taken from the logit of what the reply has said", 0.5, "presencePenalty"],
    frequency_penalty: ["0 to 2, the same for each time", 0.25, "frequencyPenalty"],
  };
  const rows = names.flatMap((name) => {
    const [text, value, read] = all[name] ?? ["", 0, ""];
    const shown = effect(`${prefix}${name}`, text, async () => {
      const { requests } = await ask(wrap({ [name]: value }));
      expect(requests[0]?.sampling).toMatchObject({ [read]: value });
      expect((await ask({})).requests[0]?.sampling).not.toMatchObject({ [read]: value });
    });
    const below = refused(`${prefix}${name} below 0`, "refused: not built", wrap({ [name]: -0.5 }));
    return name.endsWith("_penalty")
      ? [shown, { ...below, show: refusedBelow(ask, wrap({ [name]: -0.5 }), name) }]
      : [shown];
  });
  return rows;
}

function refusedBelow(ask: ReturnType<typeof rowsOf>["ask"], given: Record<string, unknown>, name: string) {
  return async () => {
    const { status, text } = await ask(given);
    expect([status, text.includes(name)]).toEqual([400, true]);
  };
}

/** Samplers that are not built: refused unless they are switched off. */
export function otherSamplerRows(
  { ask }: ReturnType<typeof rowsOf>,
  wrap: (given: Record<string, unknown>) => Record<string, unknown> = (given) => given,
  prefix = "",
): readonly FieldRow[] {
  const values: Record<string, readonly [on: number, off: number]> = {
    repeat_penalty: [1.1, 1],
    repetition_penalty: [1.1, 1],
    typical_p: [0.9, 1],
    tfs_z: [0.9, 1],
    mirostat: [2, 0],
    dynatemp_range: [0.5, 0],
    dry_multiplier: [0.8, 0],
    xtc_probability: [0.1, 0],
    top_n_sigma: [1, -1],
  };
  return Object.entries(values).map(([name, [on, off]]) => ({
    field: `${prefix}${name}`,
    effect: `refused unless it is switched off (${off})`,
    kind: "refused",
    show: async () => {
      const { status, text, requests } = await ask(wrap({ [name]: on }));
      expect([status, requests.length]).toEqual([400, 0]);
      expect(text).toContain(`${name} is not supported`);
      expect((await ask(wrap({ [name]: off }))).status).toBe(200);
    },
  }));
}

/** The additions under `callwright`, which every endpoint reads alike. */
export function additionRows(
  { ask, effect }: ReturnType<typeof rowsOf>,
  tools: unknown,
  conversation: "messages" | "input" = "messages",
): readonly FieldRow[] {
  const turns = [
    { role: "user", content: "old ".repeat(600) },
    { role: "assistant", content: "I see." },
    { role: "user", content: "Hello" },
  ];
  return [
    effect(
      "callwright.context",
      '`"whole"`: nothing of the history or the tools is cut; what does not fit is refused',
      async () => {
        const small = { info: { contextSize: 512 } };
        const fitted = await ask({ [conversation]: turns }, small);
        expect(fitted.body.callwright.cuts).toMatchObject([{ part: "turns" }]);
        const whole = await ask({ [conversation]: turns, callwright: { context: "whole" } }, small);
        expect(whole.status).toBe(400);
        expect(whole.text).toMatch(/context size|too long/);
      },
    ),
    effect(
      "callwright.on_bad_tool",
      '`"leave-out"`: a tool whose schema cannot be met is left out with a notice; `"refuse"` (the default): 400',
      async () => {
        expect((await ask({ tools })).status).toBe(400);
        const { status, text } = await ask({ tools, callwright: { on_bad_tool: "leave-out" } });
        expect(status).toBe(200);
        expect(text).toContain("tool-left-out");
      },
    ),
    effect("callwright.reasoning", '`"on"`, `"off"`, `"auto"`: whether the model reasons first', async () => {
      const on = await ask(
        { callwright: { reasoning: "on" } },
        { profile: reasoningProfile, replies: ["<think>So.</think>Good."] },
      );
      const off = await ask({ callwright: { reasoning: "off" } }, { profile: reasoningProfile });
      expect(on.prompt).toContain('"enable_thinking":true');
      expect(off.prompt).toContain('"enable_thinking":false');
    }),
    effect("callwright.reasoning_budget", "tokens after which reasoning is ended", async () => {
      const { requests } = await ask(
        { callwright: { reasoning: "on", reasoning_budget: 7 } },
        { profile: reasoningProfile, replies: ["<think>So.</think>Good."] },
      );
      expect(requests[0]?.maxTokens).toBe(7);
    }),
    effect("callwright.progress", "the stream tells how much of the prompt is read", async () => {
      const { text } = await ask({ stream: true, callwright: { progress: true } });
      expect(text).toMatch(/"(progress|prompt_progress)":\{"processed":\d+,"total":\d+\}/);
    }),
  ];
}
