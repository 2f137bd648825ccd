// Paths that tell of models and decode nothing: lists, details, and how many tokens a prompt has.
import { anthropicCount } from "../wire/anthropic-messages/messages-api.ts";
import * as anthropicModels from "../wire/anthropic-messages/write-models.ts";
import type { ModelCard } from "../wire/model-card.ts";
import { ollamaVersion, writeRunning, writeShown, writeTags } from "../wire/ollama/write-models.ts";
import * as openAiModels from "../wire/openai-chat/write-models.ts";
import { readFields } from "../wire/read-fields.ts";
import type { AnswerContext } from "./answer-request.ts";
import { checkSize } from "./check-size.ts";
import type { ModelPool } from "./model-pool.ts";
import { readBody } from "./read-body.ts";
import { ServerError } from "./server-error.ts";
import type { ServedModel } from "./server-options.ts";

export interface ModelRoutes {
  /** Anthropic's clients say which version of its API they speak; the others get OpenAI's list. */
  list(request: Request): Promise<Response>;
  one(request: Request, id: string): Promise<Response>;
  tags(): Promise<Response>;
  running(): Promise<Response>;
  show(request: Request): Promise<Response>;
  version(): Response;
  countTokens(request: Request): Promise<Response>;
}

export function createModelRoutes(context: AnswerContext, pool: ModelPool): ModelRoutes {
  const { models, limits } = context;

  async function cards(): Promise<readonly ModelCard[]> {
    const served = await models.list();
    return served.map((model) => cardOf(model, pool));
  }

  async function cardNamed(id: string): Promise<ModelCard> {
    const wanted = id.replace(/:latest$/, "");
    const found = (await cards()).find((card) => card.id === id || card.id === wanted);
    if (found !== undefined) return found;
    throw new ServerError({
      kind: "model-not-found",
      message: `There is no model ${JSON.stringify(id.slice(0, 80))} here.`,
    });
  }

  return {
    list: async (request) => {
      const writer = speaksAnthropic(request) ? anthropicModels : openAiModels;
      return Response.json(writer.writeModelList(await cards()));
    },
    one: async (request, id) => {
      const writer = speaksAnthropic(request) ? anthropicModels : openAiModels;
      return Response.json(writer.writeModel(await cardNamed(id)));
    },
    tags: async () => Response.json(writeTags(await cards())),
    running: async () => Response.json(writeRunning(await cards())),
    show: async (request) => {
      const fields = readFields(await readBody(request, limits));
      const name = fields.text("model") ?? fields.text("name");
      if (name === undefined) throw fields.fault("model", "expected a model's name");
      return Response.json(writeShown(await cardNamed(name)));
    },
    version: () => Response.json({ version: ollamaVersion }),
    countTokens: async (request) => {
      const wanted = anthropicCount.readRequest(await readBody(request, limits));
      checkSize(wanted.turn, limits);
      const signal = AbortSignal.any([request.signal, context.closing]);
      const { lease } = await models.lease(wanted.model, signal);
      try {
        const { total } = await lease.engine.count({ onBadTool: context.onBadTool, ...wanted.turn });
        return Response.json({ input_tokens: total });
      } finally {
        lease.release();
      }
    },
  };
}

function cardOf(model: ServedModel, pool: ModelPool): ModelCard {
  const { id, contextSize, replySize, reasons = false, bytes, family, quantisation } = model;
  const loaded = pool.loaded().find((one) => one.id === id);
  const info = loaded?.opened?.model;
  const window = info?.contextSize ?? contextSize;
  const trained = info?.trainedContextSize;
  return {
    id,
    state: loaded?.state ?? "unloaded",
    reasons: loaded?.opened === undefined ? reasons : loaded.opened.profile.reasoning.marks !== undefined,
    ...(window === undefined ? {} : { contextSize: window }),
    ...(trained === undefined ? {} : { trainedContextSize: trained }),
    ...(info === undefined ? {} : { vocabularySize: info.vocabularySize }),
    ...(info?.template === undefined ? {} : { template: info.template }),
    ...(replySize === undefined ? {} : { replySize }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(family === undefined ? {} : { family }),
    ...(quantisation === undefined ? {} : { quantisation }),
    ...(loaded?.until === undefined ? {} : { until: loaded.until }),
  };
}

function speaksAnthropic(request: Request): boolean {
  return request.headers.has("anthropic-version");
}
