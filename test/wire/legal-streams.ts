// The legal order of each API's stream, written down by hand from its specification and its SDKs' types: openai 6.49 (chat
// completions, responses), @anthropic-ai/sdk 1.14 (messages), ollama's docs/api.md. Each reads a stream event by event, throws at
// the first that may not stand there or lacks a field, and gives what a client has in the end. Over 300 lines, since the four are
// read beside each other.
import type { SentEvent } from "./read-stream.ts";

export interface ReadStream {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  readonly finish: string;
}

interface Draft {
  text: string;
  reasoning: string;
  readonly calls: { id: string; name: string; text: string }[];
  finish: string;
}

type Json = Record<string, unknown>;

const newDraft = (): Draft => ({ text: "", reasoning: "", calls: [], finish: "" });

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function mustHaveKeys(object: Json, keys: readonly string[], what: string): void {
  const found = Object.keys(object).sort().join(" ");
  const wanted = [...keys].sort().join(" ");
  must(found === wanted, `${what} has the keys ${found} instead of ${wanted}`);
}

/** Chat completions: every chunk of one id; role first; calls by rising index, id and name once; one finish; usage; [DONE]. */
export function readChatStream(events: readonly SentEvent[], { usage }: { usage: boolean }): ReadStream {
  const draft = newDraft();
  const finishes = ["stop", "length", "tool_calls", "content_filter"];
  must(events.at(-1)?.data === "[DONE]", "the stream does not end in [DONE]");
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data) as Json);
  const ids = new Set(chunks.map(({ id, created, model }) => JSON.stringify([id, created, model])));
  must(ids.size === 1, "chunks differ in id, created or model");
  let state: "start" | "deltas" | "finished" | "counted" = "start";
  for (const chunk of chunks) {
    must(chunk.object === "chat.completion.chunk", "a chunk is of another kind");
    const choices = chunk.choices as Json[];
    if (choices.length === 0) {
      must(state === "finished" && usage, "a chunk without choices stands where no usage belongs");
      must(typeof (chunk.usage as Json).total_tokens === "number", "the usage has no total");
      state = "counted";
      continue;
    }
    const [choice = {}] = choices;
    const delta = choice.delta as Json;
    must(choice.index === 0 && choices.length === 1, "a choice that was not asked for");
    if (state === "start") {
      must(delta.role === "assistant", "the first delta has no role");
      state = "deltas";
      continue;
    }
    must(state === "deltas", "a delta after the end");
    if (choice.finish_reason !== null) {
      must(finishes.includes(String(choice.finish_reason)), "a finish reason that clients do not know");
      must(Object.keys(delta).length === 0, "the last delta is not empty");
      draft.finish = String(choice.finish_reason);
      state = "finished";
      continue;
    }
    readChatDelta(delta, draft);
  }
  must(state === (usage ? "counted" : "finished"), "the stream ends too early");
  return draft;
}

function readChatDelta(delta: Json, draft: Draft): void {
  for (const [key, value] of Object.entries(delta)) {
    if (key === "content") draft.text += String(value);
    else if (key === "reasoning_content") draft.reasoning += String(value);
    else if (key === "tool_calls") for (const call of value as Json[]) readChatCall(call, draft);
    else throw new Error(`a delta has ${key}`);
  }
}

function readChatCall(call: Json, draft: Draft): void {
  const called = call.function as Json;
  must(typeof called.arguments === "string", "arguments are no text");
  if (call.index === draft.calls.length) {
    mustHaveKeys(call, ["index", "id", "type", "function"], "a call's first delta");
    must(typeof call.id === "string" && call.id !== "", "a call has no id");
    must(typeof called.name === "string" && called.name !== "", "a call has no name");
    must(called.arguments === "", "a call's first delta has arguments");
    draft.calls.push({ id: call.id, name: called.name, text: "" });
    return;
  }
  must(call.index === draft.calls.length - 1, "a delta of another call than the newest");
  mustHaveKeys(call, ["index", "function"], "a call's later delta");
  mustHaveKeys(called, ["arguments"], "a call's later delta's function");
  draft.calls[draft.calls.length - 1]!.text += called.arguments;
}

