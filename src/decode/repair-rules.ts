// The rules by which a call is repaired without loss. Each changes one thing whose meaning is certain, or does nothing.
// Knows neither the order of trying nor whether the outcome is valid: that is judged by its caller.
import { type CallFault, isJsonObject, type JsonValue, pointerSteps } from "../vocabulary/index.ts";
import type { CheckedTool, UncheckedCall } from "./check-call.ts";
import { valueAt, withoutKeyAt, withValueAt } from "./edit-json.ts";

export interface Repair {
  /** The rule's name with what it was applied to, such as `parsed-string:/edits`. */
  readonly rule: string;
  readonly pointer?: string;
  readonly before: string;
  readonly after: string;
}

export interface RepairedCall {
  readonly call: UncheckedCall;
  readonly repair: Repair;
}

export interface RepairRule {
  readonly name: string;
  /** Proposals, the likeliest first; each is tried and kept only if it takes a fault away. */
  propose(
    call: UncheckedCall,
    faults: readonly CallFault[],
    tools: readonly CheckedTool[],
  ): readonly RepairedCall[];
}

const nearName: RepairRule = {
  name: "name",
  propose(call, _faults, tools) {
    if (tools.some((tool) => tool.name === call.name)) return [];
    const near = tools.filter((tool) => plainName(tool.name) === plainName(call.name));
    const [only] = near;
    if (only === undefined || near.length > 1) return [];
    const repair = { rule: `name:${call.name}->${only.name}`, before: call.name, after: only.name };
    return [{ call: { ...call, name: only.name }, repair }];
  },
};

const decodedArguments: RepairRule = {
  name: "decoded-arguments-string",
  propose(call) {
    const decoded = typeof call.input === "string" ? parseJson(call.input) : undefined;
    if (decoded === undefined || typeof decoded !== "object" || decoded === null) return [];
    return [changed(call, decoded, "decoded-arguments-string")];
  },
};

const unwrappedEnvelope: RepairRule = {
  name: "unwrapped-envelope",
  propose(call) {
    if (!isJsonObject(call.input)) return [];
    const { name, arguments: named, parameters, ...others } = call.input;
    const inner = named ?? parameters;
    const isEnvelope =
      typeof name === "string" && plainName(name) === plainName(call.name) && isJsonObject(inner);
    if (!isEnvelope || Object.keys(others).length > 0 || (named !== undefined && parameters !== undefined))
      return [];
    return [changed(call, inner, "unwrapped-envelope")];
  },
};

const wrappedArray: RepairRule = {
  name: "wrapped-array",
  propose(call, _faults, tools) {
    const schema = tools.find((tool) => tool.name === call.name)?.inputSchema;
    if (!Array.isArray(call.input) || !isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
    const required = Array.isArray(schema.required) ? schema.required : [];
    const keys = required.length > 0 ? required : Object.keys(schema.properties);
    const [key] = keys;
    if (typeof key !== "string" || keys.length !== 1 || !isArraySchema(schema.properties[key])) return [];
    return [changed(call, { [key]: call.input }, `wrapped-array:/${key}`)];
  },
};

const parsedString: RepairRule = {
  name: "parsed-string",
  propose(call, faults) {
    return placesOf(faults).flatMap((pointer) => {
      const came = valueAt(call.input, pointer);
      const parsed = typeof came === "string" && pointer !== "" ? parseJson(came) : undefined;
      if (parsed === undefined || typeof parsed === "string" || !isSameText(came, parsed)) return [];
      return [replaced(call, pointer, parsed, "parsed-string")];
    });
  },
};

const droppedEmpty: RepairRule = dropping("dropped-empty", "");
const droppedNull: RepairRule = dropping("dropped-null", null);

/** In the order of trying: first which tool, then the shape of the arguments, then their values. */
export const repairRules: readonly RepairRule[] = [
  nearName,
  decodedArguments,
  unwrappedEnvelope,
  wrappedArray,
  parsedString,
  droppedEmpty,
  droppedNull,
];

/** An optional value that says nothing, at a place where the schema refuses it, is left out. */
function dropping(name: string, nothing: JsonValue): RepairRule {
  return {
    name,
    propose(call, faults) {
      return placesOf(faults).flatMap((pointer) => {
        const isKey = pointer !== "" && !/^[0-9]+$/.test(pointerSteps(pointer).at(-1) ?? "");
        if (!isKey || valueAt(call.input, pointer) !== nothing) return [];
        const repair = { rule: `${name}:${pointer}`, pointer, before: JSON.stringify(nothing), after: "" };
        return [{ call: { ...call, input: withoutKeyAt(call.input, pointer) }, repair }];
      });
    },
  };
}

function isArraySchema(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && [schema.type].flat().includes("array");
}

function placesOf(faults: readonly CallFault[]): readonly string[] {
  return [...new Set(faults.map((fault) => fault.pointer))];
}

function changed(call: UncheckedCall, input: JsonValue, rule: string): RepairedCall {
  const repair = { rule, pointer: "", before: JSON.stringify(call.input), after: JSON.stringify(input) };
  return { call: { ...call, input }, repair };
}

function replaced(call: UncheckedCall, pointer: string, value: JsonValue, name: string): RepairedCall {
  const before = JSON.stringify(valueAt(call.input, pointer));
  const repair = { rule: `${name}:${pointer}`, pointer, before, after: JSON.stringify(value) };
  return { call: { ...call, input: withValueAt(call.input, pointer, value) }, repair };
}

/** Names that differ in case and separators only, or by the name space that some models put before it, are the same. */
function plainName(name: string): string {
  return name
    .replace(/^functions?[.:]/, "")
    .replace(/[-_.\s]/g, "")
    .toLowerCase();
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Not JSON, so that there is nothing to decode.
    return undefined;
  }
}

/** A number must be spelled as it is read, or something would be lost (leading zeros, digits beyond a double's). */
function isSameText(came: JsonValue | undefined, parsed: JsonValue): boolean {
  return typeof parsed !== "number" || String(parsed) === String(came).trim();
}
