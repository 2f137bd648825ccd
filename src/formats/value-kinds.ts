// Kinds of argument values that templates write wrongly each for itself, and what each is tried with.
import { isJsonObject, type JsonObject, type JsonValue } from "../vocabulary/index.ts";

/**
 * `awkward`: text that some notation has to escape. `scalar`: a number or a boolean. `null`: that, also inside another
 * value. `none`: no arguments at all.
 */
export type ValueKind = "awkward" | "empty" | "scalar" | "null" | "nested" | "none";

/** Arguments of each kind. A template that writes these so that they read back equal writes the kind right. */
export const valueProbes: Readonly<Record<ValueKind, JsonObject>> = {
  awkward: { place_qx: " a \"b\" 'c' \\ d\n<e> & é 😀\n" },
  empty: { place_qx: "" },
  scalar: { place_qx: 5, half_qx: 2.5, flag_qx: true, more_qx: false },
  null: { place_qx: null, more_qx: [null, { deep_qx: null }] },
  nested: { place_qx: { inner_qx: ["x", 1, true, { deep_qx: "a \"b\" 'c' \\ d" }], more_qx: {} } },
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
  if (value === null) return ["null"];
  if (!isJsonObject(value) && !Array.isArray(value)) return ["scalar"];
  return holdsNull(value) ? ["nested", "null"] : ["nested"];
}

function holdsNull(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some(holdsNull));
}
