export { createApp, type ServerApp } from "./app.ts";
export { type CatalogueModelsOptions, catalogueModels } from "./catalogue-models.ts";
export { type RunningServer, type ServeOptions, serve } from "./serve.ts";
export {
  defaultServerLimits,
  type ModelSource,
  type ServedModel,
  type ServerLimits,
  type ServerOptions,
} from "./server-options.ts";
