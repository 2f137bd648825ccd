// Ollama: a whole reply as one object, of both endpoints.
import type { JsonObject, TokenChance, Usage } from "../../vocabulary/index.ts";
import { callsOf, type Reply, textOf } from "../collect-reply.ts";
import { countUsage, reportReply } from "../report-reply.ts";
import type { ReplyIdentity, WireReplyOptions } from "../wire-api.ts";

/** Which endpoint: they differ in where the text stands. */
export type OllamaKind = "chat" | "generate";

export function writeOllamaReply(
  kind: OllamaKind,
  [reply]: readonly Reply[],
  { request, identity }: WireReplyOptions,
): JsonObject {
  if (reply === undefined) return writeLoaded(kind, { request, identity });
  const text = textOf(reply, "text");
  const thinking = textOf(reply, "reasoning");
  const calls = callsOf(reply);
  const said: SaidText = {
    text,
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { calls: calls.map((call) => writeCall(call)) }),
  };
  return {
    ...ollamaHead(identity),
    ...writeSaid(kind, said),
    ...(reply.tokens.length === 0 ? {} : { logprobs: writeLogprobs(reply.tokens) }),
    ...writeEnd(reply, { request, identity }),
  };
}

export interface SaidText {
  readonly text: string;
  readonly thinking?: string;
  readonly calls?: readonly JsonObject[];
}

export function writeSaid(kind: OllamaKind, { text, thinking, calls }: SaidText): JsonObject {
  const more = thinking === undefined ? {} : { thinking };
  if (kind === "generate") return { response: text, ...more };
  const called = calls === undefined ? {} : { tool_calls: calls };
  return { message: { role: "assistant", content: text, ...more, ...called } };
}

export function writeCall({ id, name, input }: { id: string; name: string; input: JsonObject }): JsonObject {
  return { id, function: { name, arguments: input } };
}

export function ollamaHead({ created, model }: ReplyIdentity): JsonObject {
  return { model, created_at: new Date(created).toISOString() };
}

/** What the last object has beside its text. */
export function writeEnd(reply: Reply, { request }: WireReplyOptions): JsonObject {
  return {
    done: true,
    done_reason: reply.finish === "length" || reply.finish === "aborted" ? "length" : "stop",
    ...writeFigures(reply.usage),
    callwright: reportReply([reply], request),
  };
}

/** Durations are in nanoseconds. */
function writeFigures(usage: Usage): JsonObject {
  const { prompt, completion } = countUsage(usage);
  const { prefill, decode, total } = usage.milliseconds;
  const nanoseconds = (milliseconds: number) => Math.round(milliseconds * 1e6);
  return {
    total_duration: nanoseconds(total),
    load_duration: 0,
    prompt_eval_count: prompt,
    prompt_eval_duration: nanoseconds(prefill),
    eval_count: completion,
    eval_duration: nanoseconds(decode),
  };
}

export function writeLogprobs(tokens: readonly TokenChance[]): JsonObject[] {
  const least = -9999;
  return tokens.map(({ text, logProbability = least, alternatives }) => ({
    token: text,
    logprob: logProbability,
    top_logprobs: alternatives.map((one) => ({ token: one.text, logprob: one.logProbability })),
  }));
}

/** A request without messages loads the model, or unloads it where it is kept for no time. */
function writeLoaded(kind: OllamaKind, { request, identity }: WireReplyOptions): JsonObject {
  const reason = request.keepAlive === 0 ? "unload" : "load";
  return { ...ollamaHead(identity), ...writeSaid(kind, { text: "" }), done: true, done_reason: reason };
}
