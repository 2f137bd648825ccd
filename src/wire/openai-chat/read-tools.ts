// Chat completions: the tools of a request and which of them may be called; `functions` of older clients as well.
import { isJsonObject, type ToolChoice, type ToolDescription } from "../../vocabulary/index.ts";
import { checkAllowed, hostedToolNotice } from "../common-fields.ts";
import { type Fields, kindOf } from "../read-fields.ts";
import type { Notice } from "../wire-api.ts";

export interface OfferedTools {
  readonly tools: readonly ToolDescription[];
  readonly toolChoice?: ToolChoice;
  /** Names of those that may be called, where these are fewer. */
  readonly callable?: readonly string[];
  readonly notices: readonly Notice[];
}

export function readTools(fields: Fields): OfferedTools {
  const tools: ToolDescription[] = [];
  const isStrict = fields.flag("strict");
  const notices: Notice[] = [];
  for (const tool of fields.items("tools") ?? []) {
    const type = tool.text("type") ?? "function";
    const described = tool.fields("function");
    if (type !== "function") notices.push(hostedToolNotice(type));
    else if (described === undefined) throw tool.fault("function", "a tool needs its function");
    else tools.push(readTool(described, isStrict));
  }
  for (const described of fields.items("functions") ?? []) tools.push(readTool(described, isStrict));
  return { tools, notices, ...readChoice(fields, tools) };
}

/** Strict or not, arguments are always held to the schema; a strict schema has to be one that can be checked as a whole. */
function readTool(described: Fields, ofAll: boolean | undefined): ToolDescription {
  const name = described.text("name");
  if (name === undefined) throw described.fault("name", "a tool needs a name");
  const strict = described.flag("strict") ?? ofAll;
  return {
    name,
    description: described.text("description") ?? "",
    inputSchema: readParameters(described),
    ...(strict === undefined ? {} : { strict }),
  };
}

/** No parameters at all are an object without any (OpenAI's own reading). */
export function readParameters(described: Fields, name = "parameters"): ToolDescription["inputSchema"] {
  const given = described.value(name);
  if (given === undefined) return { type: "object", properties: {} };
  if (isJsonObject(given) || typeof given === "boolean") return given;
  throw described.fault(name, `expected a JSON Schema, came ${kindOf(given)}`);
}

function readChoice(
  fields: Fields,
  tools: readonly ToolDescription[],
): Pick<OfferedTools, "toolChoice" | "callable"> {
  const name = fields.value("tool_choice") === undefined ? "function_call" : "tool_choice";
  const given = fields.value(name);
  if (given === undefined) return {};
  if (typeof given === "string") {
    const choice = fields.oneOf(name, ["auto", "none", "required", "any"] as const);
    if (choice === undefined) return {};
    return { toolChoice: choice === "any" ? "required" : choice };
  }
  const choice = fields.fields(name);
  if (choice === undefined) return {};
  if (name === "function_call") return { toolChoice: { name: nameOf(choice) } };
  switch (choice.oneOf("type", ["function", "allowed_tools"])) {
    case "function":
      return { toolChoice: { name: nameOf(choice.fields("function") ?? choice) } };
    case "allowed_tools":
      return readAllowed(choice.fields("allowed_tools") ?? choice, tools);
    default:
      throw choice.fault("type", "expected function or allowed_tools");
  }
}

/** OpenAI's allowed tools: all are shown, so that the prompt stays the same, and these may be called. */
export function readAllowed(
  allowed: Fields,
  tools: readonly ToolDescription[],
): Pick<OfferedTools, "toolChoice" | "callable"> {
  const names = (allowed.items("tools") ?? [])
    .filter((tool) => (tool.text("type") ?? "function") === "function")
    .map((tool) => nameOf(tool.fields("function") ?? tool));
  return {
    toolChoice: allowed.oneOf("mode", ["auto", "required"]) ?? "auto",
    callable: checkAllowed(names, tools, `${allowed.pointer}/tools`),
  };
}

function nameOf(fields: Fields): string {
  const name = fields.text("name");
  if (name === undefined) throw fields.fault("name", "expected a tool's name");
  return name;
}
