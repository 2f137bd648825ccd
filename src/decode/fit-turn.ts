// What of a request a turn shows the model: which tools, which history, and what was cut for the window's sake.
// How to cut, `context/` knows; this file says how much room there is.
import { chooseTools } from "../context/choose-tools.ts";
import { type Cut, fitContext } from "../context/fit-context.ts";
import type { KeptResult } from "../context/plan-cuts.ts";
import { type CountTokens, rememberCounts } from "../context/remember-counts.ts";
import { type TokenBudget, tokenBudget } from "../context/token-budget.ts";
import type { OfferedTool, PromptPart } from "../formats/index.ts";
import type { Model } from "../models/model.ts";
import type { CompileOptions } from "../schema-grammar/index.ts";
import type { Message, ToolDescription } from "../vocabulary/index.ts";
import { compileTools } from "./compile-tools.ts";
import { keepToolOrder } from "./tool-order.ts";
import type { DecodeContext, TurnRequest } from "./turn-request.ts";

export interface TurnToFit {
  readonly request: TurnRequest;
  /** All tools that may be offered. */
  readonly tools: readonly OfferedTool[];
  readonly compile: CompileOptions;
  readonly render: (messages: readonly Message[], tools: readonly ToolDescription[]) => readonly PromptPart[];
}

export interface FittedTurn {
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  readonly prompt: readonly PromptPart[];
  readonly budget: TokenBudget;
  readonly cuts: readonly Cut[];
}

/** Tokens below which no reply can hold a call. */
const leastReply = 32;
/** Largest share of the window that is kept for the reply. */
const replyShare = 0.25;

/** Throws `CallwrightError` `context-overflow` where what must stay does not fit. */
export async function fitTurn(context: DecodeContext, turn: TurnToFit): Promise<FittedTurn> {
  const { model, profile } = context;
  const { request } = turn;
  const wantedReply = request.maxTokens ?? profile.context.reserve;
  const room =
    model.info.contextSize - 1 - Math.min(wantedReply, Math.floor(model.info.contextSize * replyShare));
  const isWhole = request.context === "whole";
  const chosen = isWhole ? { tools: turn.tools, cuts: [] } : await chooseOffered(context, turn, room);
  let fitted = await fitMessages(context, turn, { tools: chosen.tools, room });
  let tools = chosen.tools;
  const reader = request.run?.reader;
  if (reader !== undefined && tools.length > 0 && showsCutResult(fitted.messages, request.run?.keptResults)) {
    tools = [...tools, ...compileTools([reader], { compile: turn.compile, onBadTool: "refuse" }).tools];
    fitted = await fitMessages(context, turn, { tools, room });
  }
  const { messages, render } = fitted;
  const prompt = render(messages);
  const budget = await tokenBudget({
    messages,
    tools,
    prompt,
    contextSize: model.info.contextSize,
    ...(model.info.trainedContextSize === undefined ? {} : { largestContext: model.info.trainedContextSize }),
    reserve: Math.min(leastReply, request.maxTokens ?? leastReply),
    render: turn.render,
    count: (parts) => model.countTokens(parts),
  });
  return { messages, tools, prompt, budget, cuts: [...chosen.cuts, ...fitted.cuts] };
}

const counters = new WeakMap<Model, CountTokens>();

function counterOf(model: Model): CountTokens {
  const known = counters.get(model);
  if (known !== undefined) return known;
  const counter = rememberCounts((text) => model.countTokens([{ text, special: false }]));
  counters.set(model, counter);
  return counter;
}

async function chooseOffered(
  { model, profile }: DecodeContext,
  { request, tools, compile }: TurnToFit,
  room: number,
): Promise<{ readonly tools: readonly OfferedTool[]; readonly cuts: readonly Cut[] }> {
  const { messages, toolChoice, run } = request;
  const count = counterOf(model);
  const asked = run?.request ?? messages.findLast(({ role }) => role === "user");
  const pinned = [
    ...messages.filter(({ role }) => role === "system"),
    ...(asked === undefined ? [] : [asked]),
  ];
  let left = room;
  for (const message of pinned) left -= await count(message.content);
  const named = typeof toolChoice === "object" ? [toolChoice.name] : [];
  const [finder] =
    run?.finder === undefined ? [] : compileTools([run.finder], { compile, onBadTool: "refuse" }).tools;
  const { offered, cuts } = await chooseTools({
    tools: keepToolOrder(model, tools),
    messages,
    request: asked?.content ?? "",
    room: Math.min(Math.floor(model.info.contextSize * profile.diet.share), left),
    most: profile.diet.tools,
    always: [...named, ...(request.callable ?? []), ...(run?.foundTools ?? [])],
    ...(finder === undefined ? {} : { finder }),
    count,
  });
  return { tools: offered, cuts };
}

async function fitMessages(
  { model, profile }: DecodeContext,
  { request, render }: TurnToFit,
  { tools, room }: { readonly tools: readonly OfferedTool[]; readonly room: number },
) {
  const rendered = new WeakMap<readonly Message[], readonly PromptPart[]>();
  const renderOnce = (messages: readonly Message[]) => {
    const parts = rendered.get(messages) ?? render(messages, tools);
    rendered.set(messages, parts);
    return parts;
  };
  if (request.context === "whole") return { messages: request.messages, cuts: [], render: renderOnce };
  const { keptResults, request: pinned } = request.run ?? {};
  const fitted = await fitContext({
    messages: request.messages,
    room,
    history: profile.reasoning.history,
    preview: profile.context.preview,
    resultLimit: Math.floor(model.info.contextSize * profile.context.resultShare),
    ...(keptResults === undefined ? {} : { keptResults }),
    ...(pinned === undefined ? {} : { pinned }),
    count: counterOf(model),
    measure: (messages) => model.countTokens(renderOnce(messages)),
  });
  return { ...fitted, render: renderOnce };
}

/** Whether a result is shown shorter than somebody keeps it. */
function showsCutResult(
  messages: readonly Message[],
  kept: ReadonlyMap<string, KeptResult> = new Map(),
): boolean {
  return messages.some((message) => {
    if (message.role !== "tool") return false;
    const whole = kept.get(message.callId);
    return whole !== undefined && whole.characters !== message.content.length;
  });
}
