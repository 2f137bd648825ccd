// Fits a conversation to its window before a request: past reasoning by the profile's policy, then old results and turns
// where room is needed. Says what was cut. Knows neither how a prompt looks nor who asks.
import type { Profile } from "../models/profile.ts";
import type { Message } from "../vocabulary/index.ts";
import { keepReasoning } from "./past-reasoning.ts";
import { type CutPlan, type KeptResult, messageText, planCuts } from "./plan-cuts.ts";
import type { CountTokens } from "./remember-counts.ts";

/** One kind of cut, in words and tokens. */
export interface Cut {
  readonly part: "reasoning" | "results" | "turns" | "tools";
  /** Tokens saved: of results and turns, what the prompt measures less, marks and notes included. */
  readonly tokens: number;
  readonly text: string;
}

export interface FitRequest {
  readonly messages: readonly Message[];
  /** Tokens the whole prompt may take. */
  readonly room: number;
  /** Which past reasoning is kept. */
  readonly history: Profile["reasoning"]["history"];
  /** Tokens of an old result's preview. */
  readonly preview: number;
  /** Tokens above which the newest results are shortened before turns are dropped. */
  readonly resultLimit: number;
  readonly keptResults?: ReadonlyMap<string, KeptResult>;
  /** A message that is never dropped, beside the newest user message: what a run was asked for. */
  readonly pinned?: Message;
  /** Tokens of a text. */
  readonly count: CountTokens;
  /** Tokens of the whole prompt of a conversation, tools included. */
  readonly measure: (messages: readonly Message[]) => Promise<number>;
}

export interface FittedContext {
  readonly messages: readonly Message[];
  readonly cuts: readonly Cut[];
}

/** Times the plan is made with less room, where templates need more than was reckoned with. */
const planAttempts = 4;
/** Messages that a mark is reckoned to stand for: its length must not change the plan of a conversation that goes on. */
const gonePerMark = 100;
const framesMeasured = 6;
const frameStep = 4;

/**
 * The conversation as it is shown to the model. It may still be too long, where what must stay takes more than the room.
 * The same conversation, gone on, is cut in the same places again, unless its template takes more than was reckoned with.
 */
export async function fitContext(request: FitRequest): Promise<FittedContext> {
  const messages = keepReasoning(request.messages, request.history);
  const cuts = await reasoningCuts(request.messages, messages, request.count);
  const whole = await request.measure(messages);
  if (whole <= request.room) return { messages, cuts };
  const { leading, rest } = splitLeading(messages);
  const fixed = await request.measure([...leading, { role: "user", content: "" }]);
  const frame = await frameOf(leading, rest, fixed, request);
  const mark = frame + (await request.count(marker(gonePerMark).content));
  let room = request.room - fixed;
  let plan: CutPlan = { contents: new Map(), dropped: new Set(), used: 0 };
  let tokens = whole;
  for (let attempt = 0; attempt < planAttempts && tokens > request.room && room > 0; attempt++) {
    plan = await planCuts(rest, { keptResults: new Map(), ...request, room, frame, mark });
    tokens = await request.measure([...leading, ...applyPlan(rest, plan)]);
    // What the template took more than was reckoned with has to be cut from what the plan left.
    room = Math.min(room, plan.used) - (tokens - request.room);
  }
  if (tokens >= whole) return { messages, cuts };
  const shortened = await shortenedTokens(leading, rest, plan, { whole, tokens, measure: request.measure });
  return {
    messages: [...leading, ...applyPlan(rest, plan)],
    cuts: [
      ...cuts,
      ...planCutsInWords(rest, plan, { results: whole - shortened, turns: shortened - tokens }),
    ],
  };
}

async function reasoningCuts(
  before: readonly Message[],
  after: readonly Message[],
  count: CountTokens,
): Promise<readonly Cut[]> {
  const dropped = before.map(reasoningOf).filter((text, at) => text !== reasoningOf(after[at]));
  if (dropped.length === 0) return [];
  let tokens = 0;
  for (const text of dropped) tokens += await count(text);
  return [{ part: "reasoning", tokens, text: `the reasoning of ${plural(dropped.length, "past message")}` }];
}

function reasoningOf(message: Message | undefined): string {
  return message?.role === "assistant" ? (message.reasoning ?? "") : "";
}

/** The system text at the beginning always stays as it is. */
function splitLeading(messages: readonly Message[]) {
  const end = messages.findIndex((message) => message.role !== "system");
  const at = end === -1 ? messages.length : end;
  return { leading: messages.slice(0, at), rest: messages.slice(at) };
}

/**
 * Tokens that the template puts around a message, on the average of the first ones: these are the same in every turn, and
 * the plan must not change with what comes later.
 */
async function frameOf(
  leading: readonly Message[],
  rest: readonly Message[],
  fixed: number,
  { count, measure }: FitRequest,
): Promise<number> {
  const first = rest.slice(0, framesMeasured);
  let framed = (await measure([...leading, ...first])) - fixed;
  for (const message of first) framed -= await count(messageText(message));
  return Math.max(1, Math.ceil(framed / Math.max(1, first.length) / frameStep)) * frameStep;
}

function applyPlan(messages: readonly Message[], plan: CutPlan): readonly Message[] {
  const shown: Message[] = [];
  let gone = 0;
  for (const [at, message] of messages.entries()) {
    if (plan.dropped.has(at)) {
      gone += 1;
      continue;
    }
    if (gone > 0) shown.push(marker(gone));
    gone = 0;
    const content = plan.contents.get(at);
    shown.push(content === undefined ? message : { ...message, content });
  }
  return shown;
}

/** Says where messages are missing. A user's message, since every template has a place for one. */
function marker(gone: number): Message {
  return { role: "user", content: `[${plural(gone, "message")} left out here for want of room.]` };
}

/** Tokens of the conversation with its results shortened and no turn dropped, measured only where both was done. */
async function shortenedTokens(
  leading: readonly Message[],
  rest: readonly Message[],
  plan: CutPlan,
  {
    whole,
    tokens,
    measure,
  }: Pick<FitRequest, "measure"> & { readonly whole: number; readonly tokens: number },
): Promise<number> {
  if (plan.dropped.size === 0) return tokens;
  const contents = new Map([...plan.contents].filter(([at]) => !plan.dropped.has(at)));
  if (contents.size === 0) return whole;
  return measure([...leading, ...applyPlan(rest, { ...plan, contents, dropped: new Set() })]);
}

function planCutsInWords(
  messages: readonly Message[],
  plan: CutPlan,
  saved: { readonly results: number; readonly turns: number },
): readonly Cut[] {
  const shortened = [...plan.contents.keys()].filter((at) => !plan.dropped.has(at));
  const cuts: Cut[] = [];
  if (shortened.length > 0) {
    const names = [...new Set(shortened.map((at) => nameOf(messages[at])))].join(", ");
    cuts.push({
      part: "results",
      tokens: saved.results,
      text: `${plural(shortened.length, "result")} shortened (${names})`,
    });
  }
  const gone = plan.dropped.size;
  if (gone > 0)
    cuts.push({ part: "turns", tokens: saved.turns, text: `the oldest ${plural(gone, "message")} left out` });
  return cuts;
}

function nameOf(message: Message | undefined): string {
  return message?.role === "tool" ? message.name : "";
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
