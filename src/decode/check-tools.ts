// How a profile's tools are compiled, and whether tools can be offered at all, which needs no model to be known.
import { defaultProfile, type Profile } from "../models/profile.ts";
import type { CompileOptions } from "../schema-grammar/index.ts";
import type { ToolDescription } from "../vocabulary/index.ts";
import { compileTools } from "./compile-tools.ts";

/** Digits of a number that nobody needs more of. */
const digitLimit = 20;

export function toolCompileOptions({ calls }: Pick<Profile, "calls">): CompileOptions {
  return {
    objects: "closed",
    keyOrder: calls.keyOrder,
    // The validator asserts formats whatever the dialect says, so the grammar has to as well.
    formats: "assert",
    caps: {
      stringLength: calls.stringLimit,
      items: calls.itemLimit,
      digits: digitLimit,
      depth: calls.depthLimit,
    },
  };
}

/** Throws as `compileTools` does where tools cannot be offered, before a model is loaded for them. */
export function checkTools(tools: readonly ToolDescription[], onBadTool: "refuse" | "leave-out"): void {
  compileTools(tools, { compile: toolCompileOptions(defaultProfile), onBadTool });
}
