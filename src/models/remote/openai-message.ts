// A message as OpenAI's chat completions have it, for whoever asks such a server.
import type { JsonObject, Message } from "../../vocabulary/index.ts";

/** `isHosted`: the server is OpenAI's own, whose models are not shown past reasoning. */
export function toOpenAi(message: Message, isHosted: boolean): JsonObject {
  switch (message.role) {
    case "assistant": {
      const { content, reasoning, calls = [] } = message;
      return {
        role: "assistant",
        content: content === "" && calls.length > 0 ? null : content,
        // Templates read past reasoning; OpenAI's own models are not shown theirs.
        ...(reasoning === undefined || isHosted ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, name, input }) => ({
                id,
                type: "function",
                function: { name, arguments: JSON.stringify(input) },
              })),
            }),
      };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    default:
      return message satisfies never;
  }
}
