import {
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type SpanStatus,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { traceRun } from "../../src/agent/trace-run.ts";
import { emptyUsage, type RunEvent } from "../../src/vocabulary/index.ts";

interface Kept {
  readonly name: string;
  readonly attributes: Attributes;
  status?: SpanStatus;
  ended: boolean;
  readonly parent: string | undefined;
}

let spans: Kept[];

beforeEach(() => {
  spans = [];
  const bySpan = new Map<Span, Kept>();
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const outer = context === undefined ? undefined : trace.getSpan(context);
    const kept: Kept = {
      name,
      attributes: { ...options.attributes },
      ended: false,
      parent: outer === undefined ? undefined : bySpan.get(outer)?.name,
    };
    spans.push(kept);
    const span = {
      setAttribute: (key: string, value: Attributes[string]) =>
        Object.assign(kept.attributes, { [key]: value }),
      setStatus: (status: SpanStatus) => {
        kept.status = status;
      },
      end: () => {
        kept.ended = true;
      },
    } as unknown as Span;
    bySpan.set(span, kept);
    return span;
  };
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined }) as never,
  });
});

afterEach(() => trace.disable());

const place = { runId: "r", turn: 1, at: 0 };
const tokens = { ...emptyUsage.tokens, reused: 10, prefilled: 5, forced: 3, sampled: 4 };

async function* run(...events: readonly object[]): AsyncGenerator<RunEvent> {
  for (const event of events) yield { ...place, ...event } as RunEvent;
}

const events = [
  { type: "turn-start" },
  { type: "turn-end", finish: "calls", usage: { ...emptyUsage, tokens } },
  { type: "tool-start", callId: "c1", name: "look", input: { secret: 1 } },
  { type: "tool-end", callId: "c1", name: "look", outcome: "denied", content: "private" },
  { type: "run-end", reason: "done", usage: emptyUsage },
];

async function follow(options: { readonly content?: boolean }, ...given: readonly object[]) {
  const seen: string[] = [];
  for await (const event of traceRun(run(...given), { model: "m", conversation: "s", ...options }))
    seen.push(event.type);
  return seen;
}

test("a run, its turns and its calls are spans within each other, without what is private", async () => {
  expect(await follow({}, ...events)).toEqual(events.map(({ type }) => type));
  expect(spans.map(({ name, parent, ended }) => [name, parent, ended])).toEqual([
    ["invoke_agent callwright", undefined, true],
    ["chat m", "invoke_agent callwright", true],
    ["execute_tool look", "invoke_agent callwright", true],
  ]);
  expect(spans[0]?.attributes).toMatchObject({
    "gen_ai.conversation.id": "s",
    "gen_ai.response.finish_reasons": ["done"],
  });
  expect(spans[1]?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.usage.input_tokens": 15,
    "gen_ai.usage.output_tokens": 7,
  });
  expect(spans[2]?.attributes).toMatchObject({ "gen_ai.tool.call.id": "c1", "error.type": "denied" });
  expect(JSON.stringify(spans)).not.toMatch(/secret|private/);
});

test("arguments and results are there where that is asked for", async () => {
  await follow({ content: true }, ...events);
  expect(spans[2]?.attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"secret":1}',
    "gen_ai.tool.call.result": "private",
  });
});

test("what is open when a run is left half-way is ended", async () => {
  await follow({}, events[0] ?? {}, events[2] ?? {});
  expect(spans.every(({ ended }) => ended)).toBe(true);
  expect(spans[1]?.attributes["error.type"]).toBe("interrupted");
});
