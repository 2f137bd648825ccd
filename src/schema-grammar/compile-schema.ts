// From a JSON Schema to a grammar: read, bring each place into its normal form, emit one rule per distinct place.
import type { Expression, Grammar } from "../gbnf-builder/grammar.ts";
import type { Term } from "./algebra/term.ts";
import type { CompileBudget, CompiledSchema, CompileOptions } from "./compiled-schema.ts";
import type { Emission } from "./emission/emission.ts";
import { emitPlace } from "./emission/emit-place.ts";
import { findRecursive } from "./emission/find-recursive.ts";
import { nestingOf } from "./emission/nesting-of.ts";
import { assertsFormats } from "./formats-asserted.ts";
import { createRuleCollector } from "./languages/emit-context.ts";
import { isPretty, jsonLayout } from "./layout.ts";
import { termOfSchema } from "./normal-form/child-term.ts";
import { createCompilation, report } from "./normal-form/compilation.ts";
import { readSchema } from "./reading/read-schema.ts";
import type { SchemaDocument } from "./reading/schema-document.ts";

/** Limits that hold where the options name none. */
export const defaultCompileBudget: CompileBudget = { states: 2000, rules: 20_000, milliseconds: 1500 };

/** What stands behind a compiled schema, for writing instances. */
export interface CompiledParts {
  readonly emission: Emission;
  readonly root: Term;
}

const partsOf = new WeakMap<CompiledSchema, CompiledParts>();

/**
 * The grammar of a schema's values, and what it does not say just as the schema does.
 * Throws `CallwrightError`: `schema-invalid` for a malformed schema or one that refers to itself without any value
 * between, `schema-too-deep`. A schema that nothing satisfies is not an error but `satisfiable: false`.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const document = readSchema(schema, options.documents);
  const compilation = createCompilation({
    document,
    isClosed: options.objects === "closed",
    ignoresFormats: options.formats === "annotate",
    keyOrder: options.keyOrder ?? "schema",
    assertsFormats: assertsFormats(document.resource.dialect, options.formats),
    budget: { ...defaultCompileBudget, ...options.budget },
  });
  const root = termOfSchema(compilation, document.root, compilation.algebra.scopes.empty);
  const collector = createRuleCollector();
  const layout = options.layout ?? jsonLayout(options.spacing ?? "spaced");
  const caps = options.caps ?? {};
  const isRecursionLimited = isPretty(layout) || (caps.depth !== undefined && hasReferences(document));
  const automata = { compilation, objects: new Map(), arrays: new Map() };
  const emission: Emission = {
    ...automata,
    collector,
    layout,
    caps,
    capped: new Map(),
    spent: { rules: 0 },
    places: new Map(),
    placeKeys: new Map(),
    recursive: isRecursionLimited ? findRecursive(automata, root) : new Set(),
  };
  const start = collector.rule("root", () => emitPlace(emission, root, layout));
  const rules = collector.finish();
  const grammar: Grammar = { root: start.type === "rule" ? start.name : "root", rules };
  if (options.readLevels !== undefined && nestingOf(emission, root) > options.readLevels) {
    const reason = `values that nest deeper than ${options.readLevels} levels cannot be read`;
    report(compilation, { pointer: "", keyword: "type", direction: "over", reason });
  }
  const residual = [...compilation.residual.values()];
  const satisfiable = isProductive(grammar);
  if (!satisfiable && emission.capped.has("depth")) {
    // The schema itself asks for more depth than the cap would leave.
    const { depth: _, ...others } = caps;
    return compileSchema(schema, { ...options, caps: others });
  }
  const compiled: CompiledSchema = {
    grammar,
    satisfiable,
    exact: residual.length === 0,
    residual,
    warnings: [...document.warnings],
    caps: [...emission.capped].map(([cap, places]) => ({ cap, limit: emission.caps[cap] ?? 0, places })),
  };
  partsOf.set(compiled, { emission, root });
  return compiled;
}

/** The parts of a schema compiled in this process; undefined for a copy. */
export function partsOfCompiled(compiled: CompiledSchema): CompiledParts | undefined {
  return partsOf.get(compiled);
}

/** Whether anything may lead back to itself. */
function hasReferences(document: SchemaDocument): boolean {
  const keywords = ["$ref", "$dynamicRef", "$recursiveRef"];
  return [...document.nodes.keys()].some((schema) => keywords.some((keyword) => keyword in schema));
}

/** Whether any text can be made of the grammar. */
function isProductive(grammar: Grammar): boolean {
  const productive = new Set<string>();
  // Rules are made before those that they name, so that going backwards mostly settles it in one pass.
  const rules = [...grammar.rules].reverse();
  for (;;) {
    const before = productive.size;
    for (const [name, expression] of rules) {
      if (!productive.has(name) && yields(expression, productive)) productive.add(name);
    }
    if (productive.has(grammar.root)) return true;
    if (productive.size === before) return false;
  }
}

function yields(expression: Expression, productive: ReadonlySet<string>): boolean {
  switch (expression.type) {
    case "literal":
    case "token":
      return true;
    case "characters":
      return expression.ranges.length > 0;
    case "sequence":
      return expression.items.every((item) => yields(item, productive));
    case "choice":
      return expression.options.some((option) => yields(option, productive));
    case "repeat":
      return expression.min === 0 || yields(expression.item, productive);
    case "rule":
      return productive.has(expression.name);
  }
}
