// The server under load, in a process of its own so that its clients do not take its time. Tells its parent where it is, and on
// every message what is left of the work.
import { createEngine } from "../../src/engine.ts";
import { serve } from "../../src/server/serve.ts";
import { createEchoModel } from "./echo-model.ts";

const pieces = Number(process.argv[2]);
const model = createEchoModel({ sequences: 4, pieces });
const profile = { name: "echo", format: "hermes-json", openers: ["hermes-json"] };
const served = { id: "echo", createEngine: () => createEngine({ model, profile }) };
const server = await serve({ models: [served], port: 0, limits: { queue: 10_000 } });

// Whoever started this is gone.
process.on("disconnect", () => process.exit());
process.send?.({ url: server.url });
process.on("message", (message) => {
  if (message === "end") {
    void server.close().then(() => process.disconnect());
    return;
  }
  globalThis.gc?.();
  process.send?.({ active: model.active(), written: model.written(), heap: process.memoryUsage().heapUsed });
});
