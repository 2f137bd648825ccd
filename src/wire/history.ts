// A client's history as messages of ours: every result has the call that it answers. Clients send results without ids, calls whose
// arguments are no JSON, and results without calls; such a session goes on all the same (U-134, U-135), and says what was done.
import { type Call, isJsonObject, type JsonObject, type Message } from "../vocabulary/index.ts";
import type { Notice } from "./wire-api.ts";

/** A call as a client repeats it; arguments that are text have yet to be read. */
export interface PastCall {
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
}

export type PastMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly reasoning?: string;
      readonly calls: readonly PastCall[];
    }
  | {
      readonly role: "tool";
      readonly callId?: string;
      readonly name?: string;
      readonly content: string;
      readonly isError?: boolean;
    };

export interface History {
  readonly messages: readonly Message[];
  readonly notices: readonly Notice[];
}

/** Calls that wait for their result. */
interface Waiting {
  readonly id: string;
  readonly name: string;
  readonly isReadable: boolean;
}

export function readHistory(past: readonly PastMessage[]): History {
  const messages: Message[] = [];
  const notices: Notice[] = [];
  let waiting: Waiting[] = [];
  for (const [at, message] of past.entries()) {
    if (message.role === "tool") {
      const found = takeCall(waiting, message);
      if (found === undefined || !found.isReadable) messages.push(asUserText(message, found));
      else messages.push(asResult(message, found));
      if (found === undefined) {
        const text = `Message ${at} is a result without a call: it is shown as a user's message.`;
        notices.push({ code: "history-result", text });
      }
    } else if (message.role === "assistant") {
      waiting = [];
      messages.push(readAssistant(message, at, { waiting, notices }));
    } else {
      messages.push(message);
    }
  }
  return { messages, notices };
}

function readAssistant(
  { content, reasoning, calls }: Extract<PastMessage, { role: "assistant" }>,
  at: number,
  { waiting, notices }: { readonly waiting: Waiting[]; readonly notices: Notice[] },
): Message {
  const read: Call[] = [];
  const unreadable: string[] = [];
  for (const [index, call] of calls.entries()) {
    const id = call.id === undefined || call.id === "" ? `call_${at}_${index}` : call.id;
    const input = readInput(call.input);
    waiting.push({ id, name: call.name, isReadable: input !== undefined });
    if (input !== undefined) read.push({ id, name: call.name, input });
    else unreadable.push(`[A call to ${call.name} that could not be read: ${String(call.input)}]`);
  }
  if (unreadable.length > 0) {
    const text = `Message ${at} has a call whose arguments are no JSON object: it is shown as text.`;
    notices.push({ code: "history-call", text });
  }
  return {
    role: "assistant",
    content: [...(content === "" ? [] : [content]), ...unreadable].join("\n"),
    ...(reasoning === undefined || reasoning === "" ? {} : { reasoning }),
    ...(read.length === 0 ? {} : { calls: read }),
  };
}

/** No arguments at all are an empty object, as OpenAI's own clients write them. */
function readInput(input: unknown): JsonObject | undefined {
  if (isJsonObject(input)) return input;
  if (typeof input !== "string") return input === undefined || input === null ? {} : undefined;
  if (input.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(input);
    return isJsonObject(read) ? read : undefined;
  } catch {
    // Not JSON: whoever asks shows the text.
    return undefined;
  }
}

/** The call that a result answers: by id, else the first of its name, else the first that waits. */
function takeCall(waiting: Waiting[], { callId, name }: Extract<PastMessage, { role: "tool" }>) {
  let at = callId === undefined ? -1 : waiting.findIndex((call) => call.id === callId);
  if (callId === undefined || callId === "") {
    at = waiting.findIndex((call) => name === undefined || call.name === name);
  }
  return at === -1 ? undefined : waiting.splice(at, 1)[0];
}

function asResult(message: Extract<PastMessage, { role: "tool" }>, { id, name }: Waiting): Message {
  const { content, isError } = message;
  return { role: "tool", callId: id, name, content, ...(isError === true ? { isError } : {}) };
}

function asUserText(message: Extract<PastMessage, { role: "tool" }>, call: Waiting | undefined): Message {
  const name = call?.name ?? message.name ?? "a tool";
  return { role: "user", content: `[Result of ${name}] ${message.content}` };
}
