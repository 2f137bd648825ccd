// Judges one call strictly: is the tool offered, are its arguments an object that the schema allows, no key invented.
// Faults are values for the model, never errors. Repairs nothing.
import { createValidator, type ValueFault } from "../schema-grammar/index.ts";
import {
  type CallFault,
  findNonJson,
  isJsonObject,
  type JsonValue,
  joinPointer,
  type ToolDescription,
} from "../vocabulary/index.ts";
import { type UndeclaredKey, undeclaredKeys } from "./undeclared-keys.ts";

/** What judging a call needs of a tool. */
export type CheckedTool = Pick<ToolDescription, "name" | "inputSchema">;

export interface UncheckedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** Why the call cannot be made; none means that it is valid. Throws `CallwrightError` for a malformed schema only. */
export function checkCall(call: UncheckedCall, tools: readonly CheckedTool[]): readonly CallFault[] {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return [unknownTool(call.name, tools)];
  if (!isJsonObject(call.input)) {
    return [{ pointer: "", keyword: "type", expected: "object", came: JSON.stringify(call.input) }];
  }
  const invented = undeclaredKeys(tool.inputSchema, call.input);
  const said = new Set(invented.map((key) => key.pointer));
  const faults = createValidator(tool.inputSchema)(call.input).map((fault) => toCallFault(fault, call.input));
  const kept = faults.filter((fault) => !isAboutKey(fault, said));
  const tooLarge = numberFault(call.input);
  return tooLarge === undefined
    ? [...kept, ...invented.map(toKeyFault)]
    : [tooLarge, ...kept.filter((fault) => fault.pointer !== tooLarge.pointer), ...invented.map(toKeyFault)];
}

/** The fault of a name that no tool has. */
export function unknownTool(name: string, tools: readonly CheckedTool[]): CallFault {
  const names = tools.map((tool) => tool.name).join(", ") || "none";
  return { pointer: "", keyword: "tool", expected: `one of the tools ${names}`, came: name };
}

/** JSON can spell numbers that are infinite once they are read (RFC 8259, section 6). A tool never gets them. */
function numberFault(input: JsonValue): CallFault | undefined {
  const found = findNonJson(input);
  return found && { ...found, keyword: "type", expected: "a number that fits a double" };
}

function toCallFault(fault: ValueFault, input: JsonValue): CallFault {
  const { pointer, keyword, expected, came, params } = fault;
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra === "string") {
    return { pointer: joinPointer(pointer, extra), keyword: "additionalProperties", expected, came: extra };
  }
  if (keyword === "uniqueItems") return repeatedItem(fault);
  if (keyword !== "required") return { pointer, keyword, expected, came };
  const missing = String(params.missingProperty);
  const present = pointer === "" && isJsonObject(input) ? Object.keys(input).join(", ") || "nothing" : came;
  return { pointer, keyword, expected: `${missing} (required)`, came: present };
}

/** The later of two equal items is what has to change; the array as a whole is not. */
function repeatedItem({ pointer, keyword, expected, came, params }: ValueFault): CallFault {
  const { i, j } = params;
  if (typeof i !== "number" || typeof j !== "number") return { pointer, keyword, expected, came };
  const [first, later] = i < j ? [i, j] : [j, i];
  return {
    pointer: joinPointer(pointer, String(later)),
    keyword,
    expected: "an item that is not in the list yet",
    came: `the same as item ${first}`,
  };
}

function isAboutKey(fault: CallFault, pointers: ReadonlySet<string>): boolean {
  return fault.keyword === "additionalProperties" && pointers.has(fault.pointer);
}

function toKeyFault({ pointer, key, declared }: UndeclaredKey): CallFault {
  const expected = declared.length === 0 ? "no parameters" : `one of the parameters ${declared.join(", ")}`;
  return { pointer, keyword: "additionalProperties", expected, came: key };
}
