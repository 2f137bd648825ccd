// Chat completions as one API.
import type { WireApi } from "../wire-api.ts";
import { readChatRequest } from "./read-request.ts";
import { writeChatError } from "./write-error.ts";
import { writeChatReply } from "./write-reply.ts";
import { writeChatStream } from "./write-stream.ts";

export const openAiChat: WireApi = {
  name: "chat-completions",
  readRequest: readChatRequest,
  writeReply: writeChatReply,
  writeStream: writeChatStream,
  writeError: writeChatError,
  contentType: "text/event-stream",
};
