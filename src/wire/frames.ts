// Frames of a stream: server-sent events (WHATWG HTML, "Server-sent events") and newline-delimited JSON.
import type { JsonValue } from "../vocabulary/index.ts";

/** One event; without a name, the client takes it for a message. */
export function eventFrame(data: JsonValue, name?: string): string {
  const head = name === undefined ? "" : `event: ${name}\n`;
  // JSON.stringify writes no raw line break, so that the data is one line.
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

/** The end of OpenAI's streams. */
export const doneFrame = "data: [DONE]\n\n";

/** A comment, which clients skip. */
export const commentFrame = ": still at work\n\n";

/** One line of newline-delimited JSON. */
export function lineFrame(data: JsonValue): string {
  return `${JSON.stringify(data)}\n`;
}
