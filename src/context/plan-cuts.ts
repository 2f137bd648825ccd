// Which old results and turns go so that a conversation fits. Works on counts; renders nothing and asks nobody.
//
// The plan is made by going through the conversation from its first request to the present one, each adding to what the
// one before had cut. So a conversation that goes on is cut as it was, wherever it comes from, and what was evaluated of
// it stays good up to the first new cut.
import type { JsonObject, Message, ToolMessage } from "../vocabulary/index.ts";
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
  /** Tokens of the mark that stands where messages are left out. */
  readonly mark: number;
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
  /** Tokens of what is left, marks included. */
  readonly used: number;
}

/** Once something has to go, this share of the room may go beyond need, so that the next turn need not cut again. */
const slackShare = 0.1;

/**
 * Cuts, in this order and each time the oldest first: results that came again later, old results to previews, the newest
 * results to their limit, whole turns, the newest results to what is left. Nothing is cut that saves nothing. System
 * text, the newest user message, calls that the newest results answer and turns with a call that has no result always
 * stay, so that the plan may still be over the room.
 */
export async function planCuts(messages: readonly Message[], options: CutOptions): Promise<CutPlan> {
  const texts = messages.map(messageText);
  const after: number[] = [];
  for (const [at, message] of messages.entries()) {
    // Marks stand around a message and around each of its calls.
    const frames = 1 + (message.role === "assistant" ? (message.calls ?? []).length : 0);
    after.push((await options.count(texts[at] ?? "")) + frames * options.frame);
  }
  const state: PlanState = {
    messages,
    texts,
    options,
    outcomes: outcomesOf(messages),
    answeredAt: answeredAtOf(messages),
    after,
    contents: new Map(),
    dropped: new Set(),
    marks: 0,
    used: 0,
  };
  for (let end = 1; end <= messages.length; end++) {
    // A request was made wherever an assistant's message follows, and is made now.
    if (end === messages.length || messages[end]?.role === "assistant") await fitRequest(state, end);
  }
  return { contents: state.contents, dropped: state.dropped, used: state.used };
}

interface PlanState {
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly options: CutOptions;
  /** Of each result, its call and its text. */
  readonly outcomes: ReadonlyMap<number, string>;
  /** Of each message with calls, where the last of their results stands: nowhere in sight if one has none. */
  readonly answeredAt: ReadonlyMap<number, number>;
  /** Tokens of each message with the cuts made so far. */
  readonly after: number[];
  readonly contents: Map<number, string>;
  readonly dropped: Set<number>;
  /** How many marks stand for what was dropped: one for all that stood together. */
  marks: number;
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

/** Each is made once, since every request that does not fit compares them all. */
function outcomesOf(messages: readonly Message[]): ReadonlyMap<number, string> {
  const inputs = new Map<string, JsonObject>();
  const outcomes = new Map<number, string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant") for (const { id, input } of message.calls ?? []) inputs.set(id, input);
    if (message.role !== "tool") continue;
    const { callId, name, content } = message;
    outcomes.set(at, `${JSON.stringify([name, inputs.get(callId)])}\n${content}`);
  }
  return outcomes;
}

/** An id that is used again belongs to the call before its result. */
function answeredAtOf(messages: readonly Message[]): ReadonlyMap<number, number> {
  const results = new Map<string, number>();
  const answeredAt = new Map<number, number>();
  for (const [at, message] of [...messages.entries()].reverse()) {
    if (message.role === "tool") results.set(message.callId, at);
    if (message.role !== "assistant") continue;
    const ids = (message.calls ?? []).map(({ id }) => id);
    if (ids.length > 0) answeredAt.set(at, Math.max(...ids.map((id) => results.get(id) ?? Infinity)));
    for (const id of ids) results.delete(id);
  }
  return answeredAt;
}

/** Adds the cuts that the request of the first `end` messages needs. */
async function fitRequest(state: PlanState, end: number): Promise<void> {
  const { preview, resultLimit } = state.options;
  const marks = state.marks * state.options.mark;
  state.used = state.after.slice(0, end).reduce((sum, tokens) => sum + tokens, marks);
  if (fits(state)) return;
  const messages = state.messages.slice(0, end);
  const newest = newestRound(messages);
  const results = indexesOf(state, messages, ({ role }) => role === "tool");
  const old = results.filter((at) => at < newest);
  const fresh = results.filter((at) => at >= newest);
  await shortenOldest(state, comingAgain(state, old, results), async () => repeatedNote);
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

/** Those of the old results whose text a later call with the same arguments gave again. */
function comingAgain({ outcomes }: PlanState, old: readonly number[], results: readonly number[]): number[] {
  const last = new Map(results.map((at) => [outcomes.get(at), at]));
  return old.filter((at) => last.get(outcomes.get(at)) !== at);
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
  const shortened = await state.options.count(text);
  if (shortened < tokens) replaceContent(state, at, text, shortened + state.options.frame);
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
    const hasAnswer = turn?.some((index) => messages[index]?.role === "assistant") ?? false;
    if (turn !== undefined && (role === "tool" || (role === "assistant" && !hasAnswer))) turn.push(at);
    else turns.push([at]);
  }
  const isAnswered = (at: number) => (state.answeredAt.get(at) ?? -1) < messages.length;
  return turns.filter((turn) => turn.every(isAnswered));
}

function dropOldest(state: PlanState, turns: readonly (readonly number[])[]): void {
  if (fits(state)) return;
  let going: readonly number[] = [];
  for (const turn of turns) {
    if (hasSlack(state)) return;
    // Short turns save nothing over the mark that stands for them, unless what stands next to them goes too.
    going = going.at(-1) === (turn[0] ?? 0) - 1 ? [...going, ...turn] : turn;
    const marks = marksAdded(state, going);
    const saved = going.reduce((sum, at) => sum + (state.after[at] ?? 0), -marks * state.options.mark);
    if (saved <= 0) continue;
    if (goesTooFar(state, saved)) return;
    for (const at of going) {
      state.dropped.add(at);
      state.after[at] = 0;
    }
    state.marks += marks;
    state.used -= saved;
    going = [];
  }
}

/** How many more marks stand once these messages are dropped too; less than none where they join what was apart. */
function marksAdded({ dropped }: PlanState, going: readonly number[]): number {
  let marks = 0;
  for (const [index, at] of going.entries()) {
    const joinsBefore = dropped.has(at - 1) || going[index - 1] === at - 1;
    marks += 1 - Number(joinsBefore) - Number(dropped.has(at + 1));
  }
  return marks;
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
