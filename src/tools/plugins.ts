// Plugins: what others hang into tools and prompts. Knows nothing of where plugins come from.
import { checkCall } from "../decode/check-call.ts";
import { isJsonObject, type JsonObject } from "../vocabulary/index.ts";
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from "./tool.ts";

/** The call that a hook is told of. */
export interface HookedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
}

/** Every hook is optional. One that throws `ToolFailure` fails the call; one that throws anything else crashes it. */
export interface Plugin {
  readonly name: string;
  readonly tools?: readonly Tool[];
  /** What the model is told of a tool; undefined takes the tool away. */
  definition?(tool: Tool): Pick<Tool, "description" | "shortDescription"> | undefined;
  /** Before a call runs, and before its permission is asked. An object takes the place of its arguments. */
  before?(call: HookedCall): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** After a call completed. A result takes the place of its own. */
  after?(call: HookedCall, result: ToolResult): ToolResult | undefined | Promise<ToolResult | undefined>;
  /** The text that the model reads of a completed call. */
  results?(call: HookedCall, text: string): string;
  /** The instructions of a run. */
  prompt?(system: string): string;
}

/** The tools with all plugins' hooks around them, in the order of the plugins. */
export function hookTools(tools: readonly Tool[], plugins: readonly Plugin[]): readonly Tool[] {
  return plugins.reduce((hooked, plugin) => hooked.flatMap((tool) => hookTool(tool, plugin)), tools);
}

/** A run's instructions as the plugins have them. */
export function hookPrompt(system: string, plugins: readonly Plugin[]): string {
  return plugins.reduce((text, plugin) => plugin.prompt?.(text) ?? text, system);
}

function hookTool(tool: Tool, plugin: Plugin): readonly Tool[] {
  const told = plugin.definition === undefined ? tool : plugin.definition(tool);
  if (told === undefined) return [];
  const { description = tool.description, shortDescription = tool.shortDescription } = told;
  const { execute } = tool;
  return [
    {
      ...tool,
      description,
      ...(shortDescription === undefined ? {} : { shortDescription }),
      ...(execute === undefined
        ? {}
        : { execute: (input: JsonObject, context: ToolContext) => run(tool, input, context, plugin) }),
    },
  ];
}

async function run(tool: Tool, given: JsonObject, context: ToolContext, plugin: Plugin): Promise<ToolResult> {
  const call = { callId: context.callId, tool: tool.name };
  const input = (await plugin.before?.({ ...call, input: given })) ?? given;
  if (input !== given) checkInput(tool, input, plugin);
  const own = await tool.execute?.(input, context);
  if (own === undefined) throw new TypeError("The tool returned nothing.");
  const result = (await plugin.after?.({ ...call, input }, own)) ?? own;
  const { text } = result;
  if (plugin.results === undefined || text === undefined) return result;
  return { ...result, text: plugin.results({ ...call, input }, text) };
}

/** A plugin's arguments are checked like a model's. */
function checkInput(tool: Tool, input: unknown, plugin: Plugin): void {
  const faults = isJsonObject(input) ? checkCall({ name: tool.name, input }, [tool]) : undefined;
  if (faults?.length === 0) return;
  const [fault] = faults ?? [];
  const reason =
    fault === undefined ? "no object" : `${fault.pointer}: expected ${fault.expected}, came ${fault.came}`;
  throw new ToolFailure(
    `The plugin "${plugin.name}" changed the arguments to what "${tool.name}" does not take (${reason}).`,
  );
}
