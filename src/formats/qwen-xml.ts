// qwen-xml: <tool_call>⏎<function=f>⏎<parameter=k>⏎v⏎</parameter>⏎…</function>⏎</tool_call>.
// Qwen3-Coder, Qwen3.5 and later, Nemotron 3. Strings are bare text, other values JSON.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";
import { taggedArguments } from "./tagged-layout.ts";
import { readTagged, type TaggedArguments, type TagStyle } from "./tagged-values.ts";

// Marks

const closer = "</tool_call>";
const functionOpen = "<function=";
const tags: TagStyle = {
  name: "qwen-xml",
  keyOpen: "<parameter=",
  keyClose: ">",
  after: "\n",
  values: [{ open: "\n", close: "\n</parameter>" }],
  end: "</function>",
};
const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };
// Models leave the outer tag away now and then.
const bareOpener: Opener = {
  text: functionOpen,
  special: false,
  position: "line-start",
  strength: "certain",
};

/** Calls and arguments between tags. A lenient reader closes tags that the end of the text left open. */
export const qwenXml: Format = createNamedFormat({
  name: tags.name,
  openers: [opener, bareOpener],
  prompt: {
    instruction: "write its name and each of its parameters between these tags",
    several: "Write one such block for each call.",
  },
  names: /^[^\s<>]+$/,
  frame: {
    first: `${opener.text}\n${functionOpen}`,
    between: ">\n",
    next: `${tags.end}\n${closer}\n${opener.text}\n${functionOpen}`,
    last: `${tags.end}\n${closer}`,
  },
  layout: (options) => taggedArguments(tags, options),
  root: ({ opener: { text }, parallel }) => {
    if (text === functionOpen) return parallel ? "bare-several" : "bare-one";
    return parallel ? "several" : "one";
  },
  reader: ({ opener: { text }, lenient }) => {
    const isBare = text === functionOpen;
    return createSteppingReader((input) => step(input, isBare, lenient), isBare ? tags.end : closer);
  },
});

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
  const strict = readTagged(text, nameEnd + 1, tags, { isOver, lenient });
  if (strict.type === "read") return toStep(name, strict, text.slice(nameEnd + 1, strict.next));
  if (strict.type === "more" && !isOver) return needsMore;
  const loose = lenient && isOver ? readLoosely(text, nameEnd + 1) : undefined;
  if (loose !== undefined) return toStep(name, loose, text.slice(nameEnd + 1), ["closed-tags"]);
  if (strict.type === "more")
    return { type: "broken", at: text.length, reason: "the tags are not closed", name };
  return { type: "broken", at: strict.at, reason: strict.reason, name };
}

const looseParameter = /<parameter=([^>\s]+)>/g;

/** Parameters whose tags the end of the text left open: each value reaches to the next parameter or to the end. */
function readLoosely(text: string, from: number): TaggedArguments | undefined {
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
  return { type: "read", values, places, next: text.length };
}

function toStep(
  name: string,
  { values, places, next }: TaggedArguments,
  inputText: string,
  repairs: readonly string[] = [],
): Step {
  const input = Object.fromEntries(values);
  return {
    type: "call",
    call: { name, input, inputText: inputText.trim(), untyped: true, places, repairs },
    next,
  };
}
