// Messages: the tools of a request and which of them may be called.
import { isJsonObject, type ToolChoice, type ToolDescription } from "../../vocabulary/index.ts";
import { hostedToolNotice } from "../common-fields.ts";
import { type Fields, kindOf } from "../read-fields.ts";
import type { Notice } from "../wire-api.ts";

export interface OfferedTools {
  readonly tools: readonly ToolDescription[];
  readonly toolChoice?: ToolChoice;
  readonly parallel?: boolean;
  readonly notices: readonly Notice[];
}

export function readTools(fields: Fields): OfferedTools {
  const tools: ToolDescription[] = [];
  const notices: Notice[] = [];
  for (const tool of fields.items("tools") ?? []) {
    const type = tool.text("type") ?? "custom";
    if (type === "custom") tools.push(readTool(tool));
    else notices.push(hostedToolNotice(type));
  }
  return { tools, notices, ...readChoice(fields) };
}

function readTool(tool: Fields): ToolDescription {
  const name = tool.text("name");
  if (name === undefined) throw tool.fault("name", "a tool needs a name");
  const inputSchema = tool.value("input_schema") ?? { type: "object", properties: {} };
  if (!isJsonObject(inputSchema) && typeof inputSchema !== "boolean") {
    throw tool.fault("input_schema", `expected a JSON Schema, came ${kindOf(inputSchema)}`);
  }
  const strict = tool.flag("strict");
  return {
    name,
    description: tool.text("description") ?? "",
    inputSchema,
    ...(strict === undefined ? {} : { strict }),
  };
}

function readChoice(fields: Fields): Pick<OfferedTools, "toolChoice" | "parallel"> {
  const choice = fields.fields("tool_choice");
  if (choice === undefined) return {};
  const parallel = choice.flag("disable_parallel_tool_use") === true ? { parallel: false } : {};
  switch (choice.oneOf("type", ["auto", "any", "tool", "none"])) {
    case "auto":
      return { toolChoice: "auto", ...parallel };
    case "any":
      return { toolChoice: "required", ...parallel };
    case "none":
      return { toolChoice: "none" };
    case "tool": {
      const name = choice.text("name");
      if (name === undefined) throw choice.fault("name", "expected a tool's name");
      return { toolChoice: { name } };
    }
    default:
      throw choice.fault("type", "expected auto, any, tool or none");
  }
}
