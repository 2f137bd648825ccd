// The tool diet: where a catalogue takes more of the window than it may, only the tools that fit the request are offered.
import type { Message, ToolDescription } from "../vocabulary/index.ts";
import type { Cut } from "./fit-context.ts";
import { rankTools } from "./rank-tools.ts";
import type { CountTokens } from "./remember-counts.ts";

export interface ToolDiet<Tool extends ToolDescription> {
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
  /** What is asked for. */
  readonly request: string;
  /** Tokens that all tools may take before any is hidden. */
  readonly room: number;
  /** Tools offered at most for their fit, once some are hidden. */
  readonly most: number;
  /** Names of tools that are offered in any case. */
  readonly always: readonly string[];
  /** A tool that finds others; offered only where some are hidden. */
  readonly finder?: Tool;
  readonly count: CountTokens;
}

export interface ChosenTools<Tool extends ToolDescription> {
  readonly offered: readonly Tool[];
  readonly cuts: readonly Cut[];
}

/**
 * All tools in their own order where they fit; else those that fit the request best, best first, then the finder, then
 * those that are offered in any case. At least one is always offered. What is offered for the request does not change
 * with what happens after it, so that the prompt's beginning stays the same; new tools come at its end.
 */
export async function chooseTools<Tool extends ToolDescription>(
  diet: ToolDiet<Tool>,
): Promise<ChosenTools<Tool>> {
  const { tools, room, count, finder } = diet;
  const costs = new Map<Tool, number>();
  for (const tool of tools) costs.set(tool, await count(toolText(tool)));
  const costOf = (some: readonly Tool[]) => some.reduce((sum, tool) => sum + (costs.get(tool) ?? 0), 0);
  if (costOf(tools) <= room || tools.length <= 1) return { offered: tools, cuts: [] };
  let left = room - (finder === undefined ? 0 : await count(toolText(finder)));
  const fitting: Tool[] = [];
  const ranked = rankTools(tools, diet.request);
  for (const tool of ranked.tools) {
    if (fitting.length >= diet.most) break;
    const cost = costs.get(tool) ?? 0;
    if (cost > left && fitting.length > 0) continue;
    fitting.push(tool);
    left -= cost;
  }
  const more = alwaysOffered(diet).filter((tool) => !fitting.includes(tool));
  const hidden = tools.filter((tool) => !fitting.includes(tool) && !more.includes(tool));
  if (hidden.length === 0) return { offered: tools, cuts: [] };
  const offered = [...fitting, ...(finder === undefined ? [] : [finder]), ...more];
  const cut = cutOf(hidden, tools.length, costOf(hidden));
  if (ranked.fitting > 0) return { offered, cuts: [cut] };
  const guess = "no tool has a word of the request, so that the first ones are offered";
  return { offered, cuts: [{ ...cut, text: `${cut.text}; ${guess}` }] };
}

/** What a model reads of a tool. */
function toolText({ name, description, inputSchema }: ToolDescription): string {
  return JSON.stringify({ name, description, parameters: inputSchema });
}

/** Tools that were named, and those called for the newest request and the one before it, which may be meant again. */
function alwaysOffered<Tool extends ToolDescription>({ tools, messages, always }: ToolDiet<Tool>): Tool[] {
  const users = [...messages.keys()].filter((at) => messages[at]?.role === "user");
  const called = messages
    .slice(users.at(-2) ?? 0)
    .flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
  const names = new Set([...called.map(({ name }) => name), ...always]);
  return [...names].flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
}

function cutOf(hidden: readonly ToolDescription[], of: number, tokens: number): Cut {
  const names = hidden.map(({ name }) => name).join(", ");
  const each = Math.round(tokens / hidden.length);
  return {
    part: "tools",
    tokens,
    text: `${hidden.length} of ${of} tools not offered, about ${each} tokens each: ${names}`,
  };
}
