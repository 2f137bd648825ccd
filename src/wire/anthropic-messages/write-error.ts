// Anthropic's errors. For a prompt that does not fit, the words by which its clients know that they have to compact.
import type { JsonObject } from "../../vocabulary/index.ts";
import type { FaultKind, WireFault } from "../wire-fault.ts";

const types: Readonly<Record<FaultKind, string>> = {
  invalid: "invalid_request_error",
  overflow: "invalid_request_error",
  unauthorized: "authentication_error",
  forbidden: "permission_error",
  "not-found": "not_found_error",
  "model-not-found": "not_found_error",
  "model-failed": "api_error",
  method: "invalid_request_error",
  "too-slow": "timeout_error",
  "too-large": "request_too_large",
  busy: "overloaded_error",
  loading: "overloaded_error",
  "time-limit": "timeout_error",
  aborted: "api_error",
  internal: "api_error",
};

export function writeMessagesError({ kind, message, pointer, code, tokens }: WireFault): JsonObject {
  const isLong = tokens !== undefined;
  return {
    type: "error",
    error: {
      type: types[kind],
      message: isLong
        ? `prompt is too long: ${tokens.prompt} tokens > ${tokens.window} maximum. ${message}`
        : message,
      ...(code === undefined ? {} : { code }),
      ...(pointer === undefined ? {} : { pointer }),
      ...(isLong ? { n_prompt_tokens: tokens.prompt, n_ctx: tokens.window } : {}),
    },
  };
}
