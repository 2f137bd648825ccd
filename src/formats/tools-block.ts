// Our own words about tools, for models whose template does not show them. Short, since small models read every word.
import type { JsonObject, ToolDescription } from "../vocabulary/index.ts";

/** The text that tells a model of its tools and of how to call them. The same for every tool choice, so that it stays cached. */
export function toolsBlock(tools: readonly ToolDescription[], howToCall: string): string {
  const lines = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, parameters: parametersOf(inputSchema) }),
  );
  return `You can use these tools:\n${lines.join("\n")}\n\n${howToCall}\nIf no tool fits the request, answer in plain words instead.`;
}

/** The result of a call as a user's turn tells it. */
export function resultText(name: string, content: string, isError: boolean): string {
  return isError ? `The tool ${name} failed:\n${content}` : `The tool ${name} returned:\n${content}`;
}

/** Tools in the shape that chat templates are written for. */
export function templateTools(tools: readonly ToolDescription[]): readonly JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: parametersOf(inputSchema) },
  }));
}

function parametersOf(schema: ToolDescription["inputSchema"]): JsonObject {
  return typeof schema === "boolean" ? { type: "object", properties: {} } : schema;
}
