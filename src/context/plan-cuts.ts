// Which old results and turns go so that a conversation fits. Works on counts; renders nothing and asks nobody.
//
// The plan is made by going through the conversation from its first request to the present one, each adding to what the
// one before had cut. So a conversation that goes on is cut as it was, wherever it comes from, and what was evaluated of
// it stays good up to the first new cut.
import type { Message, ToolMessage } from "../vocabulary/index.ts";
import type { CountTokens } from "./remember-counts.ts";
import { shortenText } from "./shorten-text.ts";

export interface KeptResult {
  /** Characters of the whole text. */
  readonly characters: number;
  /** What the model can do to read it. */
  readonly advice: string;
}

export interface CutOptions {
  /** Tokens that all messages behind the leading system text may take. */
  readonly room: number;
  /** Tokens that the template puts around a message. */
  readonly frame: number;
  /** Tokens of an old result's preview. */
  readonly preview: number;
  /** Tokens above which the newest results are shortened before turns are dropped. */
  readonly resultLimit: number;
  readonly count: CountTokens;
  /** Results of which somebody keeps the whole text, by call id. */
  readonly keptResults: ReadonlyMap<string, KeptResult>;
  /** A message that is never dropped, beside the newest user message. */
  readonly pinned?: Message;
}

export interface CutPlan {
  /** New contents of tool messages, by index. */
  readonly contents: ReadonlyMap<number, string>;
  /** Indexes of messages that are left out. */
  readonly dropped: ReadonlySet<number>;
  /** Tokens of each message as it came, and as it is after the cuts. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Once something has to go, this share of the room may go beyond need, so that the next turn need not cut again. */
const slackShare = 0.1;

/**
 * Cuts, in this order and each time the oldest first: results that came again later, old results to previews, the newest
 * results to their limit, whole turns, the newest results to what is left. System text, the newest user message and
 * calls that the newest results answer always stay, so that the plan may still be over the room.
 */
export async function planCuts(messages: readonly Message[], options: CutOptions): Promise<CutPlan> {
  const texts = messages.map(messageText);
  const before: number[] = [];
  for (const [at, message] of messages.entries()) {
    // Marks stand around a message and around each of its calls.
    const frames = 1 + (message.role === "assistant" ? (message.calls ?? []).length : 0);
    before.push((await options.count(texts[at] ?? "")) + frames * options.frame);
  }
  const state: PlanState = {
    messages,
    texts,
    options,
    after: [...before],
    contents: new Map(),
    dropped: new Set(),
    used: 0,
  };
  for (let end = 1; end <= messages.length; end++) {
    // A request was made wherever an assistant's message follows, and is made now.
    if (end === messages.length || messages[end]?.role === "assistant") await fitRequest(state, end);
  }
  return { contents: state.contents, dropped: state.dropped, before, after: state.after };
}

interface PlanState {
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly options: CutOptions;
  readonly after: number[];
  readonly contents: Map<number, string>;
  readonly dropped: Set<number>;
  /** Tokens of the request that is being fitted. */
  used: number;
}

/** All that a message says, as it is counted. */
export function messageText(message: Message): string {
  if (message.role !== "assistant") return message.content;
  const { content, reasoning = "", calls = [] } = message;
  const written = calls.map(({ name, input }) => JSON.stringify({ name, arguments: input }));
  return [reasoning, content, ...written].join("\n");
}

/** Adds the cuts that the request of the first `end` messages needs. */
async function fitRequest(state: PlanState, end: number): Promise<void> {
  const { preview, resultLimit } = state.options;
  state.used = state.after.slice(0, end).reduce((sum, tokens) => sum + tokens, 0);
  if (fits(state)) return;
  const messages = state.messages.slice(0, end);
  const newest = newestRound(messages);
  const results = indexesOf(state, messages, ({ role }) => role === "tool");
  const old = results.filter((at) => at < newest);
  const fresh = results.filter((at) => at >= newest);
  await shortenOldest(
    state,
    old.filter((at) => comesAgain(state, at, results)),
    async () => repeatedNote,
  );
  await shortenOldest(state, old, (at, text) => shortenTo(state, at, text, preview));
  for (const at of fresh) await shortenFresh(state, at, resultLimit);
  dropOldest(state, turnsOf(state, messages, newest));
  const largestFirst = fresh.sort((a, b) => (state.after[b] ?? 0) - (state.after[a] ?? 0));
  for (const at of largestFirst) await shortenFresh(state, at, preview);
}

function indexesOf(
  state: PlanState,
  messages: readonly Message[],
  accept: (message: Message) => boolean,
): number[] {
  return [...messages.entries()].flatMap(([at, message]) =>
    !state.dropped.has(at) && accept(message) ? [at] : [],
  );
}

/** Where the last assistant's message stands if it made calls, whose results then are new; else the end. */
function newestRound(messages: readonly Message[]): number {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[at];
  return last?.role === "assistant" && (last.calls ?? []).length > 0 ? at : messages.length;
}

const repeatedNote = "[The same call gave the same text again further down.]";

/** Whether a later call with the same arguments gave the same text. */
function comesAgain({ messages, texts }: PlanState, at: number, results: readonly number[]): boolean {
  const twins = results.filter((later) => later > at && texts[later] === texts[at]);
  return twins.length > 0 && twins.some((later) => callText(messages, later) === callText(messages, at));
}

function callText(messages: readonly Message[], at: number): string {
  const { callId, name } = messages[at] as ToolMessage;
  const earlier = messages.slice(0, at).reverse();
  const calls = earlier.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
  return JSON.stringify([name, calls.find(({ id }) => id === callId)?.input]);
}

async function shortenOldest(
  state: PlanState,
  results: readonly number[],
  shorten: (at: number, text: string) => Promise<string>,
): Promise<void> {
  if (fits(state)) return;
  for (const at of results) {
    if (hasSlack(state)) return;
    if ((state.after[at] ?? 0) <= state.options.preview + state.options.frame) continue;
    const text = await shorten(at, state.texts[at] ?? "");
    const tokens = (await state.options.count(text)) + state.options.frame;
    const saved = (state.after[at] ?? 0) - tokens;
    if (saved <= 0) continue;
    if (goesTooFar(state, saved)) return;
    replaceContent(state, at, text, tokens);
  }
}

/** Shortens a newest result by what is over, but not below the given number of tokens. */
async function shortenFresh(state: PlanState, at: number, least: number): Promise<void> {
  const excess = state.used - state.options.room;
  const tokens = (state.after[at] ?? 0) - state.options.frame;
  if (excess <= 0 || tokens <= least) return;
  const text = await shortenTo(state, at, state.texts[at] ?? "", Math.max(least, tokens - excess));
  replaceContent(state, at, text, (await state.options.count(text)) + state.options.frame);
}

function shortenTo(state: PlanState, at: number, text: string, tokens: number): Promise<string> {
  const { callId } = state.messages[at] as ToolMessage;
  const { count, keptResults } = state.options;
  return shortenText(text, { count, tokens, ...keptResults.get(callId) });
}

function replaceContent(state: PlanState, at: number, text: string, tokens: number): void {
  state.contents.set(at, text);
  state.used -= (state.after[at] ?? 0) - tokens;
  state.after[at] = tokens;
}

/** What may be dropped at once, oldest first: an assistant's message with its results, and the user's before it. */
function turnsOf(
  state: PlanState,
  messages: readonly Message[],
  newest: number,
): readonly (readonly number[])[] {
  const newestUser = messages.findLastIndex(({ role }) => role === "user");
  const turns: number[][] = [];
  for (const at of indexesOf(state, messages.slice(0, newest), ({ role }) => role !== "system")) {
    if (at === newestUser || messages[at] === state.options.pinned) continue;
    const turn = turns.at(-1);
    const role = messages[at]?.role;
    const isAnswered = turn?.some((index) => messages[index]?.role === "assistant") ?? false;
    if (turn !== undefined && (role === "tool" || (role === "assistant" && !isAnswered))) turn.push(at);
    else turns.push([at]);
  }
  return turns;
}

function dropOldest(state: PlanState, turns: readonly (readonly number[])[]): void {
  if (fits(state)) return;
  for (const turn of turns) {
    const saved = turn.reduce((sum, at) => sum + (state.after[at] ?? 0), 0);
    if (hasSlack(state) || goesTooFar(state, saved)) return;
    for (const at of turn) {
      state.dropped.add(at);
      state.after[at] = 0;
    }
    state.used -= saved;
  }
}

function fits({ used, options }: PlanState): boolean {
  return used <= options.room;
}

function hasSlack({ used, options }: PlanState): boolean {
  return used <= options.room * (1 - slackShare);
}

/** Whether a cut that is not needed would take more than the slack. */
function goesTooFar(state: PlanState, saved: number): boolean {
  return fits(state) && state.used - saved < state.options.room * (1 - slackShare);
}