/** Messages: message_start, blocks one after another with rising indices, message_delta, message_stop. */
export function readMessagesStream(events: readonly SentEvent[]): ReadStream {
  const draft = newDraft();
  let state: "start" | "blocks" | "stopping" | "over" = "start";
  let index = -1;
  let open: string | undefined;
  for (const { event, data } of events) {
    const value = JSON.parse(data) as Json;
    must(value.type === event, "an event's name is not its type");
    if (event === "ping") continue;
    switch (event) {
      case "message_start": {
        must(state === "start", "a second message_start");
        const message = value.message as Json;
        must(message.role === "assistant" && message.type === "message", "the message is none");
        must(
          Array.isArray(message.content) && message.content.length === 0,
          "the message begins with content",
        );
        must(
          message.stop_reason === null && message.stop_sequence === null,
          "the message begins with its end",
        );
        must(
          typeof (message.usage as Json).input_tokens === "number",
          "the message begins without its usage",
        );
        state = "blocks";
        break;
      }
      case "content_block_start": {
        must(state === "blocks" && open === undefined, "a block begins where none may");
        must(value.index === index + 1, "a block's index does not follow");
        index += 1;
        const block = value.content_block as Json;
        open = String(block.type);
        if (open === "text") must(block.text === "", "a text block begins with text");
        else if (open === "thinking") must(block.thinking === "", "a thinking block begins with text");
        else {
          must(open === "tool_use", `a block of the kind ${open}`);
          must(JSON.stringify(block.input) === "{}", "a call begins with input");
          must(typeof block.id === "string" && typeof block.name === "string", "a call lacks id or name");
          draft.calls.push({ id: block.id, name: block.name, text: "" });
        }
        break;
      }
      case "content_block_delta": {
        must(value.index === index && open !== undefined, "a delta of a block that is not open");
        readBlockDelta(open, value.delta as Json, draft);
        break;
      }
      case "content_block_stop":
        must(value.index === index && open !== undefined, "the end of a block that is not open");
        open = undefined;
        break;
      case "message_delta": {
        must(state === "blocks" && open === undefined, "message_delta within a block");
        draft.finish = String((value.delta as Json).stop_reason);
        const reasons = ["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"];
        must(reasons.includes(draft.finish), "a stop reason that clients do not know");
        must(typeof (value.usage as Json).output_tokens === "number", "message_delta has no usage");
        state = "stopping";
        break;
      }
      case "message_stop":
        must(state === "stopping", "message_stop before message_delta");
        state = "over";
        break;
      default:
        throw new Error(`an event of the kind ${event}`);
    }
  }
  must(state === "over", "the stream ends without message_stop");
  return draft;
}

function readBlockDelta(open: string, delta: Json, draft: Draft): void {
  if (delta.type === "text_delta" && open === "text") draft.text += String(delta.text);
  else if (delta.type === "thinking_delta" && open === "thinking") draft.reasoning += String(delta.thinking);
  else if (delta.type === "input_json_delta" && open === "tool_use")
    draft.calls[draft.calls.length - 1]!.text += String(delta.partial_json);
  else
    must(delta.type === "signature_delta" && open === "thinking", `${String(delta.type)} in a ${open} block`);
}

interface OpenItem {
  readonly item: Json;
  part: string | undefined;
  text: string;
  isDone: boolean;
}

