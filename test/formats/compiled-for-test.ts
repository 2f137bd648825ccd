// Two small tools, compiled as a format lays its arguments out.

import type { OfferedTool } from "../../src/formats/index.ts";
import { compileSchema, type Layout } from "../../src/schema-grammar/index.ts";

/** A tool `note` with a text and a whole number. */
export function noteTool(layout: Layout, name = "note"): OfferedTool {
  const properties = { text: { type: "string" }, n: { type: "integer" } };
  const inputSchema = {
    type: "object",
    properties,
    required: ["text", "n"],
    additionalProperties: false,
  };
  return {
    name,
    description: "Writes a note down.",
    inputSchema,
    compiled: compileSchema(inputSchema, { layout }),
  };
}

/** A tool without parameters. */
export function pingTool(layout: Layout): OfferedTool {
  const inputSchema = { type: "object", properties: {}, additionalProperties: false };
  return {
    name: "ping",
    description: "Says that it is there.",
    inputSchema,
    compiled: compileSchema(inputSchema, { layout }),
  };
}
