// BFCL describes parameters in a dialect of its own; this gives the JSON Schema that is meant.
import { isJsonObject, type JsonObject, type JsonValue } from "../../vocabulary/index.ts";

const types: Readonly<Record<string, string>> = {
  dict: "object",
  float: "number",
  tuple: "array",
  string: "string",
  integer: "integer",
  boolean: "boolean",
  array: "array",
};

/** The schema, with what BFCL adds beyond JSON Schema left out and enums made to fit their type, which wins. */
export function toInputSchema(schema: JsonObject): JsonObject {
  // `any` becomes a schema without a type.
  const type = types[String(schema.type)];
  const { optional: _, type: __, properties, items, enum: values, ...rest } = schema;
  const fitting = Array.isArray(values) ? fitEnum(values, type) : [];
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...(fitting.length === 0 ? {} : { enum: fitting }),
    ...(isJsonObject(items) ? { items: toInputSchema(items) } : {}),
    ...(isJsonObject(properties) ? { properties: mapValues(properties) } : {}),
  };
}

function mapValues(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      isJsonObject(value) ? toInputSchema(value) : value,
    ]),
  );
}

/** The values that the type has, with numbers and booleans taken out of strings. None: the enum says nothing. */
function fitEnum(values: readonly JsonValue[], type: string | undefined): readonly JsonValue[] {
  const fitted = values.map((value) =>
    typeof value === "string" && type !== "string" ? unquote(value) : value,
  );
  return [...new Set(fitted.filter((value) => hasType(value, type)))];
}

function unquote(text: string): JsonValue {
  return /^(?:true|false|-?\d+(?:\.\d+)?)$/i.test(text)
    ? (JSON.parse(text.toLowerCase()) as JsonValue)
    : text;
}

function hasType(value: JsonValue, type: string | undefined): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return true;
  }
}
