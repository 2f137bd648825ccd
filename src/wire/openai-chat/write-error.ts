// OpenAI's errors, in both of its APIs. For a prompt that does not fit, the words and fields of llama-server, by which clients
// know that they have to compact (OpenCode, U-071).
import type { JsonObject } from "../../vocabulary/index.ts";
import type { FaultKind, WireFault } from "../wire-fault.ts";

const types: Readonly<Record<FaultKind, readonly [type: string, code: string | null]>> = {
  invalid: ["invalid_request_error", null],
  overflow: ["invalid_request_error", "context_length_exceeded"],
  unauthorized: ["invalid_request_error", "invalid_api_key"],
  forbidden: ["invalid_request_error", "forbidden"],
  "not-found": ["invalid_request_error", "not_found"],
  "model-not-found": ["invalid_request_error", "model_not_found"],
  "model-failed": ["server_error", "model_failed"],
  method: ["invalid_request_error", "method_not_allowed"],
  "too-slow": ["invalid_request_error", "body_too_slow"],
  "too-large": ["invalid_request_error", "request_too_large"],
  busy: ["server_error", "overloaded"],
  loading: ["unavailable_error", "loading_model"],
  "time-limit": ["server_error", "time_limit"],
  aborted: ["server_error", "aborted"],
  internal: ["server_error", "internal_error"],
};

export function writeChatError(fault: WireFault): JsonObject {
  const [type, code] = types[fault.kind];
  const { tokens } = fault;
  return {
    error: {
      message:
        fault.kind === "overflow"
          ? `The request exceeds the available context size. ${fault.message}`
          : fault.message,
      type,
      param: paramOf(fault.pointer),
      code: code ?? fault.code ?? null,
      ...(tokens === undefined ? {} : { n_prompt_tokens: tokens.prompt, n_ctx: tokens.window }),
    },
  };
}

/** A pointer as OpenAI writes it: `messages[0].content`. */
function paramOf(pointer: string | undefined): string | null {
  if (pointer === undefined || pointer === "") return null;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
      "",
    );
}
