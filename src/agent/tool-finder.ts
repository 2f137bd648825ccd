// The tool by which the model asks for tools that the diet hides. What it finds is offered in the turns that follow.

import { rankTools } from "../context/rank-tools.ts";
import { firstSentence } from "../context/shorten-tool.ts";
import { defineTool, type Tool } from "../tools/index.ts";

export interface ToolFinder {
  readonly tool: Tool;
  /** Names of the tools found so far, the first found first. */
  readonly found: readonly string[];
}

/** `catalogue`: all tools as they are now. `most`: tools that one search finds. */
export function createToolFinder(options: {
  readonly name: string;
  readonly catalogue: () => readonly Tool[];
  readonly most: number;
}): ToolFinder {
  const found: string[] = [];
  const tool = defineTool<{ readonly query: string }>({
    name: options.name,
    description: "Find more tools, where none of the others can do what is needed.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "What the tool should do." } },
      required: ["query"],
      additionalProperties: false,
    },
    concurrency: "parallel",
    execute: async ({ query }) => {
      const ranked = rankTools(options.catalogue(), query);
      if (ranked.fitting === 0) return { text: nothingFound(ranked.tools) };
      const tools = ranked.tools.slice(0, Math.min(options.most, ranked.fitting));
      found.push(...tools.map(({ name }) => name).filter((name) => !found.includes(name)));
      const lines = tools.map(({ name, description }) => `${name}: ${firstSentence(description ?? "")}`);
      return { text: `You can call these now:\n${lines.join("\n")}` };
    },
  });
  return { tool, found };
}

/** Names that are listed where no tool has a word of the query. */
const mostNames = 60;

/** A query in another language than the tools' finds nothing; their names show which words would. */
function nothingFound(tools: readonly Tool[]): string {
  const names = tools.slice(0, mostNames).map(({ name }) => name);
  const rest = tools.length > mostNames ? `, and ${tools.length - mostNames} more` : "";
  return `No tool has any of these words. Ask again with words of one of these tools: ${names.join(", ")}${rest}.`;
}
