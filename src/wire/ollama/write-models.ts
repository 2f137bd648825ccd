// Ollama's lists of models: those that are there, those that are loaded, and one in detail.
import type { JsonObject } from "../../vocabulary/index.ts";
import { capabilitiesOf, type ModelCard } from "../model-card.ts";

/** A version of Ollama whose API this follows; clients compare it. */
export const ollamaVersion = "0.12.0";

export function writeTags(cards: readonly ModelCard[]): JsonObject {
  return { models: cards.map(writeEntry) };
}

/** The models that are loaded now. */
export function writeRunning(cards: readonly ModelCard[]): JsonObject {
  const loaded = cards.filter(({ state }) => state !== "unloaded");
  return {
    models: loaded.map((card) => ({
      ...writeEntry(card),
      expires_at: new Date(card.until ?? Date.UTC(9999, 0, 1)).toISOString(),
      size_vram: 0,
      ...(card.contextSize === undefined ? {} : { context_length: card.contextSize }),
    })),
  };
}

export function writeShown(card: ModelCard): JsonObject {
  const { contextSize, template = "", family = "unknown" } = card;
  const lengths = contextSize === undefined ? {} : { [`${family}.context_length`]: contextSize };
  return {
    modelfile: "",
    parameters: contextSize === undefined ? "" : `num_ctx ${contextSize}`,
    template,
    details: writeDetails(card),
    model_info: { "general.architecture": family, ...lengths },
    capabilities: capabilitiesOf(card),
    modified_at: "1970-01-01T00:00:00Z",
  };
}

function writeEntry(card: ModelCard): JsonObject {
  const { id, bytes = 0 } = card;
  return {
    name: id,
    model: id,
    modified_at: "1970-01-01T00:00:00Z",
    size: bytes,
    digest: "",
    details: writeDetails(card),
    capabilities: capabilitiesOf(card),
  };
}

function writeDetails({ family = "unknown", quantisation = "" }: ModelCard): JsonObject {
  return {
    parent_model: "",
    format: "gguf",
    family,
    families: [family],
    parameter_size: "",
    quantization_level: quantisation,
  };
}
