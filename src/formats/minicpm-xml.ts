// minicpm-xml: <function name="f"><param name="k">v</param>…</function>. MiniCPM5.
// Strings are bare text, in a CDATA block where they hold <, & or a line break; other values are JSON.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createSteppingReader, needsMore, type Step, type StepInput } from "./stepping-reader.ts";
import { taggedArguments } from "./tagged-layout.ts";
import { readTagged, type TagStyle } from "./tagged-values.ts";

// Marks

const tags: TagStyle = {
  name: "minicpm-xml",
  keyOpen: '<param name="',
  keyClose: '">',
  values: [
    { open: "", close: "</param>", only: "^[^<&\\n]*$" },
    { open: "<![CDATA[", close: "]]></param>" },
  ],
  end: "</function>",
};
const opener: Opener = {
  text: '<function name="',
  special: false,
  position: "line-start",
  strength: "certain",
};

/** Calls as XML elements. */
export const minicpmXml: Format = createNamedFormat({
  name: tags.name,
  openers: [opener],
  prompt: {
    instruction:
      "write an XML element with its name and each of its parameters, a value with <, & or a line break inside <![CDATA[ and ]]>",
    several: "Write one such element for each call.",
  },
  names: /^[^\s<>"]+$/,
  frame: {
    first: opener.text,
    between: '">',
    next: `${tags.end}\n${opener.text}`,
    last: tags.end,
  },
  layout: (options) => taggedArguments(tags, options),
  reader: ({ lenient }) => createSteppingReader((input) => step(input, lenient), tags.end),
});

// Parser

function step({ text, at, isOver, calls }: StepInput, lenient: boolean): Step {
  if (calls > 0) return { type: "end", at };
  const nameEnd = text.indexOf('"', at);
  const name = text.slice(at, nameEnd === -1 ? text.length : nameEnd);
  if (/[\s<>]/.test(name)) return { type: "broken", at, reason: "the function's name is not closed" };
  if (nameEnd === -1 || nameEnd + 1 === text.length) return needsMore;
  if (text[nameEnd + 1] !== ">") return { type: "broken", at: nameEnd, reason: '"> expected', name };
  const read = readTagged(text, nameEnd + 2, tags, { isOver, lenient });
  if (read.type === "broken") return { ...read, name };
  if (read.type === "more")
    return isOver ? { type: "broken", at: text.length, reason: "the tags are not closed", name } : needsMore;
  const inputText = text.slice(nameEnd + 2, read.next - tags.end.length);
  const { values, places, next } = read;
  return {
    type: "call",
    call: { name, input: Object.fromEntries(values), inputText, untyped: true, places },
    next,
  };
}
