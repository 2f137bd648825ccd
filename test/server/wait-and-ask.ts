// How the tests of queue, models and streams ask, wait, and see how many run.
import type { ScriptedModel } from "../../src/models/scripted.ts";
import { createApp, type ServerApp } from "../../src/server/app.ts";
import type { ServerOptions } from "../../src/server/server-options.ts";
import { postRequest, scriptedServedModel } from "./ask-server.ts";

export const chat = "/v1/chat/completions";

/** A door that holds whoever comes until it is opened. */
export function createDoor() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open,
    arrived,
    pass: async () => {
      arrive();
      await opened;
    },
  };
}

export function ask(
  app: ServerApp,
  content: string,
  more: object = {},
  signal?: AbortSignal,
): Promise<Response> {
  const request = postRequest(chat, { messages: [{ role: "user", content }], ...more });
  return app.fetch(signal === undefined ? request : new Request(request, { signal }));
}

export async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}

/** How many wait and run, as the metrics say. */
export async function gauge(app: ServerApp, name: "waiting" | "running"): Promise<number> {
  const text = await (await app.fetch(new Request("http://localhost/metrics"))).text();
  return Number(new RegExp(`^callwright_requests_${name} (\\d+)$`, "m").exec(text)?.[1]);
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 1));
}

export function openApp(model: ScriptedModel, options: Partial<ServerOptions> = {}): ServerApp {
  return createApp({ models: [scriptedServedModel("scripted", model)], ...options });
}
