// Kinds of argument values that templates write wrongly each for itself, and what each is tried with.
import { isJsonObject, type JsonObject, type JsonValue } from "../vocabulary/index.ts";

/** `awkward`: text that some notation has to escape. `scalar`: what is no text and has no parts. `none`: no arguments at all. */
export type ValueKind = "awkward" | "empty" | "scalar" | "nested" | "none";

/** Arguments of each kind. A template that writes these so that they read back equal writes the kind right. */
export const valueProbes: Readonly<Record<ValueKind, JsonObject>> = {
  awkward: { place_qx: " a \"b\" 'c' \\ d\n<e> & é 😀\n" },
  empty: { place_qx: "" },
  scalar: { place_qx: 5, half_qx: 2.5, flag_qx: true, none_qx: null },
  nested: { place_qx: { inner_qx: ["x", 1, true, null, { deep_qx: "a \"b\" 'c' \\ d" }], more_qx: {} } },
  none: {},
};

/** The kinds that the arguments of a call have. */
export function valueKinds(input: JsonObject): ReadonlySet<ValueKind> {
  const values = Object.values(input);
  return new Set(values.length === 0 ? ["none"] : values.flatMap(kindOf));
}

function kindOf(value: JsonValue): readonly ValueKind[] {
  if (typeof value === "string") {
    if (value === "") return ["empty"];
    return /^[\w.,:;!?/+-]+( [\w.,:;!?/+-]+)*$/.test(value) ? [] : ["awkward"];
  }
  return isJsonObject(value) || Array.isArray(value) ? ["nested"] : ["scalar"];
}
