// Executes every copied case of the kind `model-output`: what a model wrote, and what has to become of it.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CheckedTool } from "../../src/decode/check-call.ts";
import { type ReadReply, readReply } from "../../src/decode/read-reply.ts";
import { createTurnParser, findFormat } from "../../src/formats/index.ts";
import type { JsonObject, JsonSchema } from "../../src/vocabulary/index.ts";

interface OutputCase {
  readonly id: string;
  readonly kind: string;
  readonly input: {
    readonly dialect?: string;
    readonly tools?: readonly {
      readonly function: {
        readonly name: string;
        readonly parameters?: JsonSchema;
        readonly description?: string;
      };
    }[];
    readonly text: string;
    readonly finish: "stop" | "length";
    readonly tokens?: readonly string[];
  };
  readonly expected: {
    readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
    readonly content?: string | null;
    readonly repairs?: readonly string[];
    readonly retry?: boolean;
    readonly executed?: boolean;
    readonly feedbackMentions?: readonly string[];
    readonly finishReason?: string;
    readonly contentMustNotContain?: readonly string[];
    readonly reasoningContains?: string;
    readonly next?: string;
    readonly [more: string]: unknown;
  };
}

const folder = new URL("../cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as OutputCase)
  .filter((one) => one.kind === "model-output");

// The cases call the dialects by their models; this is what the formats are called here.
const dialects: Readonly<Record<string, string>> = {
  "qwen-json": "hermes-json",
  lfm: "lfm-py",
  glm: "glm-xml",
  gemma: "gemma4",
  mistral: "mistral-list",
};

/** What a case may expect, and how it is checked. A key without a check is a fault of this file. */
const checks: Readonly<Record<string, (reply: ReadReply, one: OutputCase) => void>> = {
  calls: (reply, { expected }) => {
    const calls = reply.calls.map(({ name, input }) => ({ name, arguments: input }));
    expect(calls).toEqual(expected.calls);
  },
  content: (reply, { expected }) => expect(reply.content).toBe(expected.content),
  repairs: (reply, { expected }) => {
    expect(reply.repairs.map((repair) => repair.rule).sort()).toEqual([...(expected.repairs ?? [])].sort());
  },
  executed: (reply, { expected }) => expect(reply.calls.length > 0).toBe(expected.executed),
  retry: (reply, { expected }) => expect(reply.refused.length > 0).toBe(expected.retry),
  feedbackMentions: (reply, { expected }) => {
    for (const word of expected.feedbackMentions ?? []) expect(reply.feedback).toContain(word);
  },
  finishReason: (reply, { expected }) => expect(reply.finish).toBe(expected.finishReason),
  neverEmptyArguments: (reply) => {
    for (const call of reply.calls) expect(call.input).not.toEqual({});
  },
  argumentsMustNotContainControlChars: (reply) => {
    const values = reply.calls.flatMap((call) => Object.values(call.input));
    for (const value of values) expect(String(value)).not.toMatch(/[\u0000-\u001f]/);
  },
  contentMustNotContain: (reply, { expected }) => {
    for (const text of expected.contentMustNotContain ?? []) expect(reply.content ?? "").not.toContain(text);
  },
  reasoningContains: (reply, { expected }) => expect(reply.reasoning).toContain(expected.reasoningContains),
  distinctIds: (reply) => {
    expect(new Set(reply.calls.map((call) => call.id)).size).toBe(reply.calls.length);
  },
  next: (reply, { expected }) => expect(reply.next).toBe(expected.next),
  // Something is said: to the model, in a line of its own.
  visibleReason: (reply) => expect(reply.feedback).toMatch(/./),
  notSilent: (reply) => expect(reply.feedback).toMatch(/./),
  // The reply came back at all, so that nothing was thrown and the process lives.
  noError: (reply) => expect(reply.refused).toEqual([]),
  processSurvives: (reply) => expect(reply.finish).toBe("stop"),
  // An alternative to `calls`, which is checked.
  orElse: (reply) => expect(reply.calls).toHaveLength(1),
};

function toolsOf({ input }: OutputCase): readonly CheckedTool[] {
  return (input.tools ?? []).map(({ function: described }) => ({
    name: described.name,
    inputSchema: described.parameters ?? { type: "object", properties: {} },
  }));
}

describe("model-output cases", () => {
  it("are all there", () => {
    expect(cases).toHaveLength(38);
  });

  for (const one of cases) {
    it(one.id, () => {
      const { dialect = "any", text, finish } = one.input;
      const reply = readReply({ text, finish, dialect: dialects[dialect] ?? dialect, tools: toolsOf(one) });
      for (const [name, value] of Object.entries(one.expected)) {
        if (value === undefined) continue;
        const check = checks[name];
        if (check === undefined) throw new Error(`No check for "${name}"; write one.`);
        check(reply, one);
      }
    });
  }

  it("u098: the text behind the opener's end is left for the constraint", () => {
    const one = cases.find((candidate) => candidate.id === "u098-token-overshoots-trigger");
    const parser = createTurnParser({ formats: [findFormat("qwen-xml")] });
    const opened = (one?.input.tokens ?? [])
      .map((token) => parser.pushUntilOpener(token))
      .find((read) => read.opened);
    expect(opened?.opened?.offset).toBe("<tool_call>".length);
    const overshooting = createTurnParser({ formats: [findFormat("hermes-json")] });
    expect(overshooting.pushUntilOpener("<tool_call>\n<function").consumed).toBe("<tool_call>".length);
  });
});
