// Random turns as the engine tells them: every order of events that its contract allows, and what a client should make of each.
import * as fc from "fast-check";
import type { FinishReason, TurnEvent, Usage } from "../../src/vocabulary/index.ts";

export interface RandomTurn {
  readonly events: readonly TurnEvent[];
  readonly expected: {
    readonly text: string;
    readonly reasoning: string;
    /** Calls in order; one that was cut off has no `input`. */
    readonly calls: readonly {
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly isWhole: boolean;
    }[];
    readonly finish: FinishReason;
  };
}

/** Text of all kinds of characters, cut into pieces of whole characters; lone surrogates never leave the engine. */
const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme-composite", minLength: 1, maxLength: 6 }),
    fc.constantFrom(
      "안녕",
      "👩‍👧",
      "\n\n",
      "data: ",
      "\r\n",
      '"',
      "\\",
      "event: x\n",
      "[DONE]",
      "\u2028",
      "\0",
    ),
  ),
  { minLength: 1, maxLength: 5 },
);

const name = fc.constantFrom("add", "calendar.create", "github/commit", "안녕", "__proto__");
const input = fc.dictionary(
  fc.constantFrom("a", "path", "toString", "é"),
  fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.boolean(), { maxLength: 3 }),
  ),
  { maxKeys: 3 },
);

const aside = fc.constantFrom<TurnEvent>(
  { type: "notice", code: "schema-residual", text: "x" },
  { type: "retry", rung: 3, from: "/a", cost: { reevaluated: 3 } },
  { type: "call-refused", callId: "never-shown", faults: [] },
);

type Segment =
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | {
      readonly type: "call";
      readonly name: string;
      readonly input: Record<string, unknown>;
      readonly cuts: readonly number[];
    }
  | { readonly type: "aside"; readonly event: TurnEvent };

const segment: fc.Arbitrary<Segment> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), pieces }),
  fc.record({
    type: fc.constant("call" as const),
    name,
    input,
    cuts: fc.array(fc.nat(40), { maxLength: 4 }),
  }),
  fc.record({ type: fc.constant("aside" as const), event: aside }),
);

const usage: Usage = {
  tokens: { reused: 3, loaded: 1, prefilled: 7, forced: 4, drafted: 0, sampled: 5, reasoning: 2 },
  attempts: 1,
  milliseconds: { template: 1, prefill: 2, decode: 3, total: 6 },
};

export const randomTurn: fc.Arbitrary<RandomTurn> = fc
  .record({
    progress: fc.nat(2),
    reasoning: fc.option(pieces, { nil: undefined }),
    segments: fc.array(segment, { maxLength: 6 }),
    ending: fc.constantFrom("whole", "cut", "invalid", "stopped", "filtered"),
  })
  .map(makeTurn);

function makeTurn({
  progress,
  reasoning = [],
  segments,
  ending,
}: {
  progress: number;
  reasoning?: readonly string[] | undefined;
  segments: readonly Segment[];
  ending: string;
}): RandomTurn {
  const events: TurnEvent[] = [
    {
      type: "turn-start",
      profile: "p",
      format: "f",
      tools: ["add"],
      budget: { system: 1, tools: 2, history: 8, reply: 100 },
      cuts: [],
    },
  ];
  for (let at = 1; at <= progress; at++) events.push({ type: "prefill-progress", done: at * 5, total: 11 });
  if (reasoning.length > 0) {
    events.push({ type: "reasoning-start" });
    for (const text of reasoning) events.push({ type: "reasoning-delta", text });
    events.push({ type: "reasoning-end" });
  }
  const calls: { id: string; name: string; text: string; isWhole: boolean }[] = [];
  let text = "";
  for (const [at, part] of segments.entries()) {
    const isCut = ending === "cut" && at === segments.length - 1;
    if (part.type === "aside") events.push(part.event);
    else if (part.type === "text") {
      events.push({ type: "text-start" });
      for (const piece of part.pieces) events.push({ type: "text-delta", text: piece });
      events.push({ type: "text-end" });
      text += part.pieces.join("");
    } else {
      const callId = `call_${at}`;
      const written = JSON.stringify(part.input);
      const ends = [...new Set(part.cuts.map((cut) => Math.min(cut, written.length)))].sort((a, b) => a - b);
      events.push({ type: "call-start", callId, name: part.name });
      let from = 0;
      for (const end of isCut ? ends : [...ends, written.length]) {
        // The engine gives whole characters only.
        const whole = end + (/[\ud800-\udbff]/.test(written[end - 1] ?? "") ? 1 : 0);
        if (whole <= from) continue;
        events.push({ type: "call-delta", callId, text: written.slice(from, whole) });
        from = whole;
      }
      const input = JSON.parse(written);
      if (!isCut) events.push({ type: "call-end", callId, name: part.name, input });
      calls.push({ id: callId, name: part.name, text: written.slice(0, from), isWhole: !isCut });
    }
  }
  const finish = finishOf(ending, calls.length);
  if (finish === "invalid") {
    const faults = [{ pointer: "/a", keyword: "type", expected: "a number", came: "x" }];
    events.push({ type: "call-invalid", attempts: [{ text: "{", name: "add", faults }] });
    text += "[No valid answer or call to add came of 1 attempts (/a: expected a number, came x).]";
  }
  events.push({ type: "turn-end", finish, usage, ...(ending === "stopped" ? { stopText: "END" } : {}) });
  return { events, expected: { text, reasoning: reasoning.join(""), calls, finish } };
}

function finishOf(ending: string, calls: number): FinishReason {
  if (ending === "cut") return "length";
  if (ending === "invalid") return "invalid";
  if (ending === "filtered") return "content-filter";
  return ending === "whole" && calls > 0 ? "calls" : "stop";
}

/** Pieces of the same bytes, cut anywhere. */
export function cutBytes(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}
