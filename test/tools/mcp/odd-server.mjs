// An MCP server over stdio that does what servers should not: hangs, floods, dies, changes its tools.
// Written by hand over JSON lines, so that it can break rules that a library would keep.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: {} };
let tools = ["read_file", "hang", "flood", "die", "change", "lie", "fail"].map((name) => ({
  name,
  description: name,
  inputSchema: schema,
  ...(name === "lie"
    ? { outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } }
    : {}),
}));

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words, more = {}) => ({ content: [{ type: "text", text: words }], ...more });

const calls = {
  read_file: (id) => send({ id, result: text("from the server") }),
  hang: () => {},
  flood: (id, { _meta }) => {
    for (let progress = 1; progress <= 5_000; progress += 1) {
      send({ method: "notifications/progress", params: { progressToken: _meta?.progressToken, progress } });
    }
    send({ id, result: text("x".repeat(3_000_000)) });
  },
  die: () => process.exit(3),
  change: (id) => {
    tools = [
      ...tools.filter(({ name }) => name !== "hang"),
      { name: "added", description: "new", inputSchema: schema },
    ];
    send({ method: "notifications/tools/list_changed" });
    send({ id, result: text("changed") });
  },
  added: (id) => send({ id, result: text("added") }),
  lie: (id) => send({ id, result: text("lies", { structuredContent: { n: "no number" } }) }),
  fail: (id) => send({ id, result: text("it failed", { isError: true }) }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "odd", version: "1" };
    send({ id, result: { protocolVersion, serverInfo, capabilities: { tools: { listChanged: true } } } });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") calls[params.name]?.(id, params);
  else if (method === "ping") send({ id, result: {} });
});
