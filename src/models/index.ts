export {
  type Catalogue,
  type LoadCatalogueOptions,
  layersOfEndpoint,
  layersOfModel,
  loadCatalogue,
} from "./catalogue.ts";
export type { EndpointEntry } from "./endpoint-entry.ts";
export { type FetchModelOptions, type FetchProgress, fetchModel } from "./fetch-model.ts";
export { checkModelFile, type FileCheck, removeModelFile } from "./file-record.ts";
export { type FindModelOptions, type FoundModel, findModel, nameModel, profileLayers } from "./find-model.ts";
export { homeFolder, inheritedEnvironment, journalFolder } from "./home-folder.ts";
export {
  type FetchableModel,
  kindOfSource,
  type ModelEntry,
  type ModelSource,
  type NamedProfile,
  type SourceKind,
  sourceKinds,
} from "./model-entry.ts";
export { modelPath } from "./model-path.ts";
export { hasPartial } from "./partial-file.ts";
export type { PartialProfile, Profile, Sampling } from "./profile.ts";
export { defaultProfile, layProfiles, resolveProfile } from "./profile.ts";
export {
  describeOrigin,
  type ExplainedValue,
  explainLayers,
  type ProfileLayer,
  type ProfileOrigin,
  resolveLayers,
} from "./profile-layers.ts";
