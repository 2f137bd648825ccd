// Completions as one API.
import { writeChatError } from "../openai-chat/write-error.ts";
import type { WireApi } from "../wire-api.ts";
import { readCompletionRequest } from "./read-request.ts";
import { writeCompletionReply } from "./write-reply.ts";
import { writeCompletionStream } from "./write-stream.ts";

export const openAiCompletions: WireApi = {
  name: "completions",
  readRequest: readCompletionRequest,
  writeReply: writeCompletionReply,
  writeStream: writeCompletionStream,
  writeError: writeChatError,
  contentType: "text/event-stream",
};
