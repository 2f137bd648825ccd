// Python's `int(text)` and `float(text)` for the texts that literals are made of.

const digits = "\\d+(?:_\\d+)*";
const wholeNumber = new RegExp(`^\\s*[+-]?${digits}\\s*$`);
const decimalNumber = new RegExp(
  `^\\s*[+-]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][+-]?${digits})?\\s*$`,
);

/** Undefined where Python raises a `ValueError`. */
export function pythonInt(text: string): bigint | undefined {
  return wholeNumber.test(text) ? BigInt(text.trim().replaceAll("_", "").replace(/^\+/, "")) : undefined;
}

/** Undefined where Python raises a `ValueError`. */
export function pythonFloat(text: string): number | undefined {
  const special = /^\s*([+-]?)(inf|infinity|nan)\s*$/i.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return decimalNumber.test(text) ? Number(text.trim().replaceAll("_", "")) : undefined;
}
