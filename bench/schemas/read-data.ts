// Reads the data sets that the schema bench measures on: MaskBench lines, and the official test suite's archive.
// Both become cases of one schema with instances; nothing is judged here.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { isDict, isList, type PythonValue, parsePython } from "../../src/bench/bfcl/python-value.ts";
import type { FormatMode } from "../../src/schema-grammar/index.ts";
import { isJsonObject, type JsonValue, joinPointer } from "../../src/vocabulary/index.ts";

export interface SchemaCase {
  readonly name: string;
  /** The group of the report that it belongs to. */
  readonly split: string;
  readonly schema: unknown;
  readonly tests: readonly SchemaTest[];
  readonly formats?: FormatMode;
}

export interface SchemaTest {
  readonly valid: boolean;
  readonly data: JsonValue;
  /**
   * JSON pointers to whole numbers that the data set writes with a fraction or an exponent. Only draft-04 asks: there an
   * integer is a number without either (zyp-json-schema-04, section 3.5), so that 1.0 is none.
   */
  readonly fractions?: ReadonlySet<string>;
}

export interface SchemaData {
  readonly cases: readonly SchemaCase[];
  /** Documents that references may name. */
  readonly documents: Readonly<Record<string, unknown>>;
}

const dialects: Readonly<Record<string, string>> = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** Reads a file of JSON lines (plain or `.gz`), or a `.tar.gz` of the official suite. */
export function readData(path: string): SchemaData {
  const bytes = readFileSync(path);
  if (path.endsWith(".tar.gz")) return readSuite(gunzipSync(bytes));
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const cases = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(readLine);
  return { cases, documents: {} };
}

function readLine(line: string): SchemaCase {
  const row = JSON.parse(line) as Omit<SchemaCase, "split">;
  const split = /^[A-Za-z]+_?[a-z]*/.exec(row.name)?.[0] ?? row.name;
  const isDraft04 = isJsonObject(row.schema) && String(row.schema.$schema).includes("/draft-04/");
  const tests = row.tests ?? [];
  return {
    ...row,
    tests: isDraft04 ? withFractions(tests, memberOf(parsePython(line), "tests")) : tests,
    split: knownSplit(row.name) ?? split,
  };
}

/** The tests with what only the text tells: `written` are the same tests, ints and floats told apart. */
function withFractions(tests: SchemaCase["tests"], written: PythonValue): SchemaCase["tests"] {
  const items = isList(written) ? written : [];
  return tests.map((test, index) => {
    const fractions = new Set(fractionsIn(memberOf(items[index] ?? null, "data"), ""));
    return fractions.size === 0 ? test : { ...test, fractions };
  });
}

function memberOf(value: PythonValue, key: string): PythonValue {
  return isDict(value) ? (value.get(key) ?? null) : null;
}

function fractionsIn(value: PythonValue, pointer: string): readonly string[] {
  if (isList(value)) return value.flatMap((item, index) => fractionsIn(item, joinPointer(pointer, index)));
  if (isDict(value)) {
    return [...value].flatMap(([key, member]) => fractionsIn(member, joinPointer(pointer, key)));
  }
  return typeof value === "number" && Number.isInteger(value) ? [pointer] : [];
}

function knownSplit(name: string): string | undefined {
  const splits = ["BFCL", "Glaiveai2K", "Glaive", "JME", "MCP", "Kubernetes", "Snowplow", "JsonSchemaStore"];
  return splits.find((split) => name.startsWith(split)) ?? /^Github_[a-z]+/.exec(name)?.[0];
}

function readSuite(archive: Buffer): SchemaData {
  const files = readTar(archive);
  const documents: Record<string, unknown> = {};
  const cases: SchemaCase[] = [];
  for (const [path, content] of files) {
    if (!path.endsWith(".json")) continue;
    const remote = /(?:^|\/)remotes\/(.+)$/.exec(path)?.[1];
    if (remote !== undefined) documents[`http://localhost:1234/${remote}`] = JSON.parse(content);
    const test = /(?:^|\/)tests\/([^/]+)\/(.+)\.json$/.exec(path);
    if (test?.[1] !== undefined && test[2] !== undefined)
      cases.push(...readGroups(test[1], test[2], content));
  }
  return { cases, documents };
}

function readGroups(draft: string, file: string, content: string): SchemaCase[] {
  const dialect = dialects[draft];
  if (dialect === undefined) return [];
  const groups = JSON.parse(content) as {
    description: string;
    schema: unknown;
    tests: SchemaCase["tests"];
  }[];
  const kind = file.startsWith("optional/format/")
    ? "format"
    : file.startsWith("optional/")
      ? "optional"
      : "required";
  const written = draft === "draft4" ? parsePython(content) : [];
  return groups.map((group, index) => ({
    name: `${draft}/${file}: ${group.description}`,
    split: `${draft} ${kind}`,
    schema: withDialect(group.schema, dialect),
    tests: isList(written)
      ? withFractions(group.tests, memberOf(written[index] ?? null, "tests"))
      : group.tests,
    ...(kind === "format" ? { formats: "assert" as const } : {}),
  }));
}

function withDialect(schema: unknown, dialect: string): unknown {
  return isJsonObject(schema) && schema.$schema === undefined ? { $schema: dialect, ...schema } : schema;
}

/** Names and texts of the files in a tar archive (POSIX ustar, with the long names that GNU tar and pax write). */
function readTar(archive: Buffer): readonly (readonly [path: string, content: string])[] {
  const files: [string, string][] = [];
  let longName: string | undefined;
  for (let at = 0; at + 512 <= archive.length; ) {
    const header = archive.subarray(at, at + 512);
    const field = (from: number, length: number) =>
      header.toString("utf8", from, from + length).split("\0", 1)[0] ?? "";
    if (field(0, 100) === "") break;
    const size = Number.parseInt(field(124, 12).trim(), 8) || 0;
    const content = archive.toString("utf8", at + 512, at + 512 + size);
    const type = field(156, 1);
    const prefix = field(345, 155);
    if (type === "L") longName = content.split("\0", 1)[0];
    else if (type === "x") longName = /\d+ path=(.*)\n/.exec(content)?.[1];
    else {
      if (type === "0" || type === "")
        files.push([longName ?? (prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`), content]);
      longName = undefined;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
