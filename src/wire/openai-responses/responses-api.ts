// Responses as one API.
import type { WireApi } from "../wire-api.ts";
import { readResponsesRequest } from "./read-request.ts";
import { writeResponsesError } from "./write-error.ts";
import { writeResponsesReply } from "./write-reply.ts";
import { writeResponsesStream } from "./write-stream.ts";

export const openAiResponses: WireApi = {
  name: "responses",
  readRequest: readResponsesRequest,
  writeReply: writeResponsesReply,
  writeStream: writeResponsesStream,
  writeError: writeResponsesError,
  contentType: "text/event-stream",
};
