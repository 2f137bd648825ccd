// Reads a whole reply that was not constrained: imported transcripts, remote models, a turn with its grammar off.
// Every call is validated, repaired where that loses nothing, or refused with what the model can be told.
import {
  anyJsonFence,
  bareMarks,
  createTurnParser,
  findFormat,
  type Locate,
  type ReadableFormat,
  type ReasoningMarks,
  type TurnParserEvent,
  formats as writableFormats,
} from "../formats/index.ts";
import {
  type Call,
  type CallFault,
  CallwrightError,
  isJsonObject,
  type JsonValue,
} from "../vocabulary/index.ts";
import { callInReasoning } from "./call-in-reasoning.ts";
import { callKey } from "./call-key.ts";
import type { CheckedTool } from "./check-call.ts";
import { findLooseCalls } from "./loose-calls.ts";
import { isRuleOn, type RepairOptions, repairCall } from "./repair-call.ts";
import { readFaults, sayWhatIsWrong } from "./say-what-is-wrong.ts";
import { newCallId } from "./turn.ts";
import { typeValues } from "./type-values.ts";

export interface ReadReplyRequest {
  readonly text: string;
  /** Without tools nothing is read as a call. */
  readonly tools: readonly CheckedTool[];
  /** Formats to read, the likeliest first. Absent: those of `dialect`. */
  readonly formats?: readonly ReadableFormat[];
  /** A format's name, or `any` (the default): every format there is. */
  readonly dialect?: string;
  /** Why the text ended: by itself, or at the token limit. */
  readonly finish: "stop" | "length";
  readonly parallel?: boolean;
  readonly repairs?: RepairOptions;
  readonly reasoning?: ReasoningMarks;
  /** Whether the prompt had opened the reasoning. */
  readonly insideReasoning?: boolean;
}

export interface AppliedRepair {
  readonly callId: string;
  readonly rule: string;
  readonly pointer?: string;
  readonly before: string;
  readonly after: string;
}

export interface RefusedCall {
  readonly name?: string;
  readonly input?: JsonValue;
  readonly text: string;
  readonly faults: readonly CallFault[];
  /** Where a faulty value stands in the reply's text. */
  readonly locate?: Locate;
}

export interface ReadReply {
  /** The reply's prose without marks and calls; null where there is none. */
  readonly content: string | null;
  readonly reasoning?: string;
  readonly calls: readonly Call[];
  readonly repairs: readonly AppliedRepair[];
  readonly refused: readonly RefusedCall[];
  /** Calls left out since the same one stands before them in `calls`. */
  readonly repeated: readonly Call[];
  /** One line for the model, where something has to be said. */
  readonly feedback?: string;
  readonly finish: "stop" | "calls" | "length";
  /** What a host that can decode again should do next. */
  readonly next?: string;
}

/** Reads everything in the reply; never throws for what the model wrote. */
export function readReply(request: ReadReplyRequest): ReadReply {
  const { text, tools, finish, parallel = true, repairs: options = { off: [] } } = request;
  const formats = tools.length === 0 ? [] : (request.formats ?? dialectFormats(request.dialect ?? "any"));
  const marks = request.reasoning ?? thinkMarks;
  const turn = readTurn(text, formats, marks, request.insideReasoning ?? endsUnopened(text, marks));
  const verdict: Verdict = { calls: [], repairs: [], refused: [] };
  for (const event of turn.found) judge(event, verdict, { tools, finish, options });
  let content = turn.content;
  if (turn.found.length === 0 && isRuleOn("unknown-wrapper", options)) {
    const loose = findLooseCalls(content, tools);
    content = loose.rest;
    for (const call of loose.calls) judge({ ...call, index: 0 }, verdict, { tools, finish, options });
  }
  const { different, repeated } = splitRepeated(verdict.calls);
  const calls = parallel ? different : keepFirst(different, verdict.refused);
  const refused: readonly RefusedCall[] = verdict.refused;
  const hidden = callInReasoning({
    reply: { ...turn, content },
    verdict: { calls, refused },
    formats,
    tools,
  });
  const [first] = refused;
  const feedback = first === undefined ? hidden?.reason : sayWhatIsWrong(first, tools);
  return {
    content: content === "" ? null : content,
    ...(turn.reasoning === "" ? {} : { reasoning: turn.reasoning }),
    calls,
    repairs: verdict.repairs.filter((repair) => calls.some((call) => call.id === repair.callId)),
    refused,
    repeated,
    ...(feedback === undefined ? {} : { feedback }),
    finish: finish === "length" ? "length" : calls.length > 0 ? "calls" : "stop",
    ...(hidden === undefined ? {} : { next: hidden.next }),
  };
}

const thinkMarks = { start: "<think>", end: "</think>" };

const readableFormats: readonly ReadableFormat[] = [
  ...writableFormats.map((format) => (format.name === anyJsonFence.name ? anyJsonFence : format)),
  findFormat("qwen-xml"),
  findFormat("minicpm-xml"),
  findFormat("lfm-py"),
  findFormat("glm-xml"),
  findFormat("gemma4"),
  findFormat("fn-gemma"),
];

