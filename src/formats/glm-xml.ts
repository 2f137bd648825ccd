// glm-xml: <tool_call>f⏎<arg_key>k</arg_key>⏎<arg_value>v</arg_value>⏎…</tool_call>. The GLM family.
// Strings are bare text, other values JSON.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createSteppingReader, needsMore, type Step, type StepInput, skipSpace } from "./stepping-reader.ts";
import { taggedArguments } from "./tagged-layout.ts";
import { readTagged, type TagStyle } from "./tagged-values.ts";

// Marks

const opener: Opener = { text: "<tool_call>", special: true, position: "anywhere", strength: "certain" };
const tags: TagStyle = {
  name: "glm-xml",
  keyOpen: "<arg_key>",
  keyClose: "</arg_key>",
  between: "\n",
  after: "\n",
  values: [{ open: "<arg_value>", close: "</arg_value>" }],
  end: "</tool_call>",
};

/** Calls with keys and values by turns. */
export const glmXml: Format = createNamedFormat({
  name: tags.name,
  openers: [opener],
  prompt: {
    instruction: "write its name, then each parameter's key and value, between these tags",
    several: "Write one such block for each call.",
  },
  names: /^[^\s<>{}[\]"]+$/,
  frame: { first: opener.text, between: "\n", next: `${tags.end}\n${opener.text}`, last: tags.end },
  layout: (options) => taggedArguments(tags, options),
  reader: ({ lenient }) => createSteppingReader((input) => step(input, lenient), tags.end),
});

// Parser

const nameCharacters = /^[^\s<>{}[\]"]+$/;

function step({ text, at, isOver, calls }: StepInput, lenient: boolean): Step {
  if (calls > 0) return { type: "end", at };
  const start = skipSpace(text, at);
  const length = text.slice(start).search(/[\s<]/);
  const name = length === -1 ? text.slice(start) : text.slice(start, start + length);
  if (name !== "" && !nameCharacters.test(name))
    return { type: "broken", at: start, reason: "a name expected" };
  if (length === -1) return needsMore;
  if (name === "") return { type: "broken", at: start, reason: "a name expected" };
  const from = start + length;
  const read = readTagged(text, from, tags, { isOver, lenient });
  if (read.type === "broken") return { ...read, name };
  if (read.type === "more")
    return isOver ? { type: "broken", at: text.length, reason: "the tags are not closed", name } : needsMore;
  const { values, places, next } = read;
  const inputText = text.slice(from, next - tags.end.length).trim();
  return {
    type: "call",
    call: { name, input: Object.fromEntries(values), inputText, untyped: true, places },
    next,
  };
}
