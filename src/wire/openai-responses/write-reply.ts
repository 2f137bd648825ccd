// Responses: a whole reply as one object, and the items that it is made of.
import type { JsonObject, Usage } from "../../vocabulary/index.ts";
import type { Reply, ReplyBlock } from "../collect-reply.ts";
import { writeLogprobs } from "../openai-chat/write-reply.ts";
import { countUsage, reportReply } from "../report-reply.ts";
import type { WireReplyOptions } from "../wire-api.ts";

export function writeResponsesReply([reply]: readonly Reply[], options: WireReplyOptions): JsonObject {
  if (reply === undefined) throw new Error("a reply of the Responses API needs a turn");
  const output = reply.blocks.map((block, at) =>
    writeItem(block, itemId(block.type, options, at), reply, options),
  );
  return writeResponse(reply, output, options);
}

const prefixes = { reasoning: "rs", text: "msg", call: "fc" } as const;

export function itemId(type: ReplyBlock["type"], { identity }: WireReplyOptions, at: number): string {
  return `${prefixes[type]}_${identity.id}${at}`;
}

/** A finished item. */
export function writeItem(
  block: ReplyBlock,
  id: string,
  reply: Pick<Reply, "tokens">,
  options: WireReplyOptions,
): JsonObject {
  switch (block.type) {
    case "reasoning": {
      const part = { type: reasoningPart(options).type, text: block.text };
      const isSummary = part.type === "summary_text";
      const parts = isSummary ? { summary: [part] } : { summary: [], content: [part] };
      return { id, type: "reasoning", status: "completed", ...parts };
    }
    case "text":
      return {
        id,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [writeTextPart(block.text, reply)],
      };
    case "call":
      return writeCallItem({ ...block, id }, block.id, "completed");
    default:
      return block satisfies never;
  }
}

/** Reasoning is told as a summary to clients that ask for one: what a local model thinks is no secret. */
export function reasoningPart({ request }: WireReplyOptions) {
  const { reasoning } = request.echo ?? {};
  const wantsSummary =
    typeof reasoning === "object" &&
    reasoning !== null &&
    "summary" in reasoning &&
    reasoning.summary !== null;
  return wantsSummary
    ? ({ type: "summary_text", event: "reasoning_summary_text", index: "summary_index" } as const)
    : ({ type: "reasoning_text", event: "reasoning_text", index: "content_index" } as const);
}

export function writeTextPart(text: string, { tokens }: Pick<Reply, "tokens">): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: writeLogprobs(tokens)?.content ?? [] };
}

/** `id` is the item's, `callId` what its result has to name. */
export function writeCallItem(
  { id, name, inputText }: { readonly id: string; readonly name: string; readonly inputText: string },
  callId: string,
  status: "in_progress" | "completed" | "incomplete",
): JsonObject {
  return { id, type: "function_call", call_id: callId, name, arguments: inputText, status };
}

/** The response around its items, finished or cut off. */
export function writeResponse(
  reply: Reply,
  output: readonly JsonObject[],
  options: WireReplyOptions,
): JsonObject {
  const { finish, usage } = reply;
  const isCut = finish === "length" || finish === "aborted";
  const reason = isCut ? "max_output_tokens" : "content_filter";
  const isWhole = !isCut && finish !== "content-filter";
  return {
    ...responseHead(options),
    status: isWhole ? "completed" : "incomplete",
    incomplete_details: isWhole ? null : { reason },
    output,
    usage: writeUsage(usage),
    callwright: reportReply([reply], options.request),
  };
}

/** What a response has before anything came. */
export function responseHead({ request, identity }: WireReplyOptions): JsonObject {
  return {
    id: `resp_${identity.id}`,
    object: "response",
    created_at: Math.floor(identity.created / 1000),
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: identity.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "auto",
    usage: null,
    user: null,
    ...request.echo,
  };
}

function writeUsage(usage: Usage): JsonObject {
  const { prompt, cached, completion, reasoning, total } = countUsage(usage);
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}