/** The formats of a dialect by its name; `any` is all of them. Bare JSON is understood in every one. */
export function dialectFormats(dialect: string): readonly ReadableFormat[] {
  if (dialect === "any") return readableFormats;
  const found = readableFormats.find((format) => format.name === dialect);
  if (found !== undefined) return found.name === "plain-json" ? [found] : [found, findFormat("plain-json")];
  const names = readableFormats.map((format) => format.name).join(", ");
  throw new CallwrightError(
    "format-unknown",
    `There is no dialect "${dialect}"; use "any" or one of ${names}.`,
  );
}

type FoundCall = Extract<TurnParserEvent, { type: "call-end" | "call-broken" }>;

interface ReadTurn {
  readonly content: string;
  readonly reasoning: string;
  readonly found: readonly FoundCall[];
}

function readTurn(
  text: string,
  formats: readonly ReadableFormat[],
  reasoning: ReasoningMarks,
  insideReasoning: boolean,
): ReadTurn {
  const parser = createTurnParser({ formats, reasoning, insideReasoning, lenient: true });
  const found: FoundCall[] = [];
  const blocks: string[] = [];
  let thoughts = "";
  for (const event of [...parser.push(text), ...parser.finish()]) {
    if (event.type === "text-start") blocks.push("");
    else if (event.type === "text-delta") blocks[blocks.length - 1] += event.text;
    else if (event.type === "reasoning-delta") thoughts += event.text;
    else if (event.type === "call-end" || event.type === "call-broken") found.push(event);
  }
  return { content: blocks.join("\n"), reasoning: thoughts, found };
}

/** An end of reasoning without its start shows that the prompt had opened it. */
function endsUnopened(text: string, marks: ReasoningMarks): boolean {
  const { start, end } = bareMarks(marks);
  const at = text.indexOf(end);
  const opens = text.indexOf(start);
  return at !== -1 && (opens === -1 || opens > at);
}

interface Verdict {
  readonly calls: Call[];
  readonly repairs: AppliedRepair[];
  readonly refused: RefusedCall[];
}

interface Circumstances {
  readonly tools: readonly CheckedTool[];
  readonly finish: "stop" | "length";
  readonly options: RepairOptions;
}

function judge(event: FoundCall, verdict: Verdict, { tools, finish, options }: Circumstances): void {
  if (event.type === "call-broken") {
    verdict.refused.push(brokenCall(event, finish));
    return;
  }
  const { name, inputText, locate } = event;
  // A text that was cut cannot be completed for certain, and a rule that is off must not have been needed.
  const cut = finish === "length" && event.repairs.includes("closed-tags");
  const forbidden = event.repairs.find((rule) => !isRuleOn(rule, options));
  if (cut || forbidden !== undefined) {
    const fault = cut ? lengthFault : unreadable(`it could be read only by ${forbidden ?? ""}`);
    verdict.refused.push({ name, input: event.input, text: inputText, faults: [fault] });
    return;
  }
  const typed = event.untyped ? typeValues(event, tools) : event;
  const outcome = repairCall({ name: typed.name, input: typed.input }, tools, options);
  const { call } = outcome;
  if (outcome.type === "invalid" || !isJsonObject(call.input)) {
    const faults = outcome.type === "invalid" ? outcome.faults : [];
    const places = outcome.type === "invalid" && outcome.keepsPlaces ? { locate } : {};
    verdict.refused.push({ ...call, text: inputText, faults, ...places });
    return;
  }
  const callId = newCallId();
  verdict.calls.push({ id: callId, name: call.name, input: call.input });
  const after = JSON.stringify(call.input);
  for (const rule of event.repairs) verdict.repairs.push({ callId, rule, before: inputText, after });
  for (const repair of outcome.repairs) verdict.repairs.push({ callId, ...repair });
}

const lengthFault: CallFault = {
  pointer: "",
  keyword: readFaults.length,
  expected: "a complete call",
  came: "a call cut off at the token limit",
};

function unreadable(reason: string): CallFault {
  return { pointer: "", keyword: readFaults.json, expected: "arguments must be complete JSON", came: reason };
}

function brokenCall(
  event: Extract<FoundCall, { type: "call-broken" }>,
  finish: "stop" | "length",
): RefusedCall {
  const { name, text, reason, cut } = event;
  const about = name === undefined ? { text } : { name, text };
  if (cut && finish === "length") return { ...about, faults: [lengthFault] };
  if (name === undefined && reason.includes('"name"')) {
    return { text, faults: [{ pointer: "", keyword: readFaults.name, expected: 'a "name"', came: "none" }] };
  }
  return { ...about, faults: [unreadable(reason)] };
}

function splitRepeated(calls: readonly Call[]) {
  const different = new Map<string, Call>();
  const repeated: Call[] = [];
  for (const call of calls) {
    const key = callKey(call);
    if (different.has(key)) repeated.push(call);
    else different.set(key, call);
  }
  return { different: [...different.values()], repeated };
}

/** The first call; what came after it is refused aloud. */
function keepFirst(calls: readonly Call[], refused: RefusedCall[]): readonly Call[] {
  for (const { name, input } of calls.slice(1)) {
    const fault = {
      pointer: "",
      keyword: readFaults.parallel,
      expected: "one call",
      came: `${calls.length} calls`,
    };
    refused.push({ name, input, text: JSON.stringify(input), faults: [fault] });
  }
  return calls.slice(0, 1);
}
