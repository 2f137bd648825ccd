// What a model is told of a tool: its name, its description in the length that the profile asks for, its input schema.
import type { Profile } from "../models/profile.ts";
import type { ToolDescription } from "../vocabulary/index.ts";
import type { Tool } from "./tool.ts";

/** The description of a tool for a profile's models. */
export function describeTool(
  tool: ToolDescription & Pick<Tool, "shortDescription">,
  profile: Profile,
): ToolDescription {
  const short = profile.diet.descriptions === "full" ? undefined : tool.shortDescription;
  return {
    name: tool.name,
    // Programs without types may leave it out.
    description: short ?? tool.description ?? "",
    inputSchema: tool.inputSchema,
  };
}
