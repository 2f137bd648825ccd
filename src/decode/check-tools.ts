// How a profile's tools are compiled, and whether tools can be offered at all, which needs no model to be known.
import { defaultProfile, type Profile } from "../models/profile.ts";
import type { CompileOptions } from "../schema-grammar/index.ts";
import {
  CallwrightError,
  deepestNesting,
  type ToolChoice,
  type ToolDescription,
} from "../vocabulary/index.ts";
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
    readLevels: deepestNesting,
  };
}

/**
 * Throws as `compileTools` does where tools cannot be offered, before a model is loaded for them; and `tool-choice-unknown`
 * where a call is asked for of which every tool is left out.
 */
export function checkTools(
  tools: readonly ToolDescription[],
  options: { readonly toolChoice?: ToolChoice; readonly onBadTool: "refuse" | "leave-out" },
): void {
  const { toolChoice = "auto", onBadTool } = options;
  if (toolChoice === "none") return;
  const { leftOut } = compileTools(tools, { compile: toolCompileOptions(defaultProfile), onBadTool });
  if (toolChoice === "auto") return;
  const wanted = toolChoice === "required" ? tools : tools.filter((tool) => tool.name === toolChoice.name);
  const reasons = leftOut.filter(({ name }) => wanted.some((tool) => tool.name === name));
  if (reasons.length === 0 || reasons.length < wanted.length) return;
  const why = reasons.map(({ error }) => error.message).join(" ");
  throw new CallwrightError(
    "tool-choice-unknown",
    `A call is asked for, but no tool for it can be offered. ${why}`,
  );
}
