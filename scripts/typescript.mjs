// Lets every supported Node run the TypeScript programs of this repository without building them first:
// `node --import ./scripts/typescript.mjs bench/verify-calls.ts`. Worker threads and forked processes inherit it.
import { register } from "node:module";

register("./typescript-hooks.mjs", import.meta.url);
