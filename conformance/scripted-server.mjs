// `callwright serve` over a model whose replies are given, for exact checks of the wire. Uses the build, as a client's host does.
import { createEngine, createScriptedModel } from "../dist/index.js";
import { serve } from "../dist/server/serve.js";

/** A call as the scripted model writes it. */
export function writeCall(name, input) {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${spaced(input)}}\n</tool_call>`;
}

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${members.join(", ")}}`;
}

/**
 * Serves on a free port; the n-th new prompt gets the n-th reply. Gives the server's address, the model's requests, and
 * what closes it.
 */
export async function startScripted(replies) {
  const model = createScriptedModel({ replies, info: { contextSize: 65_536 } });
  const profile = {
    name: "scripted",
    format: "hermes-json",
    openers: ["hermes-json"],
    reasoning: { marks: { start: "<think>\n", end: "\n</think>\n\n" }, mode: "auto" },
  };
  const served = {
    id: "scripted",
    contextSize: model.info.contextSize,
    createEngine: () => createEngine({ model, profile }),
  };
  const server = await serve({ models: [served], port: 0 });
  return { url: server.url, requests: model.requests, close: () => server.close() };
}

/** Runs a check against a server of these replies, which is closed whatever happens. */
export async function withScripted(replies, check) {
  const server = await startScripted(replies);
  try {
    return await check(server);
  } finally {
    await server.close();
  }
}
