// One chat request, again without a field that this server will not take where the request asks the same without it.
import type { JsonObject } from "../../vocabulary/index.ts";
import { failureDetails, lostAnswer } from "./ask-server.ts";
import { type ChatDialect, type ChatEvent, optionalFields } from "./chat-dialects.ts";
import { readStream } from "./read-stream.ts";
import type { ServerAddress } from "./server-address.ts";

export interface ChatQuestion {
  readonly server: ServerAddress;
  readonly dialect: ChatDialect;
  readonly body: JsonObject;
  /** Fields that the server refused before; those that it refuses now are added. */
  readonly refusedFields: Set<string>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws what `readStream` throws, and `endpoint-lost` for an answer without an end. */
export async function* askChat(question: ChatQuestion): AsyncGenerator<ChatEvent> {
  const { server, dialect, refusedFields, signal } = question;
  const asked = { url: dialect.address(server), ...(signal === undefined ? {} : { signal }) };
  for (;;) {
    const body = without(question.body, refusedFields);
    try {
      let hasEnded = false;
      for await (const event of readStream(server, { ...asked, body })) {
        const said = dialect.read(event);
        hasEnded ||= said.end !== undefined;
        yield said;
      }
      if (!hasEnded) throw lostAnswer(server, "it ended without an end");
      return;
    } catch (error) {
      const { status, field } = failureDetails(error);
      const isOptional = field !== undefined && optionalFields.includes(field) && field in body;
      // Some models know fewer fields than their API.
      if (status !== 400 || !isOptional) throw error;
      refusedFields.add(field);
    }
  }
}

function without(body: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.has(field)));
}
