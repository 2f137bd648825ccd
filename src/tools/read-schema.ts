// Schemas as tools may bring them: JSON Schema, or any object that gives its own by the Standard JSON Schema convention
// (https://standardschema.dev/json-schema), such as one of zod 4. Such an object also has the last word on values.
import { CallwrightError, isJsonObject, type JsonSchema } from "../vocabulary/index.ts";

/** What of the convention is used. */
export interface StandardSchema {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => unknown;
    };
  };
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard: unknown = Reflect.get(schema, "~standard");
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

/** The JSON Schema of a schema. Throws `tool-invalid` where there is none. */
export function readJsonSchema(schema: JsonSchema | StandardSchema, tool: string): JsonSchema {
  if (!isStandardSchema(schema)) return schema;
  const { jsonSchema, vendor } = schema["~standard"];
  const given = jsonSchema?.input({ target: "draft-2020-12" });
  if (typeof given === "boolean" || isJsonObject(given)) return given;
  throw new CallwrightError(
    "tool-invalid",
    `The schema of the tool ${JSON.stringify(tool)} (${vendor}) gives no JSON Schema: use a version that does, or write JSON Schema.`,
    { pointer: "/inputSchema" },
  );
}

/** The value as the schema reads it, or what it says against it. */
export async function readValue(
  schema: StandardSchema,
  value: unknown,
): Promise<{ readonly value: unknown } | { readonly refusal: string }> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.map(({ message, path = [] }) => {
    const place = path.map((step) => String(isKeyed(step) ? step.key : step)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return { refusal: issues.join("; ") };
}

function isKeyed(step: unknown): step is { readonly key: unknown } {
  return typeof step === "object" && step !== null && "key" in step;
}
