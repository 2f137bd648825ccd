// Gives values that a format writes as raw text their types, by the tool's schema: a declared string stays the text it is,
// and what is JSON of another value that the schema allows there is that value. Changes no text into another text that is valid.
import { type BareValue, readBareValue } from "../formats/index.ts";
import { isJsonObject, type JsonObject, joinPointer } from "../vocabulary/index.ts";
import { type CheckedTool, checkCall, type UncheckedCall } from "./check-call.ts";

export interface TypedCall extends UncheckedCall {
  /** The arguments as JSON, with numbers in the text's own digits. */
  readonly inputText: string;
}

/** The call with its top-level values typed. Values that fit neither way stay text, for the check to refuse. */
export function typeValues(call: UncheckedCall, tools: readonly CheckedTool[]): TypedCall {
  const { name, input } = call;
  if (!isJsonObject(input)) return { name, input, inputText: JSON.stringify(input) };
  let typed: JsonObject = input;
  const texts = new Map<string, string>();
  for (const [key, raw] of Object.entries(input)) {
    const read = typeof raw === "string" ? readBareValue(raw) : undefined;
    const isTaken = read && isBetter({ name, read, current: typed, key, tools });
    if (isTaken) typed = { ...typed, [key]: read.value };
    texts.set(key, isTaken ? read.text : JSON.stringify(raw));
  }
  const members = [...texts].map(([key, text]) => `${JSON.stringify(key)}: ${text}`);
  return { name, input: typed, inputText: `{${members.join(", ")}}` };
}

interface Reading {
  readonly name: string;
  readonly read: BareValue;
  readonly current: JsonObject;
  readonly key: string;
  readonly tools: readonly CheckedTool[];
}

/** A value is taken if nothing is wrong with it, or if what is wrong lies inside it and the text was refused as a whole. */
function isBetter({ name, read, current, key, tools }: Reading): boolean {
  const pointer = joinPointer("", key);
  const before = placesOf({ name, input: current }, pointer, tools);
  // Text that is valid gives way to JSON of another type only, as the grammar has it, and only where no digit is lost.
  if (before.length === 0 && (read.isPython || !keepsMeaning(read))) return false;
  const after = placesOf({ name, input: { ...current, [key]: read.value } }, pointer, tools);
  return after.length === 0 || (before.includes(pointer) && !after.includes(pointer));
}

/** Whether the value is no string, and says all that its text does: a number has fewer digits than a text may. */
function keepsMeaning({ value, text }: BareValue): boolean {
  if (typeof value === "number") return significance(text) === significance(String(value));
  return typeof value !== "string" && hasExactNumbers(text);
}

/** Whether every number in a JSON text is written with no more digits than it keeps. */
function hasExactNumbers(text: string): boolean {
  const numbers = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""').match(/-?[0-9][-+.0-9eE]*/g) ?? [];
  return numbers.every((number) => significance(number) === significance(String(Number(number))));
}

/** Equal for the spellings of one decimal number, and for no others: its sign, its digits, and where the point stands. */
function significance(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  const scale = Number(exponent) - fraction.length + digits.length - kept.length;
  return `${mantissa.startsWith("-") ? "-" : ""}${kept}e${scale}`;
}

function placesOf(call: UncheckedCall, pointer: string, tools: readonly CheckedTool[]): readonly string[] {
  return checkCall(call, tools)
    .map((fault) => fault.pointer)
    .filter((place) => place === pointer || place.startsWith(`${pointer}/`));
}
