// OpenAI's list of models, with the window and what a model can do under the names by which clients look for them (U-074).
import type { JsonObject } from "../../vocabulary/index.ts";
import { capabilitiesOf, type ModelCard } from "../model-card.ts";

export function writeModelList(cards: readonly ModelCard[]): JsonObject {
  return { object: "list", data: cards.map(writeModel) };
}

export function writeModel(card: ModelCard): JsonObject {
  const { id, contextSize, replySize, trainedContextSize, vocabularySize, state } = card;
  const capabilities = capabilitiesOf(card);
  return {
    id,
    object: "model",
    // When a file was made is not known; clients only want a number.
    created: 0,
    owned_by: "callwright",
    capabilities,
    ...(contextSize === undefined
      ? {}
      : { context_length: contextSize, context_window: contextSize, max_model_len: contextSize }),
    ...(replySize === undefined ? {} : { max_output_tokens: replySize }),
    supported_parameters: [
      "tools",
      "tool_choice",
      "response_format",
      "structured_outputs",
      "grammar",
      "seed",
      "stop",
    ],
    meta: {
      ...(contextSize === undefined ? {} : { n_ctx: contextSize }),
      ...(trainedContextSize === undefined ? {} : { n_ctx_train: trainedContextSize }),
      ...(vocabularySize === undefined ? {} : { n_vocab: vocabularySize }),
    },
    status: { value: state },
  };
}
