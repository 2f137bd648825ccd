// Ollama's errors: one line of text, with figures beside it where a prompt does not fit.
import type { JsonObject } from "../../vocabulary/index.ts";
import type { WireFault } from "../wire-fault.ts";

export function writeOllamaError({ kind, message, tokens }: WireFault): JsonObject {
  const error = kind === "overflow" ? `the request exceeds the available context size. ${message}` : message;
  return {
    error,
    ...(tokens === undefined ? {} : { n_prompt_tokens: tokens.prompt, n_ctx: tokens.window }),
  };
}
