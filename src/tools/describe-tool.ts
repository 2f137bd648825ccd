// What a model is told of a tool: its name, its description in the length that the profile asks for, its input schema.
import { firstSentence, trimSchema } from "../context/shorten-tool.ts";
import type { Profile } from "../models/profile.ts";
import type { ToolDescription } from "../vocabulary/index.ts";
import type { Tool } from "./tool.ts";

/** The description of a tool for a profile's models. */
export function describeTool(
  tool: ToolDescription & Pick<Tool, "shortDescription">,
  profile: Profile,
): ToolDescription {
  // Programs without types may leave it out.
  const { name, inputSchema, shortDescription, description = "" } = tool;
  const strict = tool.strict === undefined ? {} : { strict: tool.strict };
  if (profile.diet.descriptions === "full") return { name, description, inputSchema, ...strict };
  return {
    ...strict,
    name,
    description: shortDescription ?? firstSentence(description),
    inputSchema: trimSchema(inputSchema),
  };
}
