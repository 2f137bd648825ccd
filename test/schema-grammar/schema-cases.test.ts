// Real users' schemas: a text is in where the grammar has it on one line with or without spaces, in any order of keys
// that few enough keys allow.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { type CompiledSchema, compileSchema, createValidator } from "../../src/schema-grammar/index.ts";

interface SchemaCase {
  readonly id: string;
  readonly kind: string;
  readonly input: { readonly schema: unknown; readonly instances: readonly string[] };
  readonly expected: {
    readonly compile: "ok" | "error";
    readonly valid: readonly boolean[];
    readonly grammar: readonly ("must-accept" | "must-reject" | "must-reject-or-warned" | "either")[];
    readonly errorMentions?: readonly string[];
    readonly warnings?: readonly { readonly pointer: string; readonly about: string }[];
  };
}

const folder = new URL("../cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as SchemaCase)
  .filter(({ kind }) => kind === "schema");

describe("schema cases", () => {
  it("are all here", () => {
    expect(cases.length).toBe(28);
  });

  it.each(cases.filter(({ expected }) => expected.compile === "error"))(
    "$id is an error that says where",
    (schemaCase) => {
      const { input, expected } = schemaCase;
      const compile = () => compileSchema(schemaOf(input.schema), { objects: "closed" });
      for (const text of expected.errorMentions ?? []) expect(compile).toThrow(text);
    },
  );

  it.each(cases.filter(({ expected }) => expected.compile === "ok"))("$id", ({ input, expected }) => {
    const compiled = compileAll(schemaOf(input.schema));
    const validate = createValidator(input.schema);
    for (const [index, text] of input.instances.entries()) {
      const isIn = compiled.some(({ grammar }) => acceptsText(grammar, text));
      const wanted = expected.grammar[index];
      if (wanted === "must-accept") expect(isIn, text.slice(0, 200)).toBe(true);
      if (wanted === "must-reject") expect(isIn, text.slice(0, 200)).toBe(false);
      if (wanted === "must-reject-or-warned" && isIn) expect(compiled[0]?.residual).not.toEqual([]);
      expect(isValid(validate, text), text.slice(0, 200)).toBe(expected.valid[index]);
    }
    for (const { pointer, about } of expected.warnings ?? []) {
      expect(compiled[0]?.warnings).toContainEqual({ pointer, text: about });
    }
  });
});

function compileAll(schema: unknown): readonly CompiledSchema[] {
  const spacings = ["spaced", "compact"] as const;
  const orders = ["schema", "any"] as const;
  return spacings.flatMap((spacing) =>
    orders.map((keyOrder) => compileSchema(schema, { objects: "closed", spacing, keyOrder })),
  );
}

function isValid(validate: ReturnType<typeof createValidator>, text: string): boolean {
  try {
    return validate(JSON.parse(text)).length === 0;
  } catch {
    // Not JSON at all.
    return false;
  }
}

/** A case may say how its schema is made instead of spelling it out. */
function schemaOf(schema: unknown): unknown {
  const recipe = schema as { readonly generate?: string; readonly depth?: number; readonly leaf?: unknown };
  if (recipe.generate !== "array-of") return schema;
  let nested = recipe.leaf;
  for (let depth = 0; depth < (recipe.depth ?? 0); depth++) nested = { type: "array", items: nested };
  return nested;
}
