// Asks a server which program it is, which model it has, and what it says of it. Generates nothing.
import { CallwrightError, isJsonObject, type JsonObject, type JsonValue } from "../../vocabulary/index.ts";
import type { EndpointEngine, EndpointEntry } from "../endpoint-entry.ts";
import { askServer } from "./ask-server.ts";
import { numberOf } from "./completion-dialects.ts";
import type { ServerIdentity } from "./endpoint-facts.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";

/**
 * Throws `CallwrightError`: `endpoint-unreachable`, `endpoint-refused`, `endpoint-invalid`, `model-unknown` where the server
 * has no such model, or several and none is named; `aborted`.
 */
export async function identifyServer(
  server: ServerAddress,
  entry: Pick<EndpointEntry, "engine" | "model">,
  signal?: AbortSignal,
): Promise<ServerIdentity> {
  const aborted = signal === undefined ? {} : { signal };
  const get = async (url: string, body?: JsonObject): Promise<JsonObject | undefined> => {
    const answer = await askServer(server, {
      url,
      ...(body === undefined ? {} : { body }),
      ...aborted,
    }).catch((error: unknown) => {
      // A route that a server does not have may answer in any way; that nobody answers is said by all of them.
      if (error instanceof CallwrightError && ["endpoint-invalid", "endpoint-refused"].includes(error.code))
        return undefined;
      throw error;
    });
    return isJsonObject(answer) ? answer : undefined;
  };
  const own = (path: string, body?: JsonObject) => get(ownRoute(server, path), body);
  const { engine, told } = await findEngine(entry.engine, own);
  if (engine === "ollama") return identifyOllama(server, entry, told, own);
  const listed = await askServer(server, { url: `${server.url}/models`, ...aborted });
  const model = chooseModel(server, entry, listed);
  const base = { engine, model: model.id, beginText: "", endText: "" };
  if (engine !== "llama-server") {
    return { ...base, version: textOf(told.version), ...sizes(model.entry.max_model_len, undefined) };
  }
  const { default_generation_settings: settings, chat_template: template, build_info: build } = told;
  const { meta } = model.entry;
  return {
    ...base,
    version: textOf(build),
    ...sizes(
      isJsonObject(settings) ? settings.n_ctx : undefined,
      isJsonObject(meta) ? meta.n_ctx_train : undefined,
    ),
    ...(typeof template === "string" && template !== "" ? { template } : {}),
    beginText: textOf(told.bos_token),
    endText: textOf(told.eos_token),
  };
}

interface FoundEngine {
  readonly engine: EndpointEngine;
  /** What its telling route answered. */
  readonly told: JsonObject;
}

/** Each program has a route that no other has; OpenAI's API alone has none of them. */
async function findEngine(
  known: EndpointEngine | undefined,
  own: (path: string) => Promise<JsonObject | undefined>,
): Promise<FoundEngine> {
  for (const [engine, path, field] of tellingRoutes) {
    if (known !== undefined && known !== engine) continue;
    const told = await own(path);
    if (told !== undefined && field in told) return { engine, told };
  }
  return { engine: known ?? "openai", told: {} };
}

const tellingRoutes: readonly (readonly [engine: EndpointEngine, path: string, field: string])[] = [
  ["llama-server", "/props", "default_generation_settings"],
  ["ollama", "/api/version", "version"],
  ["sglang", "/get_model_info", "model_path"],
  ["sglang", "/model_info", "model_path"],
  ["vllm", "/version", "version"],
];

async function identifyOllama(
  server: ServerAddress,
  entry: Pick<EndpointEntry, "model">,
  told: JsonObject,
  own: (path: string, body?: JsonObject) => Promise<JsonObject | undefined>,
): Promise<ServerIdentity> {
  const tags = (await own("/api/tags")) ?? {};
  const names = Array.isArray(tags.models)
    ? tags.models.flatMap((model) => (isJsonObject(model) ? [{ id: textOf(model.name) }] : []))
    : [];
  const { id } = chooseModel(server, entry, { data: names });
  const { model_info: info } = (await own("/api/show", { model: id })) ?? {};
  const trained = Object.entries(isJsonObject(info) ? info : {}).find(([key]) =>
    key.endsWith(".context_length"),
  );
  return {
    engine: "ollama",
    version: textOf(told.version),
    model: id,
    ...sizes(undefined, trained?.[1]),
    beginText: "",
    endText: "",
  };
}

function chooseModel(
  server: ServerAddress,
  { model }: Pick<EndpointEntry, "model">,
  answer: JsonValue | undefined,
): { readonly id: string; readonly entry: JsonObject } {
  const data = isJsonObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  const models = data.flatMap((one) =>
    isJsonObject(one) && typeof one.id === "string" ? [{ id: one.id, entry: one }] : [],
  );
  const names = models.map(({ id }) => id);
  const shown = names.length > 12 ? `${names.slice(0, 12).join(", ")}, …` : names.join(", ") || "none";
  const [only] = models;
  if (model === undefined) {
    if (only !== undefined && models.length === 1) return only;
    const text = `${server.url} lists ${models.length} models (${shown}): name one as "model" in the catalogue's entry.`;
    throw new CallwrightError("model-unknown", text);
  }
  const found = models.find(({ id }) => id === model || id === `${model}:latest`);
  // A server that lists nothing may have it all the same; it will say so if not.
  if (found === undefined && models.length > 0) {
    throw new CallwrightError("model-unknown", `${server.url} has no model "${model}"; it lists ${shown}.`);
  }
  return found ?? { id: model, entry: {} };
}

function sizes(window: JsonValue | undefined, trained: JsonValue | undefined) {
  return {
    ...(numberOf(window) > 0 ? { contextSize: numberOf(window) } : {}),
    ...(numberOf(trained) > 0 ? { trainedContextSize: numberOf(trained) } : {}),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
