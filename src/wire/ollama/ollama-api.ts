// Ollama's chat and generate, each as one API.
import type { WireApi } from "../wire-api.ts";
import { readChatRequest, readGenerateRequest } from "./read-request.ts";
import { writeOllamaError } from "./write-error.ts";
import { type OllamaKind, writeOllamaReply } from "./write-reply.ts";
import { writeOllamaStream } from "./write-stream.ts";

export const ollamaChat: WireApi = ollamaApi("chat", readChatRequest);
export const ollamaGenerate: WireApi = ollamaApi("generate", readGenerateRequest);

function ollamaApi(kind: OllamaKind, readRequest: WireApi["readRequest"]): WireApi {
  return {
    name: `ollama-${kind}`,
    readRequest,
    writeReply: (replies, options) => writeOllamaReply(kind, replies, options),
    writeStream: (options) => writeOllamaStream(kind, options),
    writeError: writeOllamaError,
    contentType: "application/x-ndjson",
  };
}
