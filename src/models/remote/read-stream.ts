// A server's streamed answer as JSON objects, whichever way it is framed: server-sent events or JSON lines, cut anywhere.
import { CallwrightError, isJsonObject, type JsonObject, throwIfAborted } from "../../vocabulary/index.ts";
import {
  invalidAnswer,
  lostAnswer,
  mostBytes,
  openAnswer,
  parseAnswer,
  reasonOf,
  type ServerQuestion,
  toldError,
  unreachable,
} from "./ask-server.ts";
import type { ServerAddress } from "./server-address.ts";

/**
 * Posts a request and yields its answer's objects. Whoever stops reading closes the connection, which stops the server.
 * Throws `CallwrightError` as `openAnswer` does, `endpoint-lost` where the connection breaks or nothing comes for too
 * long, `endpoint-invalid` for what is no such stream, `aborted`.
 */
export async function* readStream(
  server: ServerAddress,
  question: ServerQuestion & { readonly body: JsonObject },
): AsyncGenerator<JsonObject> {
  const { limits } = server;
  const stop = new AbortController();
  const signal =
    question.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, question.signal]);
  let timer = setTimeout(() => stop.abort(), limits.first);
  let hasBegun = false;
  try {
    const response = await openAnswer(server, { ...question, signal });
    const lines = createLineReader(server);
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      for (const text of lines.push(chunk)) {
        hasBegun = true;
        yield readEvent(server, text);
      }
      timer = setTimeout(() => stop.abort(), limits.between);
    }
    for (const text of lines.finish()) yield readEvent(server, text);
  } catch (error) {
    throwIfAborted(question.signal);
    if (error instanceof CallwrightError) throw error;
    const reason = stop.signal.aborted ? "nothing came for too long" : reasonOf(error);
    throw hasBegun ? lostAnswer(server, reason, error) : unreachable(server, reason, error);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function readEvent(server: ServerAddress, text: string): JsonObject {
  const value = parseAnswer(server, text);
  if (!isJsonObject(value)) throw invalidAnswer(server, "an event that is no object");
  if (value.error !== undefined && value.error !== null) throw toldError(server, value.error);
  return value;
}

/** Bytes in, the JSON texts of complete events out. */
function createLineReader(server: ServerAddress) {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];

  /** An event is over at an empty line; JSON lines have none, and are over at once. */
  function* take(line: string): Generator<string> {
    if (line === "") {
      const text = data.join("\n");
      data = [];
      if (text !== "" && text !== "[DONE]") yield text;
    } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    else if (line.startsWith("{")) yield line;
    else if (!/^(:|event:|id:|retry:)/.test(line)) throw invalidAnswer(server, "a line of no event");
  }

  return {
    *push(chunk: Uint8Array): Generator<string> {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > mostBytes) throw invalidAnswer(server, `an event of more than ${mostBytes} bytes`);
      for (const line of lines) yield* take(line.endsWith("\r") ? line.slice(0, -1) : line);
    },
    *finish(): Generator<string> {
      yield* take((rest + decoder.decode()).trimEnd());
      yield* take("");
    },
  };
}
