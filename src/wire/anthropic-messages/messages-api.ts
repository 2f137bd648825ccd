// Messages as one API.
import type { WireApi } from "../wire-api.ts";
import { readMessagesRequest } from "./read-request.ts";
import { writeMessagesError } from "./write-error.ts";
import { writeMessagesReply } from "./write-reply.ts";
import { writeMessagesStream } from "./write-stream.ts";

export const anthropicMessages: WireApi = {
  name: "messages",
  readRequest: (body) => readMessagesRequest(body),
  writeReply: writeMessagesReply,
  writeStream: writeMessagesStream,
  writeError: writeMessagesError,
  // Its clients know "overloaded" by this number.
  statuses: { busy: 529, loading: 529 },
  contentType: "text/event-stream",
};

/** Counting a message's tokens: the request is read in the same way, and may leave out how long its reply may be. */
export const anthropicCount: Pick<WireApi, "readRequest" | "writeError"> = {
  readRequest: (body) => readMessagesRequest(body, true),
  writeError: writeMessagesError,
};
