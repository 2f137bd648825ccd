// Accepted values of BFCL's Java and JavaScript items as literals of those languages, in the forms that its patterns know.
import { isDict, isList, type PythonDict, type PythonValue } from "../../src/bench/bfcl/python-value.ts";
import type { Random } from "../random.ts";

export interface LiteralType {
  readonly type: string;
  readonly itemType?: string;
}

export function writeLiteral(
  value: PythonValue,
  declared: LiteralType,
  language: "java" | "javascript",
  random: Random,
): string {
  if (isList(value)) return writeList(value, declared, language, random);
  if (isDict(value)) return writeDict(value, language);
  if (typeof value === "string") return writeText(value, declared, language, random);
  return writeScalar(value, declared.type);
}

/** What is declared as a string may be told with or without quotes in JavaScript; what is a variable has none. */
function writeText(text: string, { type }: LiteralType, language: string, random: Random): string {
  if (language === "java" || type !== "String") return text;
  return random.pick([text, `"${text}"`, `'${text}'`]);
}

function writeScalar(value: PythonValue, type: string): string {
  if (typeof value === "boolean" || value === null) return String(value);
  const digits = typeof value === "number" && Number.isInteger(value) ? `${value}.0` : String(value);
  const suffixes: Readonly<Record<string, string>> = { long: "L", float: "f", Bigint: "n" };
  // JavaScript has a float without a suffix.
  return type === "float" && typeof value === "number" ? digits : `${digits}${suffixes[type] ?? ""}`;
}

function writeList(
  list: readonly PythonValue[],
  { type, itemType }: LiteralType,
  language: string,
  random: Random,
): string {
  const items = list.map((item) => writeItem(item, itemType ?? "any")).join(", ");
  if (language === "javascript") return random.pick([`[${items}]`, `new Array(${items})`]);
  if (type === "Array") return `new Object[]${random.pick(["", " "])}{${items}}`;
  const added = list.map((item) => `add(${writeItem(item, itemType ?? "any")});`).join(" ");
  return random.pick([`new ArrayList<>(Arrays.asList(${items}))`, `new ArrayList<>() {{ ${added} }}`]);
}

function writeItem(item: PythonValue, type: string): string {
  if (isList(item)) return `[${item.map((inner) => writeItem(inner, "any")).join(", ")}]`;
  if (isDict(item)) return writeDict(item, "javascript");
  return typeof item === "string" ? `"${item}"` : writeScalar(item, type);
}

function writeDict(dict: PythonDict, language: string): string {
  const members = [...dict].map(([key, value]) => {
    const text = writeItem(value, "any");
    return language === "java" ? `put("${key}", ${text});` : `"${key}": ${text}`;
  });
  return language === "java"
    ? `new HashMap<String, Object>() {{ ${members.join(" ")} }}`
    : `{${members.join(", ")}}`;
}
