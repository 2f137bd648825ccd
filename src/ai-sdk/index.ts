// What `import … from "callwright/ai-sdk"` gives: models for the AI SDK (ai 6 and 7), over engines.
export { type Callwright, createCallwright } from "./create-callwright.ts";
export { engineModel } from "./engine-model.ts";
export type { CallwrightProviderOptions } from "./read-options.ts";
