// The window by part: how many tokens system text, tools and history take, and what is left for the reply.
// Counts by rendering the prompt with and without a part; knows nothing of how a prompt looks.
import type { PromptPart } from "../formats/index.ts";
import { CallwrightError, type Message, type ToolDescription } from "../vocabulary/index.ts";

export interface TokenBudget {
  readonly system: number;
  readonly tools: number;
  readonly history: number;
  /** Tokens that are left for the reply. */
  readonly reply: number;
}

export interface BudgetRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly prompt: readonly PromptPart[];
  readonly contextSize: number;
  /** Tokens that the window could have at most; absent where that is not known. */
  readonly largestContext?: number;
  /** Least number of tokens that the reply must have. */
  readonly reserve: number;
  readonly render: (messages: readonly Message[], tools: readonly ToolDescription[]) => readonly PromptPart[];
  readonly count: (parts: readonly PromptPart[]) => Promise<number>;
}

/** Throws `CallwrightError` `context-overflow`, which says which part takes how many tokens and what to do. */
export async function tokenBudget(request: BudgetRequest): Promise<TokenBudget> {
  const { messages, tools, contextSize } = request;
  const total = await request.count(request.prompt);
  const withoutTools = tools.length > 0 ? await request.count(request.render(messages, [])) : total;
  const instructions = messages.filter((message) => message.role === "system");
  // Some templates cannot render a conversation without a user's message, so it is counted with an empty one.
  const system = await request.count(request.render([...instructions, { role: "user", content: "" }], []));
  const budget: TokenBudget = {
    system,
    tools: total - withoutTools,
    history: Math.max(0, withoutTools - system),
    reply: Math.max(0, contextSize - 1 - total),
  };
  if (budget.reply >= request.reserve) return budget;
  throw new CallwrightError("context-overflow", describeOverflow(budget, { total, ...request }), {
    details: { needed: total + request.reserve, available: contextSize, parts: budget },
  });
}

function describeOverflow(
  budget: TokenBudget,
  request: Pick<BudgetRequest, "contextSize" | "largestContext" | "reserve"> & { readonly total: number },
): string {
  const parts: [string, number, string][] = [
    ["system text", budget.system, "shorten the system text"],
    ["tools", budget.tools, "offer fewer or shorter tools"],
    ["conversation", budget.history, "shorten the conversation"],
  ];
  const largest = parts.reduce((most, part) => (part[1] > most[1] ? part : most));
  const listed = parts.map(([name, tokens]) => `${name} ${tokens}`).join(", ");
  return (
    `The prompt has ${request.total} tokens (${listed}) and the reply needs at least ${request.reserve}, ` +
    `but the window holds ${request.contextSize}${windowAdvice(request)} ${largest[2]}.`
  );
}

/** A larger window is advised only where the model has been trained for one. */
function windowAdvice({
  contextSize,
  largestContext = Infinity,
}: Pick<BudgetRequest, "contextSize" | "largestContext">): string {
  if (contextSize < largestContext) return ". Give a larger window (--ctx), or";
  return ", which is all that the model was trained for: ask a model with a larger window, or";
}
