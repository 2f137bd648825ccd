// The tools of a run from all their sources, and for each of them whether it is offered and what decides so.
import { hidingRule, type PermissionRule, type Tool, writeRule } from "../tools/index.ts";
import type { Agent } from "./agents.ts";

/** Where tools come from; a function is asked each time, since servers change theirs. */
export interface ToolSource {
  readonly name: string;
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
}

export interface CatalogueEntry {
  readonly tool: Tool;
  readonly source: string;
  readonly isOffered: boolean;
  /** In words: by which rule. */
  readonly reason: string;
}

export interface CatalogueOptions {
  /** In order: of tools of the same name the first source's is taken. */
  readonly sources: readonly ToolSource[];
  readonly agent?: Agent;
  /** As the gate has them, the defaults included. */
  readonly rules: readonly PermissionRule[];
}

/** All tools: sources in their order, the tools of each in the order of their names unless they are built in. */
export function listCatalogue({ sources, agent, rules }: CatalogueOptions): readonly CatalogueEntry[] {
  const taken = new Map<string, string>();
  return sources.flatMap(({ name: source, tools }, at) => {
    const listed = typeof tools === "function" ? tools() : tools;
    // The same order in every turn keeps the prompt's beginning the same.
    const ordered = at === 0 ? listed : [...listed].sort((a, b) => (a.name < b.name ? -1 : 1));
    return ordered.map((tool) => {
      const owner = taken.get(tool.name);
      if (owner === undefined) taken.set(tool.name, source);
      return { tool, source, ...judge(tool, { owner, agent, rules }) };
    });
  });
}

/** The tools that are offered. */
export function offeredTools(options: CatalogueOptions): readonly Tool[] {
  return listCatalogue(options).flatMap(({ tool, isOffered }) => (isOffered ? [tool] : []));
}

function judge(
  tool: Tool,
  options: {
    readonly owner: string | undefined;
    readonly agent: Agent | undefined;
    readonly rules: readonly PermissionRule[];
  },
): Pick<CatalogueEntry, "isOffered" | "reason"> {
  const { owner, agent, rules } = options;
  if (owner !== undefined) return { isOffered: false, reason: `its name is taken by a tool of ${owner}` };
  if (agent?.tools !== undefined && !agent.tools.includes(tool.name)) {
    return { isOffered: false, reason: `the agent "${agent.name}" does not have it` };
  }
  const hiding = hidingRule(rules, tool);
  if (hiding !== undefined) return { isOffered: false, reason: `the rule "${writeRule(hiding)}"` };
  const asks = tool.permissions ?? [];
  return { isOffered: true, reason: asks.length === 0 ? "asks for nothing" : `asks for ${asks.join(", ")}` };
}
