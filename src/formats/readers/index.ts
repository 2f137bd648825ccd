// Formats that are read but not written yet: for transcripts and for models that cannot be constrained.
export { gemma4 } from "./gemma4.ts";
export { glmXml } from "./glm-xml.ts";
export { lfmPy } from "./lfm-py.ts";
export { qwenXml } from "./qwen-xml.ts";
