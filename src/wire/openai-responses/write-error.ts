// Responses' errors: OpenAI's own shape for a request that is refused, and a smaller one inside a stream.
import type { JsonObject } from "../../vocabulary/index.ts";
import { writeChatError } from "../openai-chat/write-error.ts";
import type { WireFault } from "../wire-fault.ts";

export function writeResponsesError(fault: WireFault): JsonObject {
  return writeChatError(fault);
}

/** What a failed response says. */
export function writeStreamError(fault: WireFault): JsonObject {
  return {
    code: fault.kind === "overflow" ? "context_length_exceeded" : "server_error",
    message: fault.message,
  };
}