/** Responses: numbered events; items one after another, each with its parts opened, filled and closed; one final response. */
export function readResponsesStream(
  events: readonly SentEvent[],
  { summary }: { summary: boolean },
): ReadStream {
  const draft = newDraft();
  const finished: Json[] = [];
  const ids = new Set<string>();
  let open: OpenItem | undefined;
  let state: "start" | "created" | "items" | "over" = "start";
  must(events.at(-1)?.data === "[DONE]", "the stream does not end in [DONE]");
  const part = summary ? "reasoning_summary_part" : "content_part";
  const thought = summary ? "reasoning_summary_text" : "reasoning_text";
  const reasoningIndex = summary ? "summary_index" : "content_index";
  for (const [at, { event, data }] of events.slice(0, -1).entries()) {
    const value = JSON.parse(data) as Json;
    must(value.type === event && value.sequence_number === at, "an event's type or number is wrong");
    must(state !== "over", "an event after the final response");
    const kind = event.replace(/^response\./, "");
    const itemKind = open?.item.type;
    if (kind === "created") {
      must(state === "start" && (value.response as Json).status === "in_progress", "created is out of place");
      state = "created";
    } else if (kind === "in_progress") {
      must(state === "created" || state === "items", "in_progress is out of place");
      state = "items";
    } else if (kind === "completed" || kind === "incomplete") {
      must(state === "items" && open === undefined, "the response ends within an item");
      const response = value.response as Json;
      must(response.status === kind, "the response has another status than its event");
      must(
        JSON.stringify(response.output) === JSON.stringify(finished),
        "the response has other items than were sent",
      );
      must(typeof (response.usage as Json).total_tokens === "number", "the response has no usage");
      must((response.incomplete_details === null) === (kind === "completed"), "incomplete without a reason");
      draft.finish = kind;
      state = "over";
    } else if (kind === "output_item.added") {
      must(state === "items" && open === undefined, "an item begins within another");
      must(value.output_index === finished.length, "an item's index does not follow");
      const item = value.item as Json;
      must(
        item.status === "in_progress" && !ids.has(String(item.id)),
        "an item begins finished or with a used id",
      );
      ids.add(String(item.id));
      open = { item, part: undefined, text: "", isDone: false };
      if (item.type === "function_call") {
        must(item.arguments === "" && typeof item.call_id === "string", "a call begins with arguments");
        draft.calls.push({ id: item.call_id, name: String(item.name), text: "" });
      }
    } else {
      must(open !== undefined && value.output_index === finished.length, `${kind} outside of its item`);
      if (kind !== "output_item.done") must(value.item_id === open.item.id, `${kind} of another item`);
      if (itemKind === "message" && !kind.startsWith("output_item"))
        must(value.content_index === 0, "no content_index");
      if (itemKind === "reasoning" && !kind.startsWith("output_item"))
        must(value[reasoningIndex] === 0, "no part index");
      if (kind === "output_item.done") {
        const item = value.item as Json;
        must(item.id === open.item.id && item.type === itemKind, "another item ends than began");
        must(open.part === undefined, "an item ends within a part");
        must(["completed", "incomplete"].includes(String(item.status)), "an item ends in progress");
        if (itemKind === "function_call") {
          must(item.arguments === open.text, "a call ends with other arguments than were sent");
          must(open.isDone === (item.status === "completed"), "a call's arguments are not done");
        }
        finished.push(item);
        open = undefined;
      } else if (kind === "content_part.added" || kind === `${part}.added`) {
        must(open.part === undefined && itemKind !== "function_call", "a part begins within another");
        open.part = String((value.part as Json).type);
        must((value.part as Json).text === "", "a part begins with text");
      } else if (kind === "content_part.done" || kind === `${part}.done`) {
        must(open.isDone && (value.part as Json).text === open.text, "a part ends with another text");
        open.part = undefined;
      } else if (kind === "output_text.delta" || kind === `${thought}.delta`) {
        must(
          (kind === "output_text.delta") === (open.part === "output_text"),
          "a delta of another kind of part",
        );
        if (kind === "output_text.delta") draft.text += String(value.delta);
        else draft.reasoning += String(value.delta);
        open.text += String(value.delta);
      } else if (kind === "output_text.done" || kind === `${thought}.done`) {
        must(value.text === open.text, "a text ends as another");
        open.isDone = true;
      } else if (kind === "function_call_arguments.delta") {
        must(itemKind === "function_call", "arguments outside of a call");
        open.text += String(value.delta);
        draft.calls[draft.calls.length - 1]!.text += String(value.delta);
      } else if (kind === "function_call_arguments.done") {
        must(value.arguments === open.text, "arguments end as others");
        open.isDone = true;
      } else throw new Error(`an event of the kind ${event}`);
    }
  }
  must(state === "over", "the stream ends without its response");
  return draft;
}

/** Ollama: lines that are not done, then one that is, with the figures. */
export function readOllamaStream(lines: readonly unknown[], kind: "chat" | "generate"): ReadStream {
  const draft = newDraft();
  for (const [at, line] of (lines as Json[]).entries()) {
    const isLast = at === lines.length - 1;
    must(line.done === isLast, "done stands in another line than the last");
    must(typeof line.model === "string" && typeof line.created_at === "string", "a line lacks model or time");
    const said = kind === "chat" ? (line.message as Json) : line;
    if (kind === "chat") must(said.role === "assistant", "a line is another's");
    draft.text += String(kind === "chat" ? said.content : said.response);
    draft.reasoning += typeof said.thinking === "string" ? said.thinking : "";
    for (const call of (said.tool_calls as Json[] | undefined) ?? []) {
      const called = call.function as Json;
      must(typeof called.arguments === "object" && called.arguments !== null, "arguments are no object");
      draft.calls.push({
        id: String(call.id),
        name: String(called.name),
        text: JSON.stringify(called.arguments),
      });
    }
    if (!isLast) continue;
    must(line.done_reason === "stop" || line.done_reason === "length", "a reason that clients do not know");
    must(
      Number.isSafeInteger(line.eval_count) && Number.isSafeInteger(line.total_duration),
      "the figures are missing",
    );
    draft.finish = String(line.done_reason);
  }
  return draft;
}
