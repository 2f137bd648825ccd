// A server over scripted models, asked without a socket.
import { createEngine, type EngineOptions } from "../../src/engine.ts";
import type { PartialProfile } from "../../src/models/profile.ts";
import {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "../../src/models/scripted.ts";
import { createApp, type ServerApp } from "../../src/server/app.ts";
import type { ServedModel, ServerOptions } from "../../src/server/server-options.ts";

export const hermesProfile: PartialProfile = {
  name: "scripted",
  format: "hermes-json",
  openers: ["hermes-json"],
};

export interface TestServer extends ServerApp {
  readonly model: ScriptedModel;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface TestServerOptions extends Partial<ServerOptions> {
  readonly script?: Partial<ScriptedModelOptions>;
  readonly profile?: PartialProfile;
  /** Waited for before each event of the model. */
  readonly pause?: () => Promise<unknown>;
}

/** A call as Hermes models write it. */
export function writeCall(name: string, input: unknown): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${spaced(input)}}\n</tool_call>`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${members.join(", ")}}`;
}

/** The model with a pause before each of its events, as one with weights has: by default until all else that waits was done. */
export function pausing(
  model: ScriptedModel,
  pause: () => Promise<unknown> = () => new Promise((resolve) => setImmediate(resolve)),
): ScriptedModel {
  return {
    ...model,
    generate: async function* (request) {
      for await (const event of model.generate(request)) {
        await pause();
        yield event;
      }
    },
  };
}

/** A served model over a scripted one. */
export function scriptedServedModel(
  id: string,
  model: ScriptedModel,
  options: Partial<EngineOptions> = {},
): ServedModel {
  const profile = { ...hermesProfile, ...options.profile };
  return {
    id,
    contextSize: model.info.contextSize,
    replySize: 1024,
    // A script is answered in the order of asking.
    slots: 1,
    createEngine: () => createEngine({ ...options, model, profile }),
  };
}

export function openTestServer(
  replies: ScriptedModelOptions["replies"],
  { script, profile, pause, ...options }: TestServerOptions = {},
): TestServer {
  const scripted = createScriptedModel({ replies, ...script });
  const model = pause === undefined ? scripted : pausing(scripted, pause);
  const served = scriptedServedModel("scripted", model, profile === undefined ? {} : { profile });
  const app = createApp({ models: [served], ...options });
  return { ...app, model, post: (path, body, headers) => app.fetch(postRequest(path, body, headers)) };
}

export function postRequest(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
}

/** The data of a stream of server-sent events, in order; comments are skipped. */
export function readEvents(stream: string): readonly { readonly event?: string; readonly data: string }[] {
  return stream.split("\n\n").flatMap((frame) => {
    const lines = frame.split("\n");
    const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
    if (data.length === 0) return [];
    const event = lines.find((line) => line.startsWith("event: "))?.slice(7);
    return [{ data: data.join("\n"), ...(event === undefined ? {} : { event }) }];
  });
}
