// From the name that a client writes to a model: its id, Ollama's `id:latest`, or the default one with a notice.
// A name is only ever compared with the ids there are; it never becomes a path.
import type { Notice } from "../wire/wire-api.ts";
import type { Lease, ModelPool } from "./model-pool.ts";
import { ServerError } from "./server-error.ts";
import type { ModelSource, ServedModel, ServerOptions } from "./server-options.ts";

export interface ServedModels {
  list(): Promise<readonly ServedModel[]>;
  /** The model of that name. Throws `ServerError` `model-not-found`. */
  find(
    name: string | undefined,
  ): Promise<{ readonly model: ServedModel; readonly notices: readonly Notice[] }>;
  /** Waits for it; see `ModelPool`. */
  lease(
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly lease: Lease; readonly notices: readonly Notice[] }>;
  readonly defaultId: string | undefined;
}

export function createServedModels(
  source: ModelSource,
  pool: ModelPool,
  { defaultModel, unknownModel = "default" }: Pick<ServerOptions, "defaultModel" | "unknownModel">,
): ServedModels {
  async function find(name: string | undefined) {
    const models = await source.list();
    const wanted = name?.replace(/:latest$/, "");
    const found = models.find(({ id }) => id === name || id === wanted);
    if (found !== undefined) return { model: found, notices: [] };
    const standing = models.find(({ id }) => id === defaultModel) ?? models[0];
    if (standing === undefined) {
      throw new ServerError({
        kind: "model-not-found",
        message: "No model is on this machine. Fetch one with: callwright models pull",
      });
    }
    if (name === undefined || name === "") return { model: standing, notices: [] };
    const shown = JSON.stringify(name.slice(0, 80));
    if (unknownModel === "refuse") {
      const ids = models.map(({ id }) => id).join(", ");
      const message = `There is no model ${shown} here; there are: ${ids}.`;
      throw new ServerError({ kind: "model-not-found", message });
    }
    const text = `There is no model ${shown} here: ${standing.id} answers.`;
    return { model: standing, notices: [{ code: "model-substituted", text }] };
  }

  return {
    list: () => source.list(),
    find,
    lease: async (name, signal) => {
      const { model, notices } = await find(name);
      return { lease: await pool.lease(model, signal), notices };
    },
    defaultId: defaultModel,
  };
}
