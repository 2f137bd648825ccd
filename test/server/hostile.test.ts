// Hostile and broken requests: the right 4xx in the API's own shape, never a 500, nothing said of our insides, and the server
// still answers.
import { describe, expect, test } from "vitest";
import { openTestServer } from "./ask-server.ts";
import { type HostileRequest, hostileRequests } from "./hostile-requests.ts";

const replies = Array.from({ length: 400 }, () => "Good.");

function openServer() {
  const said: string[] = [];
  return {
    ...openTestServer(replies, { log: (line) => said.push(line), limits: { bodyMilliseconds: 5000 } }),
    said,
  };
}

async function send(
  server: ReturnType<typeof openServer>,
  { path, method = "POST", body, headers = {} }: HostileRequest,
) {
  const response = await server.fetch(
    new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
  return { status: response.status, text: await response.text() };
}

/** Whether an error is in the shape of the API that was asked. */
function hasOwnShape(path: string, text: string): boolean {
  const body = JSON.parse(text);
  if (path.startsWith("/api/")) return typeof body.error === "string";
  const isError = typeof body.error?.type === "string" && typeof body.error.message === "string";
  return path.startsWith("/v1/messages") ? isError && body.type === "error" : isError && "code" in body.error;
}

describe("hostile requests", () => {
  test("are at least 200, each named once", () => {
    const names = hostileRequests.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(200);
  });

  test.each(hostileRequests.map((request) => [request.name, request] as const))(
    "%s",
    async (_name, request) => {
      const server = openServer();
      const { status, text } = await send(server, request);
      expect(request.statuses, text.slice(0, 300)).toContain(status);
      if (status !== 200) expect(hasOwnShape(request.path, text), text.slice(0, 300)).toBe(true);
      // A stack or a path of ours would tell of our insides.
      expect(text).not.toMatch(/\n\s+at |node_modules|\/src\/|root:x:0/);
      expect(server.said.filter((line) => /failed|broke off/.test(line))).toEqual([]);
      const after = await server.post("/v1/chat/completions", {
        messages: [{ role: "user", content: "Still there?" }],
      });
      expect(after.status).toBe(200);
      expect(Object.hasOwn(Object.prototype, "x") || Object.hasOwn(Object.prototype, "y")).toBe(false);
    },
  );
});
