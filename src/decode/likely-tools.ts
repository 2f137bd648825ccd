// Which tools a call may name: where the request speaks of a tool by its name, only those that fit it best. A small model
// picks wrong names from long lists; the ranking by words does not. The prompt keeps all tools, so nothing of it changes.
import { rankTools, stemsOf } from "../context/rank-tools.ts";
import type { OfferedTool } from "../formats/index.ts";
import type { Message } from "../vocabulary/index.ts";

export interface Narrowing {
  readonly most: number;
  /** Names of tools that a call may name in any case. */
  readonly always: readonly string[];
}

/**
 * All tools, or the `most` best where these are fewer and the best of them shares a word of its name with the newest user
 * message, which has to be the last of all: what a run needs after its first results the request does not say.
 */
export function likelyTools(
  tools: readonly OfferedTool[],
  messages: readonly Message[],
  { most, always }: Narrowing,
): readonly OfferedTool[] {
  const last = messages.at(-1);
  if (last?.role !== "user" || tools.length <= most) return tools;
  const ranked = rankTools(tools, last.content).tools.slice(0, most);
  const [best] = ranked;
  if (best === undefined || nameShare(last.content, [best]) === 0) return tools;
  return tools.filter((tool) => ranked.includes(tool) || always.includes(tool.name));
}

/** The largest share of a tool's name whose words the request holds, 0–1. */
export function nameShare(request: string, tools: readonly Pick<OfferedTool, "name">[]): number {
  const asked = [...new Set(stemsOf(request))];
  const shares = tools.map(({ name }) => {
    const words = [...new Set(stemsOf(name))];
    return (
      words.filter((word) => asked.some((other) => isNear(word, other))).length / Math.max(1, words.length)
    );
  });
  return Math.max(0, ...shares);
}

/** Names cut words short: "contrib" for a contribution. */
function isNear(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= 4 && (a.startsWith(b) || b.startsWith(a)));
}
