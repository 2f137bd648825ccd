import { expect, test } from "vitest";
import { createEventPrinter } from "../../src/cli/print-events.ts";
import { emptyUsage, type RunEvent, type RunOnlyEvent, type TurnEvent } from "../../src/vocabulary/index.ts";

const events: readonly (TurnEvent | RunOnlyEvent)[] = [
  { type: "run-start", model: "small" },
  { type: "turn-start", profile: "p", format: "json-fence", tools: ["add"], budget: {}, cuts: [] },
  { type: "prefill-progress", done: 5, total: 10 },
  { type: "text-start" },
  { type: "text-delta", text: "Let me " },
  { type: "text-delta", text: "see." },
  { type: "text-end" },
  { type: "call-start", callId: "c1", name: "add" },
  { type: "call-delta", callId: "c1", text: "{\n " },
  { type: "call-delta", callId: "c1", text: ' "a": 1' },
  { type: "call-delta", callId: "c1", text: "\n}" },
  { type: "call-end", callId: "c1", name: "add", input: { a: 1 } },
  { type: "turn-end", finish: "calls", usage: emptyUsage },
  { type: "tool-start", callId: "c1", name: "add", input: { a: 1 } },
  { type: "tool-end", callId: "c1", name: "add", outcome: "completed", content: "2" },
  { type: "turn-start", profile: "p", format: "json-fence", tools: ["add"], budget: {}, cuts: [] },
  { type: "text-start" },
  { type: "text-delta", text: "It is 2." },
  { type: "text-end" },
  { type: "turn-end", finish: "stop", usage: emptyUsage },
  {
    type: "run-end",
    reason: "done",
    usage: {
      tokens: { reused: 50, loaded: 0, prefilled: 100, forced: 6, drafted: 0, sampled: 14, reasoning: 0 },
      attempts: 2,
      milliseconds: { template: 0, prefill: 1_000, decode: 500, total: 1_500 },
    },
  },
];

function print(options: { json: boolean; textTo?: "stderr" }, shown = events) {
  let out = "";
  let err = "";
  const printer = createEventPrinter({
    ...options,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  for (const event of shown) printer({ ...event, runId: "r", turn: 1, at: 0 } as RunEvent);
  return { out, err };
}

test("answers go to stdout, all else to stderr, each on lines of its own", () => {
  expect(print({ json: false })).toEqual({
    out: "Let me see.\nIt is 2.\n",
    err: [
      "small",
      '→ add { "a": 1 }',
      "← 2",
      "tokens   prompt: 50 reused, 100 prefilled · reply: 6 forced, 14 sampled (30 % without sampling)",
      "seconds  1.5 in 2 turns: prefill 1.0, decode 0.5",
      "",
    ].join("\n"),
  });
});

test("text can go to stderr, where stdout holds other data", () => {
  const { out, err } = print({ json: false, textTo: "stderr" });
  expect(out).toBe("");
  expect(err).toContain("Let me see.\n");
});

test("a call that is printed as data is not shown twice; one that came to nothing is", () => {
  const refused: readonly (TurnEvent | RunOnlyEvent)[] = [
    { type: "call-start", callId: "c0", name: "add" },
    { type: "call-delta", callId: "c0", text: '{"a": "x"}' },
    {
      type: "call-refused",
      callId: "c0",
      faults: [{ pointer: "/a", keyword: "type", expected: "integer", came: '"x"' }],
    },
  ];
  expect(print({ json: false, textTo: "stderr" }).err).not.toContain("→ add");
  const { err } = print({ json: false, textTo: "stderr" }, [...refused, ...events]);
  expect(err.match(/→ add .*/g)).toEqual(['→ add {"a": "x"}']);
});

test("as JSON every event is one line of stdout", () => {
  const { out, err } = print({ json: true });
  expect(err).toBe("");
  const lines = out.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(events.map(({ type }) => type));
});

test("a long result is shortened, and a failure named", () => {
  const content = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  const { err } = print({ json: false }, [
    { type: "tool-end", callId: "c", name: "t", outcome: "failed", content },
  ]);
  expect(err).toContain("← failed: line 0\n");
  expect(err).toContain(`[… ${content.length} characters in all]`);
  expect(err).not.toContain("line 20");
});

test("a run that ends in an error prints nothing, for the error has its own line", () => {
  const { out, err } = print({ json: false }, [
    { type: "run-start", model: "small" },
    { type: "run-end", reason: "error", usage: emptyUsage },
  ]);
  expect([out, err]).toEqual(["", ""]);
});

test.each([
  [undefined, { type: "run-end", reason: "aborted", usage: emptyUsage }],
  ["stderr", { type: "turn-end", finish: "aborted", usage: emptyUsage }],
] as const)("an interrupt is told once", (textTo, end) => {
  const { err } = print({ json: false, ...(textTo ? { textTo } : {}) }, [
    { type: "text-start" },
    { type: "text-delta", text: "Half a" },
    end,
  ]);
  expect(err.match(/interrupted|aborted/g)).toEqual(["interrupted"]);
  expect(err).toMatch(/^callwright: interrupted$/m);
});

test("what models and tools write cannot steer the terminal", () => {
  const evil = "\u001b[2J\u009b31m\u0007\b\u202e a\tb\r\nc";
  const harmless = "\\x1b[2J\\x9b31m\\x07\\x08\\u202e a\tb\nc";
  const { out, err } = print({ json: false }, [
    { type: "run-start", model: evil },
    { type: "reasoning-delta", text: evil },
    { type: "text-delta", text: evil },
    { type: "call-start", callId: "c", name: evil },
    { type: "call-delta", callId: "c", text: "\u001b" },
    { type: "call-end", callId: "c", name: "t", input: {} },
    { type: "tool-end", callId: "c", name: "t", outcome: "completed", content: evil },
    { type: "notice", code: "x", text: evil },
  ]);
  expect(out).toContain(harmless);
  for (const text of [out, err]) expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(err).toContain("← \\x1b[2J");
});

test("as JSON a line holds no control character either, and still says the same", () => {
  const text = "\u001b[2J\u009b31m\u202e";
  const { out } = print({ json: true }, [{ type: "text-delta", text }]);
  expect(JSON.parse(out)).toMatchObject({ text });
  expect(out.trimEnd()).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e]/);
});
