// Bounds of a request that has been read: how many messages and tools, and how large their schemas.
import type { WireTurn } from "../wire/wire-api.ts";
import { ServerError } from "./server-error.ts";
import type { ServerLimits } from "./server-options.ts";

export function checkSize(turn: WireTurn, limits: ServerLimits): void {
  const { messages, tools, answer } = turn;
  if (messages.length > limits.messages) {
    throw tooMany("messages", messages.length, limits.messages);
  }
  if (tools.length > limits.tools) throw tooMany("tools", tools.length, limits.tools);
  const schemas = [
    ...tools.map(({ inputSchema }) => inputSchema),
    ...(answer?.type === "schema" ? [answer.schema] : []),
  ];
  let characters = 0;
  for (const schema of schemas) characters += JSON.stringify(schema).length;
  if (characters > limits.schemaCharacters) {
    throw tooMany("characters of schemas", characters, limits.schemaCharacters);
  }
}

function tooMany(what: string, came: number, most: number): ServerError {
  const message = `The request has ${came} ${what}; this server takes ${most} at most.`;
  return new ServerError({ kind: "invalid", message, code: "request-invalid" });
}
