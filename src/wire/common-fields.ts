// Fields that mean the same in several APIs: sampling, stop texts, the additions under `callwright`, schemas of answers.
import { type AnswerForm, isJsonObject, type JsonSchema, type SamplingOptions } from "../vocabulary/index.ts";
import { type Fields, fieldFault, kindOf } from "./read-fields.ts";
import type { Notice, WireRequest, WireTurn } from "./wire-api.ts";

/** Texts that end an answer may be this many and this long. */
const stopLimits = { texts: 16, characters: 256 };

/** Sampling by the names that OpenAI, Anthropic, Ollama and llama-server share. */
export function readSampling(fields: Fields): SamplingOptions {
  return present({
    temperature: fields.number("temperature", { least: 0, most: 2 }),
    topP: fields.number("top_p", { least: 0, most: 1 }),
    topK: wholeOrAll(fields, "top_k"),
    minP: fields.number("min_p", { least: 0, most: 1 }),
    presencePenalty: penalty(fields, "presence_penalty"),
    frequencyPenalty: penalty(fields, "frequency_penalty"),
  });
}

/** Samplers of llama-server and Ollama that are not built here, with what switches each off. */
export const otherSamplers = {
  repeat_penalty: { unless: [0, 1], instead: "use frequency_penalty" },
  repetition_penalty: { unless: [0, 1], instead: "use frequency_penalty" },
  typical_p: { unless: [1] },
  tfs_z: { unless: [1] },
  mirostat: { unless: [0] },
  dynatemp_range: { unless: [0] },
  dry_multiplier: { unless: [0] },
  xtc_probability: { unless: [0] },
  top_n_sigma: { unless: [-1, 0] },
} as const;

/** A text or a list of them. Empty ones end nothing. */
export function readStop(fields: Fields, name: string): readonly string[] | undefined {
  const given = fields.value(name);
  if (given === undefined) return undefined;
  const texts = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  if (!texts.every((text) => typeof text === "string")) {
    throw fields.fault(name, `expected a text or a list of texts, came ${kindOf(given)}`);
  }
  if (texts.length > stopLimits.texts) {
    throw fields.fault(name, `expected at most ${stopLimits.texts} texts, came ${texts.length}`);
  }
  if (texts.some((text) => text.length > stopLimits.characters)) {
    throw fields.fault(name, `expected texts of at most ${stopLimits.characters} characters`);
  }
  const stops = texts.filter((text) => text !== "");
  return stops.length === 0 ? undefined : stops;
}

export interface Additions {
  readonly turn: Partial<WireTurn>;
  readonly progress: boolean;
}

/** What a request says under `callwright`. */
export function readAdditions(fields: Fields): Additions {
  const own = fields.fields("callwright");
  if (own === undefined) return { turn: {}, progress: false };
  const mode = own.oneOf("reasoning", ["on", "off", "auto"]);
  const budget = own.whole("reasoning_budget", { least: 0 });
  const reasoning = present({ mode, budget });
  return {
    turn: present({
      context: own.oneOf("context", ["fit", "whole"]),
      onBadTool: own.oneOf("on_bad_tool", ["refuse", "leave-out"]),
      sampleCalls: own.flag("sample_calls"),
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    }),
    progress: own.flag("progress") ?? false,
  };
}

/** A JSON Schema; what it says is checked where it is compiled. */
export function readSchema(fields: Fields, name: string): JsonSchema | undefined {
  const given = fields.value(name);
  if (given === undefined || typeof given === "boolean" || isJsonObject(given)) return given;
  throw fields.fault(name, `expected a JSON Schema, came ${kindOf(given)}`);
}

/** OpenAI's three forms of an answer, in both of its APIs; llama-server's `{type, schema}` is read as well. */
export function readAnswerForm(fields: Fields): AnswerForm | undefined {
  switch (fields.oneOf("type", ["text", "json_object", "json_schema"])) {
    case "json_object":
    case "json_schema": {
      const schema = readSchema(fields.fields("json_schema") ?? fields, "schema");
      if (schema !== undefined) return { type: "schema", schema };
      if (fields.text("type") === "json_object") return { type: "json" };
      throw fields.fault("schema", "a json_schema needs its schema");
    }
    case "text":
      return undefined;
    default:
      throw fields.fault("type", "expected text, json_object or json_schema");
  }
}

/** `low` to `high`; other efforts are the nearest of them, and none at all switches reasoning off. */
export function readEffort(fields: Fields, name: string): WireTurn["reasoning"] {
  const effort = fields.oneOf(name, ["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
  switch (effort) {
    case undefined:
      return undefined;
    case "none":
      return { mode: "off" };
    case "minimal":
    case "low":
      return { mode: "on", effort: "low" };
    case "medium":
      return { mode: "on", effort: "medium" };
    default:
      return { mode: "on", effort: "high" };
  }
}

/** Tools that somebody else would have to run. They are left out, since the others work without them. */
export function hostedToolNotice(kind: string): Notice {
  return { code: "hosted-tool", text: `The tool kind "${kind}" is not run here and was left out.` };
}

/** Leaves out what is undefined. */
export function present<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A request with nothing said but what is given. */
export function wireRequest(
  parts: Pick<WireRequest, "turn"> & Partial<Record<keyof WireRequest, unknown>>,
): WireRequest {
  const base = { stream: false, choices: 1, notices: [], progress: false, includeUsage: false };
  return { ...base, ...present(parts) } as WireRequest;
}

/** The names of allowed tools; each has to be among those that are there. */
export function checkAllowed(
  names: readonly string[],
  tools: readonly { readonly name: string }[],
  pointer: string,
): readonly string[] {
  const stranger = names.find((name) => !tools.some((tool) => tool.name === name));
  if (stranger !== undefined) throw fieldFault(pointer, `${JSON.stringify(stranger)} is not among the tools`);
  return names;
}

function penalty(fields: Fields, name: string): number | undefined {
  const given = fields.number(name, { least: -2, most: 2 });
  if (given !== undefined && given < 0) {
    throw fields.fault(name, `a negative ${name} is not supported; give 0 to 2`);
  }
  return given;
}

/** llama-server and Ollama write "all" as -1 or 0. */
function wholeOrAll(fields: Fields, name: string): number | undefined {
  const given = fields.whole(name, { least: -1 });
  return given === undefined ? undefined : Math.max(0, given);
}
