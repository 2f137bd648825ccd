// A provider of the AI SDK: each model by its name, opened when it is first asked.
import { createEngine, type Engine, type EngineOptions } from "../engine.ts";
import { engineModel } from "./engine-model.ts";
import { type LanguageModelV3, NoSuchModelError, type ProviderV3 } from "./provider-types.ts";

export interface Callwright extends ProviderV3 {
  /** A catalogue id, the path of a `.gguf` file, a hub URI or the address of a server; the catalogue's default if left out. */
  languageModel(modelId?: string): LanguageModelV3;
  /** Aborts what is under way and frees the models. */
  close(): Promise<void>;
}

/** `options` hold for each model. Models are opened at their first request, and stay open. */
export function createCallwright(options: Omit<EngineOptions, "model" | "tools"> = {}): Callwright {
  const engines = new Map<string, Engine>();
  const engineOf = (modelId: string): Engine => {
    const engine =
      engines.get(modelId) ?? createEngine({ ...options, ...(modelId === "" ? {} : { model: modelId }) });
    engines.set(modelId, engine);
    return engine;
  };
  const noSuch = (modelType: "embeddingModel" | "imageModel") => (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType });
  };
  return {
    specificationVersion: "v3",
    languageModel: (modelId = "") => engineModel(engineOf(modelId), modelId === "" ? "default" : modelId),
    embeddingModel: noSuch("embeddingModel"),
    imageModel: noSuch("imageModel"),
    close: async () => {
      await Promise.all([...engines.values()].map((engine) => engine.close()));
    },
  };
}
