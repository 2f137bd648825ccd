// Hand-written grammars in place of compiled schemas, so that the formats are judged apart from the schema compiler.

import type { OfferedTool } from "../../src/formats/index.ts";
import { parseGbnf } from "../../src/gbnf-builder/index.ts";
import type { Spacing } from "../../src/schema-grammar/index.ts";

/** A tool `note` with a text and a whole number, its arguments laid out as asked. */
export function noteTool(spacing: Spacing, name = "note"): OfferedTool {
  const { open, comma, colon, close } = layout(spacing);
  const text = [
    `root ::= "{${open}\\"text\\"${colon}" string "${comma}\\"n\\"${colon}" number "${close}}"`,
    'string ::= "\\"" ([^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\bfnrt] | "u" [0-9a-f] [0-9a-f] [0-9a-f] [0-9a-f]))* "\\""',
    'number ::= "-"? ("0" | [1-9] [0-9]*)',
  ].join("\n");
  const properties = { text: { type: "string" }, n: { type: "integer" } };
  return {
    name,
    description: "Writes a note down.",
    inputSchema: { type: "object", properties, required: ["text", "n"], additionalProperties: false },
    compiled: {
      grammar: parseGbnf(text),
      satisfiable: true,
      exact: true,
      residual: [],
      warnings: [],
      caps: [],
    },
  };
}

/** A tool without parameters. */
export const pingTool: OfferedTool = {
  name: "ping",
  description: "Says that it is there.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  compiled: {
    grammar: parseGbnf('root ::= "{}"'),
    satisfiable: true,
    exact: true,
    residual: [],
    warnings: [],
    caps: [],
  },
};

function layout(spacing: Spacing): { open: string; comma: string; colon: string; close: string } {
  if (spacing === "compact") return { open: "", comma: ",", colon: ":", close: "" };
  if (spacing === "spaced") return { open: "", comma: ", ", colon: ": ", close: "" };
  const outer = `\\n${" ".repeat(spacing.indent * spacing.level)}`;
  const inner = `\\n${" ".repeat(spacing.indent * (spacing.level + 1))}`;
  return { open: inner, comma: `,${inner}`, colon: ": ", close: outer };
}
