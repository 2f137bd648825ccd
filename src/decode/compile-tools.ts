// Compiles the tools of a request, each on its own and cached by schema, and finds those that cannot be offered.

import type { OfferedTool } from "../formats/index.ts";
import { createMatcher } from "../gbnf-builder/index.ts";
import {
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
  notAnExpression,
} from "../schema-grammar/index.ts";
import { CallwrightError, findNonJson, isJsonObject, type ToolDescription } from "../vocabulary/index.ts";
import { LRUCache } from "./lru-cache.ts";

interface CompiledInput {
  readonly schema: CompiledSchema;
  readonly allowsObject: boolean;
}

/** Compiled schemas by options and text. Weighs entries by the length of their schema. */
const compiled = new LRUCache<string, CompiledInput>({
  maxSize: 8 << 20,
  sizeCalculation: (_value, key) => key.length + 1,
});

export interface CompiledTools {
  readonly tools: readonly OfferedTool[];
  /** Tools left out, where the request allows that. */
  readonly leftOut: readonly { readonly name: string; readonly error: CallwrightError }[];
}

/**
 * Throws `CallwrightError`: `tool-duplicate`, `tool-invalid` (no usable name), `schema-invalid`, `schema-too-deep`,
 * `schema-unsatisfiable`; the message names tool, pointer and keyword. With `leave-out` bad schemas are left out instead.
 */
export function compileTools(
  tools: readonly ToolDescription[],
  options: { readonly compile: CompileOptions; readonly onBadTool: "refuse" | "leave-out" },
): CompiledTools {
  const names = new Set<string>();
  const offered: OfferedTool[] = [];
  const leftOut: { name: string; error: CallwrightError }[] = [];
  for (const [index, tool] of tools.entries()) {
    if (typeof tool.name !== "string" || tool.name.trim() === "") {
      throw new CallwrightError("tool-invalid", `Tool ${index} has no name. Give each tool a name.`, {
        pointer: `/${index}/name`,
      });
    }
    const fault = findNameFault(tool.name);
    if (fault !== undefined) {
      const shown = JSON.stringify(tool.name.slice(0, 40));
      throw new CallwrightError("tool-invalid", `The name of tool ${index}, ${shown}, ${fault}. Rename it.`, {
        pointer: `/${index}/name`,
      });
    }
    if (names.has(tool.name)) {
      throw new CallwrightError(
        "tool-duplicate",
        `Two tools are named "${tool.name}". Rename one: the model tells tools apart by name.`,
        { pointer: `/${index}/name` },
      );
    }
    names.add(tool.name);
    try {
      offered.push({ ...tool, compiled: compileTool(tool, options.compile) });
    } catch (error) {
      if (!(error instanceof CallwrightError) || options.onBadTool === "refuse") throw error;
      leftOut.push({ name: tool.name, error });
    }
  }
  return { tools: offered, leftOut };
}

/** Longer than any tool's name that is meant to be read. */
const longestName = 256;

function findNameFault(name: string): string | undefined {
  if (name.length > longestName) return `has more than ${longestName} characters`;
  if (/\p{Cc}/u.test(name)) return "holds a control character";
  return /\p{Surrogate}/u.test(name) ? "holds half a character (a lone surrogate)" : undefined;
}

function compileTool(tool: ToolDescription, options: CompileOptions): CompiledSchema {
  const stranger = findNonJson(tool.inputSchema);
  if (stranger !== undefined) {
    throw new CallwrightError(
      "schema-invalid",
      `Tool "${tool.name}": its schema is no JSON at ${stranger.pointer || "its root"}: ${stranger.came}.`,
      { pointer: stranger.pointer },
    );
  }
  const { layout, ...others } = options;
  const key = JSON.stringify([others, layout?.key, tool.inputSchema]);
  const known = compiled.get(key);
  const result = known ?? compileInput(tool, options);
  if (!known) compiled.set(key, result);
  if (!result.schema.satisfiable) {
    throw new CallwrightError(
      "schema-unsatisfiable",
      `No arguments can satisfy the input schema of tool "${tool.name}". Mend the schema, or leave the tool out.`,
      { pointer: "" },
    );
  }
  if (!result.allowsObject) {
    throw new CallwrightError(
      "schema-unsatisfiable",
      `The input schema of tool "${tool.name}" allows no object, but arguments are always an object. Give it "type": "object".`,
      { pointer: "" },
    );
  }
  if (tool.strict === true) refuseUnchecked(tool.name, result.schema);
  return result.schema;
}

function refuseUnchecked(name: string, { residual }: CompiledSchema): void {
  const found = residual.find(({ reason }) => reason === notAnExpression);
  if (found === undefined) return;
  const { pointer, keyword, reason } = found;
  throw new CallwrightError(
    "schema-invalid",
    `Tool "${name}" is strict, but nobody can check its schema at ${pointer}: ${keyword} is ${reason}. Mend it.`,
    { pointer },
  );
}

function compileInput(tool: ToolDescription, options: CompileOptions): CompiledInput {
  const schema = compileNamed(tool, options);
  return { schema, allowsObject: schema.satisfiable && allowsObject(tool.inputSchema, schema, options) };
}

const openingBrace = new TextEncoder().encode("{");

function allowsObject(
  schema: ToolDescription["inputSchema"],
  { grammar }: CompiledSchema,
  { layout }: CompileOptions,
): boolean {
  if (layout?.onlyObjects === true || (isJsonObject(schema) && schema.type === "object")) return true;
  const matcher = createMatcher(grammar);
  return matcher.advance(matcher.start, openingBrace) >= 0;
}

/** The compiler knows no tools; its errors get the tool's name here. */
function compileNamed(tool: ToolDescription, options: CompileOptions): CompiledSchema {
  try {
    return compileSchema(tool.inputSchema, options);
  } catch (error) {
    if (!(error instanceof CallwrightError)) throw error;
    throw new CallwrightError(error.code, `Tool "${tool.name}": ${error.message}`, {
      cause: error,
      ...(error.pointer === undefined ? {} : { pointer: error.pointer }),
    });
  }
}
