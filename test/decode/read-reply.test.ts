import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCall } from "../../src/decode/check-call.ts";
import { type ReadReplyRequest, readReply } from "../../src/decode/read-reply.ts";
import { formats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";

const text = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const tools = [
  { name: "get_time", inputSchema: text({ zone: { type: "string" } }) },
  {
    name: "mix",
    inputSchema: text(
      {
        n: { type: "integer" },
        ratio: { type: "number" },
        on: { type: "boolean" },
        list: { type: "array", items: { type: "integer" } },
        name: { type: "string", minLength: 1 },
        note: { type: ["string", "null"] },
      },
      ["n"],
    ),
  },
];

function read(reply: string, more: Partial<ReadReplyRequest> = {}) {
  const result = readReply({ text: reply, tools, finish: "stop", ...more });
  return {
    ...result,
    inputs: result.calls.map((call) => call.input),
    rules: result.repairs.map((repair) => repair.rule),
    faults: result.refused.flatMap((call) => call.faults.map((fault) => `${fault.pointer} ${fault.keyword}`)),
  };
}

const mix = (input: string, name = "mix") =>
  `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`;

describe("repairs that lose nothing", () => {
  const repaired: readonly { reply: string; input: JsonObject; rules: readonly string[] }[] = [
    { reply: mix('{"n": 1}'), input: { n: 1 }, rules: [] },
    { reply: mix('{"n": "12"}'), input: { n: 12 }, rules: ["parsed-string:/n"] },
    {
      reply: mix('{"n": 1, "ratio": "-0.5"}'),
      input: { n: 1, ratio: -0.5 },
      rules: ["parsed-string:/ratio"],
    },
    { reply: mix('{"n": 1, "on": "true"}'), input: { n: 1, on: true }, rules: ["parsed-string:/on"] },
    {
      reply: mix('{"n": "1", "list": "[1, 2]"}'),
      input: { n: 1, list: [1, 2] },
      rules: ["parsed-string:/n", "parsed-string:/list"],
    },
    { reply: mix('{"n": 1, "list": ["1"]}'), input: { n: 1, list: [1] }, rules: ["parsed-string:/list/0"] },
    { reply: mix('{"n": 1, "name": ""}'), input: { n: 1 }, rules: ["dropped-empty:/name"] },
    { reply: mix('{"n": 1, "note": null}'), input: { n: 1, note: null }, rules: [] },
    { reply: mix('{"n": 1, "on": null}'), input: { n: 1 }, rules: ["dropped-null:/on"] },
    { reply: mix('"{\\"n\\": 3}"'), input: { n: 3 }, rules: ["decoded-arguments-string"] },
    {
      reply: mix('"{\\"n\\": \\"3\\"}"'),
      input: { n: 3 },
      rules: ["decoded-arguments-string", "parsed-string:/n"],
    },
    { reply: mix('{"n": 3}', "functions.Mix"), input: { n: 3 }, rules: ["name:functions.Mix->mix"] },
    {
      reply: mix('{"name": "mix", "arguments": {"n": 3}}'),
      input: { n: 3 },
      rules: ["unwrapped-envelope"],
    },
    {
      reply: '<tool_call>\n{"function": "mix", "args": {"n": 3}}\n</tool_call>',
      input: { n: 3 },
      rules: ["renamed-envelope-keys"],
    },
    {
      reply: '{"type": "function", "function": {"name": "mix", "parameters": {"n": 3}}}',
      input: { n: 3 },
      rules: [],
    },
    {
      reply: '{"name": "get_time", "arguments": {"zone": "a\nb"}}',
      input: { zone: "a\nb" },
      rules: ["escaped-controls:/zone"],
    },
    { reply: '<tool_call>{"name": "get_time"}</tool_call>', input: {}, rules: ["absent-arguments"] },
    {
      reply: 'Sure:\n{"name": "mix", "arguments": {"n": 3}}',
      input: { n: 3 },
      rules: ["unannounced-object"],
    },
    {
      reply: '[TOOL_REQUEST]{"name": "mix", "arguments": {"n": 3}}[/TOOL_REQUEST]',
      input: { n: 3 },
      rules: ["unknown-wrapper"],
    },
    {
      reply: '```\n{"name": "mix", "arguments": {"n": 3}}\n```',
      input: { n: 3 },
      rules: [],
    },
  ];
  for (const { reply, input, rules } of repaired) {
    it(`${reply}: ${rules.join(", ") || "as it is"}`, () => {
      const result = read(reply);
      expect(result.inputs).toEqual([input]);
      expect([...result.rules].sort()).toEqual([...rules].sort());
      expect(result.refused).toEqual([]);
      expect(result.finish).toBe("calls");
    });
    if (rules.length === 0) continue;
    it(`${reply}: not where its rule is off`, () => {
      for (const rule of rules) {
        const name = rule.split(":", 1)[0] ?? "";
        expect(read(reply, { repairs: { off: [name] } }).calls).toEqual([]);
      }
      expect(read(reply, { repairs: { off: "all" } }).calls).toEqual([]);
    });
  }
});

describe("what would be a guess is refused", () => {
  const refused: readonly { reply: string; faults: readonly string[] }[] = [
    { reply: mix('{"n": "2.5"}'), faults: ["/n type"] },
    { reply: mix('{"n": "007"}'), faults: ["/n type"] },
    { reply: mix('{"n": 1, "on": "yes"}'), faults: ["/on type"] },
    { reply: mix('{"n": 1, "ratio": "9007199254740993"}'), faults: ["/ratio type"] },
    { reply: mix('{"n": null}'), faults: ["/n type"] },
    { reply: mix('{"n": 1}', "mixer"), faults: [" tool"] },
    { reply: mix("[1]"), faults: [" type"] },
    { reply: mix('{"n": 1, "n": 2}'), faults: [" json"] },
    { reply: '{"name": "get_time", "arguments": {"zone": "C:\\\\a\\d"}}', faults: [" json"] },
    {
      reply: '<tool_call>\n{"name": "mix", "arguments": {"n": 1}, "also": 2}\n</tool_call>',
      faults: [" json"],
    },
    { reply: '<tool_call>\n{"name": "mix", "arguments": {"n": 1', faults: [" json"] },
  ];
  for (const { reply, faults } of refused) {
    it(reply, () => {
      const result = read(reply);
      expect(result.calls).toEqual([]);
      expect(result.faults).toEqual(faults);
      expect(result.feedback).toMatch(/was not made/);
      expect(result.content).toBeNull();
    });
  }
});

describe("readReply", () => {
  it("takes prose that speaks about a call for prose", () => {
    for (const prose of [
      'You could send {"name": "mix", "arguments": {"n": 3}} to it.',
      'Like so: <x>{"name": "mix", "arguments": {"n": 3}} and so on.',
      'Sure:\n{"name": "unknown", "arguments": {"n": 3}}',
      '{"name": "Ada", "age": 36}',
      '```json\n{"n": 1}\n```',
    ]) {
      const result = read(prose);
      expect(result.calls).toEqual([]);
      expect(result.refused).toEqual([]);
      expect(result.content).toBe(prose);
    }
  });

  it("reads nothing as a call where no tools are offered", () => {
    expect(read(mix('{"n": 1}'), { tools: [] }).content).toBe(mix('{"n": 1}'));
  });

  it("says where a faulty value stands, unless a repair has moved it", () => {
    const reply = `Now.\n${mix('{"n": 1.5, "list": [1, 2.5]}')}`;
    const [refused] = read(reply).refused;
    const [from, to] = refused?.locate?.("/list/1") ?? [0, 0];
    expect(reply.slice(from, to)).toBe("2.5");
    const moved = read(mix('"{\\"n\\": 1.5}"'));
    expect(moved.refused[0]?.faults.map((fault) => fault.pointer)).toEqual(["/n"]);
    expect(moved.refused[0]?.locate).toBeUndefined();
  });

  it("makes the first call only where calls are not parallel, and says so of the others", () => {
    const result = read(`${mix('{"n": 1}')}\n${mix('{"n": "2"}')}`, { parallel: false });
    expect(result.inputs).toEqual([{ n: 1 }]);
    expect(result.faults).toEqual([" parallel"]);
    expect(result.rules).toEqual([]);
    expect(result.feedback).toContain("one call");
  });

  it("never delivers a call that the token limit cut off, but those before it", () => {
    const result = read(`${mix('{"n": 1}')}\n<tool_call>\n{"name": "mix", "arguments": {"n": 2`, {
      finish: "length",
    });
    expect(result.inputs).toEqual([{ n: 1 }]);
    expect(result.faults).toEqual([" length"]);
    expect(result.finish).toBe("length");
    const open = "<function=get_time>\n<parameter=zone>\nUT";
    expect(read(open, { finish: "stop" }).rules).toEqual(["closed-tags"]);
    const cut = read(open, { finish: "length" });
    expect(cut.calls).toEqual([]);
    expect(cut.faults).toEqual([" length"]);
  });

  it("takes reasoning apart whose start the prompt has written", () => {
    const result = read("I think.\n</think>\n\nYes.");
    expect(result.reasoning).toBe("I think.");
    expect(result.content).toBe("Yes.");
  });

  it("does not make a call inside reasoning where an answer follows, and asks for nothing then", () => {
    const result = read(`<think>\n${mix('{"n": 1}')}\n</think>\nNo need.`);
    expect(result.calls).toEqual([]);
    expect(result.next).toBeUndefined();
    expect(result.content).toBe("No need.");
  });

  it.each([
    '<tool_call>\n{"name": "mix", "arguments": {"n": 1, "ratio": 1e400}}\n</tool_call>',
    "<tool_call>\n<function=mix>\n<parameter=n>\n1\n</parameter>\n<parameter=ratio>\n1e400\n</parameter>\n</function>\n</tool_call>",
    "<|tool_call_start|>[mix(n=1, ratio=-1e400)]<|tool_call_end|>",
    "<|tool_call>call:mix{n:1,ratio:1e400}<tool_call|>",
  ])("refuses a number that no double holds: %s", (reply) => {
    const { inputs, faults } = read(reply);
    expect(inputs).toEqual([]);
    expect(faults).toEqual(["/ratio type"]);
  });

  it("refuses a dialect that there is none of", () => {
    expect(() => read("x", { dialect: "klingon" })).toThrow(/any/);
  });

  it("gives every call an id of its own", () => {
    const result = read(`${mix('{"n": 1}')}\n${mix('{"n": 2}')}`);
    expect(new Set(result.calls.map((call) => call.id)).size).toBe(2);
  });

  it("leaves out a call that repeats another one, and names it", () => {
    const repeated = `${mix('{"n": 1, "on": true}')}\n${mix('{"on": true, "n": 1}')}\n${mix('{"n": 2}')}`;
    const result = readReply({ text: repeated, tools, finish: "stop" });
    expect(result.calls.map((call) => call.input)).toEqual([{ n: 1, on: true }, { n: 2 }]);
    expect(result.repeated.map((call) => call.input)).toEqual([{ on: true, n: 1 }]);
  });

  it("types raw values by the schema, and only where text does not fit", () => {
    const value = (key: string, raw: string) => `<parameter=${key}>\n${raw}\n</parameter>`;
    const reply = (...values: readonly string[]) =>
      `<tool_call>\n<function=mix>\n${values.join("\n")}\n</function>\n</tool_call>`;
    expect(
      read(reply(value("n", "5"), value("list", "[1, 2]"), value("name", "12"), value("on", "false"))).inputs,
    ).toEqual([{ n: 5, list: [1, 2], name: "12", on: false }]);
    const inner = read(reply(value("n", "5"), value("list", "[1, 2.5]")));
    expect(inner.faults).toEqual(["/list/1 type"]);
    expect(read(reply(value("n", "five"))).faults).toEqual(["/n type"]);
  });
});

describe("any reply at all", () => {
  const parts = fc.constantFrom(
    "<tool_call>",
    "</tool_call>",
    '{"name": "mix", "arguments": ',
    '{"name": "Mix", "args": ',
    '{"n": 1}',
    '{"n": "1", "on": null}',
    '"{\\"n\\": 2}"',
    "}",
    "<function=mix>",
    "<parameter=n>",
    "3",
    "</parameter>",
    "</function>",
    "<arg_key>n</arg_key>",
    "<arg_value>4</arg_value>",
    "mix",
    "<|tool_call_start|>[mix(n=",
    ")]",
    "<|tool_call>call:mix{n:",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<|channel|>commentary to=functions.mix<|message|>",
    "```json\n",
    "\n```",
    "<think>",
    "</think>",
    "<x>",
    "\n",
    " ",
    "text",
    "\\d",
    '<tool_call>{"name": "mix", "arguments": {"n": "5"}}</tool_call>',
    "<function=mix>\n<parameter=n>\n6\n</parameter>\n</function>",
    "<|tool_call_start|>[mix(n=7)]<|tool_call_end|>",
    '\n{"name": "mix", "arguments": {"n": 8}}\n',
  );
  const soup = fc.array(parts, { maxLength: 12 }).map((words) => words.join(""));

  it("never throws and delivers only valid calls", () => {
    let delivered = 0;
    fc.assert(
      fc.property(soup, fc.constantFrom("stop" as const, "length" as const), (reply, finish) => {
        const { calls, refused, feedback } = read(reply, { finish });
        delivered += calls.length;
        for (const call of calls) expect(checkCall(call, tools)).toEqual([]);
        for (const call of refused) expect(call.faults.length).toBeGreaterThan(0);
        if (refused.length > 0) expect(feedback).toMatch(/was not made/);
      }),
      { numRuns: 2000 },
    );
    expect(delivered).toBeGreaterThan(200);
  });

  for (const format of formats) {
    it(`reads back what ${format.name} writes, without any repair`, () => {
      const input = fc.record(
        {
          n: fc.integer(),
          name: fc.string({ unit: "binary", minLength: 1 }),
          note: fc.string({ unit: "binary" }),
          on: fc.boolean(),
        },
        { requiredKeys: ["n"] },
      );
      const differing = fc.uniqueArray(input, {
        selector: (one) => JSON.stringify(one),
        minLength: 1,
        maxLength: 3,
      });
      fc.assert(
        fc.property(differing, fc.boolean(), (inputs, parallel) => {
          const calls = inputs.map((one) => ({ name: "mix", input: one }));
          const result = read(format.writeCalls(calls, { parallel, spacing: "spaced" }));
          expect(result.inputs).toEqual(inputs);
          expect(result.rules).toEqual([]);
          expect(result.content).toBeNull();
        }),
        { numRuns: 100 },
      );
    });
  }
});
