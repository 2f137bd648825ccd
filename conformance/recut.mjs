// A `fetch` whose answers come in pieces cut at random bytes, in the midst of characters, events and JSON, as any network
// may cut them. The same seed cuts the same way.
import { createServer } from "node:http";

/** Most bytes of one piece. */
const longest = 7;

export function recuttingFetch(seed = 1) {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const body = response.body.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          for (let at = 0; at < chunk.length; ) {
            const end = at + 1 + Math.floor(random() * longest);
            controller.enqueue(chunk.subarray(at, end));
            at = end;
          }
        },
      }),
    );
    const { status, statusText, headers } = response;
    const recut = new Response(body, { status, statusText, headers });
    // Some clients look where an answer came from.
    Object.defineProperty(recut, "url", { value: response.url });
    return recut;
  };
}

/** The same for a client in a process of its own: a proxy on loopback before the server. Gives its address and what closes it. */
export async function startRecuttingProxy(target, seed = 1) {
  const recutting = recuttingFetch(seed);
  const proxy = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const stop = new AbortController();
    response.once("close", () => stop.abort());
    try {
      const answer = await recutting(new URL(request.url, target), {
        method: request.method,
        headers,
        signal: stop.signal,
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch (error) {
      // A client that went away has taken the answer with it; any other failure it has to see.
      response.destroy(stop.signal.aborted ? undefined : error);
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(resolve);
        proxy.closeAllConnections();
      }),
  };
}
