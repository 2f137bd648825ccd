// qwen-xml, read only: <tool_call>⏎<function=f>⏎<parameter=k>⏎v⏎</parameter>⏎…</function>⏎</tool_call>.
// Qwen3-Coder, Qwen3.5 and later, Nemotron 3. Values are raw text, to be typed by the tool's schema.
import type { Opener, ReadableFormat } from "../format.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  type SteppedCall,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";
import { findValueEnd, withoutOuterBreaks } from "./tagged-values.ts";

// Marks

const closer = "</tool_call>";
const functionOpen = "<function=";
const functionClose = "</function>";
const parameterOpen = "<parameter=";
const parameterClose = "</parameter>";
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };
// Models leave the outer tag away now and then.
const bareOpener: Opener = {
  text: functionOpen,
  special: false,
  position: "line-start",
  strength: "certain",
};

/** Reads calls of the Qwen coder family. A lenient reader closes tags that the end of the text left open. */
export const qwenXml: ReadableFormat = {
  name: "qwen-xml",
  openers: [opener, bareOpener],
  parser: ({ opener: stands = opener, lenient = false } = {}) => {
    const isBare = stands.text === functionOpen;
    return createSteppingReader((input) => step(input, isBare, lenient), isBare ? functionClose : closer);
  },
};

// Parser

function step(input: StepInput, isBare: boolean, lenient: boolean): Step {
  const { text, at, isOver, calls } = input;
  const start = isBare && calls === 0 ? at : skipSpace(text, at);
  if (calls > 0) {
    const closed = standsAt(closer, text, start);
    if (closed === "yes") return { type: "end", at: start + closer.length };
    if (closed === "maybe" && !isOver) return needsMore;
  }
  if (isBare && calls === 0) return readFunction(input, start, lenient);
  const opens = standsAt(functionOpen, text, start);
  if (opens === "yes") return readFunction(input, start + functionOpen.length, lenient);
  if (opens === "maybe" && !isOver) return needsMore;
  if (calls > 0) return { type: "end", at };
  return { type: "broken", at: start, reason: `${functionOpen}NAME> expected` };
}

function readFunction({ text, isOver }: StepInput, from: number, lenient: boolean): Step {
  const nameEnd = text.indexOf(">", from);
  const name = text.slice(from, nameEnd === -1 ? text.length : nameEnd).trim();
  if (/[\s<]/.test(name))
    return { type: "broken", at: from, reason: "the function's name is not closed by >" };
  if (nameEnd === -1) return needsMore;
  const strict = readParameters(text, nameEnd + 1, isOver);
  if (strict.type === "read") return toStep(name, strict, text.slice(nameEnd + 1, strict.next));
  if (strict.type === "more" && !isOver) return needsMore;
  const loose = lenient && isOver ? readLoosely(text, nameEnd + 1) : undefined;
  if (loose !== undefined) return toStep(name, loose, text.slice(nameEnd + 1));
  if (strict.type === "more")
    return { type: "broken", at: text.length, reason: "the tags are not closed", name };
  return { type: "broken", at: strict.at, reason: strict.reason, name };
}

interface Parameters {
  readonly type: "read";
  readonly values: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, readonly [number, number]>;
  readonly next: number;
  readonly repairs: readonly string[];
}

type ParametersOutcome =
  | Parameters
  | { readonly type: "more" }
  | { readonly type: "broken"; readonly at: number; readonly reason: string };

const valueEnd = { closer: parameterClose, followers: [parameterOpen, functionClose] };

function readParameters(text: string, from: number, isOver: boolean): ParametersOutcome {
  const values = new Map<string, string>();
  const places = new Map<string, readonly [number, number]>();
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    const closes = standsAt(functionClose, text, at);
    if (closes === "yes") {
      return { type: "read", values, places, next: at + functionClose.length, repairs: [] };
    }
    const opens = standsAt(parameterOpen, text, at);
    if (opens === "no") {
      if (closes === "maybe") return { type: "more" };
      return { type: "broken", at, reason: `${parameterOpen}KEY> or ${functionClose} expected` };
    }
    const keyEnd = opens === "yes" ? text.indexOf(">", at) : -1;
    if (keyEnd === -1) return { type: "more" };
    const key = text.slice(at + parameterOpen.length, keyEnd).trim();
    if (values.has(key)) return { type: "broken", at, reason: `the parameter "${key}" stands twice` };
    const found = findValueEnd(text, keyEnd + 1, valueEnd, isOver);
    if (found === undefined || found === "maybe") return { type: "more" };
    values.set(key, withoutOuterBreaks(text.slice(keyEnd + 1, found.end)));
    places.set(key, [keyEnd + 1, found.end]);
    at = found.next;
  }
}

const looseParameter = /<parameter=([^>\s]+)>/g;

/** Parameters whose tags the end of the text left open: each value reaches to the next parameter or to the end. */
function readLoosely(text: string, from: number): Parameters | undefined {
  const body = text.slice(from);
  const opens = [...body.matchAll(looseParameter)];
  if (opens.length === 0 || body.slice(0, opens[0]?.index).trim() !== "") return undefined;
  const values = new Map<string, string>();
  const places = new Map<string, readonly [number, number]>();
  for (const [index, open] of opens.entries()) {
    const start = open.index + open[0].length;
    const end = opens[index + 1]?.index ?? body.length;
    const value = body.slice(start, end).replace(/\s*(?:<\/(?:parameter|function|tool_call)>\s*)*$/, "");
    const key = open[1] ?? "";
    // A key that comes again shows that the text of a value looks like a tag; nothing is certain then.
    if (values.has(key)) return undefined;
    values.set(key, value.trim());
    places.set(key, [from + start, from + end]);
  }
  return { type: "read", values, places, next: text.length, repairs: ["closed-tags"] };
}

function toStep(name: string, { values, places, next, repairs }: Parameters, inputText: string): Step {
  const call: SteppedCall = {
    name,
    input: Object.fromEntries(values),
    inputText: inputText.trim(),
    untyped: true,
    places,
    repairs,
  };
  return { type: "call", call, next };
}
