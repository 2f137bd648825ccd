// The checks of the http cases: a path into a reply and what has to stand there.
import { expect } from "vitest";
import { createValidator } from "../../src/schema-grammar/index.ts";

export interface PathCheck {
  readonly path: string;
  readonly [kind: string]: unknown;
}

export interface CheckContext {
  // biome-ignore lint/suspicious/noExplicitAny: a case's request is read by path.
  readonly request: any;
  /** Field names that a case leaves free, by what the case calls them. */
  readonly free: Readonly<Record<string, string>>;
  readonly window: number;
}

export function checkPath(body: unknown, check: PathCheck, { request, free, window }: CheckContext): void {
  const { path: written, ...kinds } = check;
  const path = free[written] ?? written;
  const value = valueAt(body, path);
  for (const [kind, wanted] of Object.entries(kinds)) {
    const said = `${path} ${kind}`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (kind === "equals") expect(value, said).toEqual(wanted);
    else if (kind === "in") expect(wanted, said).toContain(Array.isArray(value) ? value[0] : value);
    else if (kind === "contains") expect(text, said).toContain(wanted);
    else if (kind === "notContains") expect(text, said).not.toContain(wanted);
    else if (kind === "matches") expect(text, said).toMatch(patternOf(String(wanted)));
    else if (kind === "type" && wanted === "integer") expect(Number.isInteger(value), said).toBe(true);
    else if (kind === "type") expect(typeof value, said).toBe(wanted);
    else if (kind === "minLength") expect(text.length, said).toBeGreaterThanOrEqual(Number(wanted));
    else if (kind === "max") expect(value, said).toBeLessThanOrEqual(Number(wanted));
    else if (kind === "absent") expect(value === undefined, said).toBe(wanted);
    else if (kind === "exists") expect(value !== undefined, said).toBe(wanted);
    else if (kind === "jsonEquals") expect(JSON.parse(text), said).toEqual(wanted);
    else if (kind === "equalsActualLoadedWindow") expect(value, said).toBe(window);
    else if (kind === "jsonMatchesSchemaOf") {
      expect(createValidator(schemaOf(request, String(wanted)))(JSON.parse(text)), said).toEqual([]);
    } else throw new Error(`the case has a check of the kind ${kind}, which nobody knows`);
  }
}

/** `(?i)` before a pattern, as other languages write it. */
function patternOf(text: string): RegExp {
  return text.startsWith("(?i)") ? new RegExp(text.slice(4), "i") : new RegExp(text);
}

// biome-ignore lint/suspicious/noExplicitAny: a case's request is read by path.
function schemaOf(request: any, name: string) {
  if (name === "response_format") return request.response_format.json_schema.schema;
  // biome-ignore lint/suspicious/noExplicitAny: a case's request is read by path.
  return request.tools.find((tool: any) => tool.function.name === name).function.parameters;
}

/** `a[0].b`, and `a[?type=='x'].b` for all items of which that is so. */
export function valueAt(value: unknown, path: string): unknown {
  const filter = /^(.*?)\[\?(\w+)=='([^']*)'\]\.(.*)$/.exec(path);
  if (filter !== null) {
    const [, before = "", key = "", wanted, after = ""] = filter;
    const items = valueAt(value, before) as Record<string, unknown>[];
    return items.filter((item) => item[key] === wanted).map((item) => valueAt(item, after));
  }
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .reduce<unknown>((found, step) => {
      return typeof found === "object" && found !== null
        ? (found as Record<string, unknown>)[step]
        : undefined;
    }, value);
}
