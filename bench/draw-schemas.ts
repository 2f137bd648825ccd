// Draws tool-like schemas by seed from a MaskBench file, and words a request for each. Also reads our own set.
// Knows nothing of models; whether a schema can be met is found out by whoever compiles it.
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../src/vocabulary/index.ts";
import { createRandom } from "./random.ts";

/** A schema to call a tool by. `id` is unique in its file, `name` is fit for a tool. */
export interface ToolSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly schema: JsonSchema;
}

/** Names of the MaskBench splits that came from tools begin so. */
const toolSplits = ["BFCL", "Glaive", "JME", "MCP"];

/**
 * Reads the tool-like schemas of a MaskBench file: JSON lines `{ name, schema, … }`, plain or `.gz`, in order of their names,
 * so that a draw does not depend on the file's order. Throws where a line is not of that form.
 */
export async function readToolLikeSchemas(path: string): Promise<readonly ToolSchema[]> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  // A pipe does not hand on the source's error.
  file.on("error", (error) => input.destroy(error));
  const found: ToolSchema[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const row: unknown = JSON.parse(line);
    if (!isRow(row)) throw new Error(`${path}: a line has no name or no schema: ${line.slice(0, 80)}`);
    if (!toolSplits.some((split) => row.name.startsWith(split))) continue;
    found.push(describeRow(row));
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** `count` of the items, the same ones in the same order for the same seed; all of them, shuffled, where there are fewer. */
export function drawBySeed<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const pool = [...items];
  const random = createRandom(seed);
  const wanted = Math.min(count, pool.length);
  for (let at = 0; at < wanted; at += 1) {
    const other = at + random.below(pool.length - at);
    [pool[at], pool[other]] = [pool[other] as T, pool[at] as T];
  }
  return pool.slice(0, wanted);
}

/** The hand-made schemas that come with the repository. */
export function readOwnSchemas(): readonly ToolSchema[] {
  const file = new URL("../test/with-model/schemas/own-tool-schemas.json", import.meta.url);
  const rows = JSON.parse(readFileSync(file, "utf8")) as readonly Omit<ToolSchema, "id">[];
  return rows.map((row) => ({ ...row, id: `own-${row.name}` }));
}

interface Row {
  readonly name: string;
  readonly schema: JsonSchema;
}

function isRow(row: unknown): row is Row {
  return (
    isJsonObject(row) &&
    typeof row.name === "string" &&
    (isJsonObject(row.schema) || typeof row.schema === "boolean")
  );
}

function describeRow(row: Row): ToolSchema {
  const name = toolName(row.name);
  const description = stated(row.schema) ?? `Does what its name says: ${inWords(name)}.`;
  const keys = keysOf(row.schema).slice(0, 12).map(inWords);
  const values = keys.length === 0 ? "" : ` Choose sensible values for ${keys.join(", ")}.`;
  return {
    id: row.name,
    name,
    description,
    prompt: `${description} Please use ${name}.${values}`,
    schema: row.schema,
  };
}

/** The part after the split's name, without the hash at its end, in characters that every format can write. */
function toolName(rowName: string): string {
  const own = rowName.split("---").at(-1) ?? rowName;
  const fit = own.replace(/_[0-9a-f]{8}$/, "").replace(/[^A-Za-z0-9_-]/g, "_");
  return fit.slice(0, 64);
}

function stated(schema: JsonSchema): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const text = [schema.description, schema.title].find(
    (candidate): candidate is string => typeof candidate === "string" && candidate.trim() !== "",
  );
  return text?.trim().replace(/([^.!?])$/, "$1.");
}

function keysOf(schema: JsonSchema): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const first = firstAlternative(schema.anyOf ?? schema.oneOf);
  const properties = schema.properties ?? first?.properties;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function firstAlternative(alternatives: JsonValue | undefined): JsonObject | undefined {
  if (!Array.isArray(alternatives)) return undefined;
  return alternatives.find(isJsonObject);
}

function inWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();
}
