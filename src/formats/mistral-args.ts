// mistral-args: each call as [TOOL_CALLS]NAME[ARGS] and its arguments as JSON. Ministral 3, Devstral, Mistral Small 3.2, which
// puts an id between the two.
import type { Format, Opener } from "./format.ts";
import { createNamedFormat } from "./named-format.ts";
import { createNamedReader, type Head } from "./named-section.ts";
import { skipSpace, standsAt } from "./stepping-reader.ts";

// Marks

const argumentsMark = "[ARGS]";
const idMark = "[CALL_ID]";
const opener: Opener = { text: "[TOOL_CALLS]", special: true, position: "anywhere", strength: "certain" };

/** Calls as a name and JSON arguments between marks. */
export const mistralArgs: Format = createNamedFormat({
  name: "mistral-args",
  openers: [opener],
  prompt: {
    instruction: "answer with its name and its arguments as JSON between these marks",
    several: "For several calls, write one behind the other.",
  },
  names: /^[^\s[]+$/,
  frame: { first: opener.text, between: argumentsMark, next: opener.text, last: "" },
  reader: ({ lenient }) => createNamedReader({ lenient, head: readHead, tail: [] }),
});

// Parser

function readHead(text: string): Head {
  const start = skipSpace(text, 0);
  const nameEnd = start + text.slice(start).search(/[\s[]/);
  if (nameEnd < start) return { type: "more" };
  const name = text.slice(start, nameEnd);
  const hasId = standsAt(idMark, text, nameEnd);
  const id = hasId === "yes" ? (/^[A-Za-z0-9]*/.exec(text.slice(nameEnd + idMark.length))?.[0] ?? "") : "";
  const at = hasId === "yes" ? nameEnd + idMark.length + id.length : nameEnd;
  const stands = standsAt(argumentsMark, text, at);
  if (name !== "" && stands === "yes") return { type: "head", name, length: at + argumentsMark.length };
  if (name !== "" && (stands === "maybe" || hasId === "maybe")) return { type: "more" };
  return { type: "broken", at: start, reason: `NAME${argumentsMark} expected` };
}
