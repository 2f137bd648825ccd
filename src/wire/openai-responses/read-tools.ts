// Responses: the tools of a request, flat as they stand there, and which of them may be called.
import type { ToolDescription } from "../../vocabulary/index.ts";
import { hostedToolNotice } from "../common-fields.ts";
import { type OfferedTools, readAllowed, readParameters } from "../openai-chat/read-tools.ts";
import type { Fields } from "../read-fields.ts";
import type { Notice } from "../wire-api.ts";

export function readTools(fields: Fields): OfferedTools {
  const tools: ToolDescription[] = [];
  const notices: Notice[] = [];
  for (const tool of fields.items("tools") ?? []) {
    const type = tool.text("type") ?? "function";
    if (type === "function") tools.push(readTool(tool));
    else notices.push(hostedToolNotice(type));
  }
  return { tools, notices, ...readChoice(fields, tools) };
}

function readTool(tool: Fields): ToolDescription {
  const name = tool.text("name");
  if (name === undefined) throw tool.fault("name", "a tool needs a name");
  const strict = tool.flag("strict");
  return {
    name,
    description: tool.text("description") ?? "",
    inputSchema: readParameters(tool),
    ...(strict === undefined ? {} : { strict }),
  };
}

function readChoice(
  fields: Fields,
  tools: readonly ToolDescription[],
): Pick<OfferedTools, "toolChoice" | "callable"> {
  const given = fields.value("tool_choice");
  if (given === undefined) return {};
  if (typeof given === "string") {
    const toolChoice = fields.oneOf("tool_choice", ["auto", "none", "required"]);
    return toolChoice === undefined ? {} : { toolChoice };
  }
  const choice = fields.fields("tool_choice");
  switch (choice?.oneOf("type", ["function", "allowed_tools"])) {
    case "function": {
      const name = choice?.text("name");
      if (choice === undefined || name === undefined)
        throw fields.fault("tool_choice", "expected a tool's name");
      return { toolChoice: { name } };
    }
    case "allowed_tools":
      return choice === undefined ? {} : readAllowed(choice, tools);
    default:
      throw fields.fault("tool_choice", "expected function or allowed_tools");
  }
}
