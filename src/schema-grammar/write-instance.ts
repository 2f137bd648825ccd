// Writes a value as a text of a compiled schema's grammar: its key order, its spelling, its spacing.
import { createMatcher, type Grammar, type Matcher } from "../gbnf-builder/index.ts";
import { isJsonObject, type JsonValue } from "../vocabulary/index.ts";
import { isAnyLanguage } from "./algebra/language.ts";
import { pointerOf, type Term } from "./algebra/term.ts";
import { partsOfCompiled } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { arrayPlanOf, type Emission, objectAutomatonOf } from "./emission/emission.ts";
import { isPretty, type Layout, oneLine } from "./emission/layout.ts";
import { isKeyOf, type ObjectAutomaton, type ObjectState } from "./emission/object-automaton.ts";
import { checkedLanguageOf } from "./normal-form/node-language.ts";
import { containsNumber } from "./number-set.ts";
import { plainNumber } from "./plain-number.ts";
import { containsString } from "./string-language.ts";

/**
 * The text of the value in the grammar, undefined where the grammar does not contain it.
 * `compiled` has to come from `compileSchema` in this process; throws a `TypeError` for a copy.
 */
export function writeInstance(compiled: CompiledSchema, value: unknown): string | undefined {
  const parts = partsOfCompiled(compiled);
  if (parts === undefined) throw new TypeError("writeInstance needs the very object that compileSchema gave");
  const text = writePlace(parts.emission, parts.root, {
    value: value as JsonValue,
    layout: parts.emission.layout,
  });
  return text !== undefined && matcherOf(compiled.grammar).accepts(text) ? text : undefined;
}

const matchers = new WeakMap<Grammar, Matcher>();

/** One matcher for all instances of a grammar, because it learns its states as it goes. */
function matcherOf(grammar: Grammar): Matcher {
  const known = matchers.get(grammar) ?? createMatcher(grammar);
  matchers.set(grammar, known);
  return known;
}

interface Written {
  readonly value: JsonValue;
  readonly layout: Layout;
}

function writePlace(emission: Emission, term: Term, written: Written): string | undefined {
  const language = checkedLanguageOf(emission.compilation, term);
  const { value } = written;
  const isOneLine = isPretty(written.layout) && emission.recursive.has(term);
  const isAny = isAnyLanguage(emission.compilation.context, language);
  const layout = isPretty(written.layout) && (isOneLine || isAny) ? oneLine : written.layout;
  if (isAny) return writeAny(value, layout);
  if (value === null) return language.isNull ? "null" : undefined;
  if (typeof value === "boolean")
    return (language.booleans & (value ? 2 : 1)) !== 0 ? String(value) : undefined;
  if (typeof value === "number")
    return containsNumber(language.numbers, value) ? plainNumber(value) : undefined;
  if (typeof value === "string")
    return containsString(language.strings, value) ? JSON.stringify(value) : undefined;
  const pointer = pointerOf(term);
  if (typeof value !== "object") return undefined;
  if (!isJsonObject(value)) {
    return firstOf(language.arrays, (item) =>
      writeArray(emission, arrayPlanOf(emission, item, pointer), { value, layout }),
    );
  }
  return firstOf(language.objects, (item) => {
    const automaton = objectAutomatonOf(emission, item, pointer);
    return writeObject({ emission, automaton, layout }, value);
  });
}

function firstOf<T>(items: readonly T[], write: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const text = write(item);
    if (text !== undefined) return text;
  }
  return undefined;
}

interface ObjectWriter {
  readonly emission: Emission;
  readonly automaton: ObjectAutomaton;
  readonly layout: Layout;
}

/** Follows the automaton with the keys that are left; where a value fits several edges, each is tried. */
function writeObject(writer: ObjectWriter, value: Readonly<Record<string, JsonValue>>): string | undefined {
  const { layout } = writer;
  const dead = new Set<string>();
  const parts = walk(0, Object.keys(value));
  if (parts === undefined) return undefined;
  return parts.length === 0 ? "{}" : `{${layout.afterOpen}${parts.join(layout.comma)}${layout.beforeClose}}`;

  function walk(at: number, left: readonly string[]): readonly string[] | undefined {
    const mark = `${at} ${left.length} ${left.join("\u0000")}`;
    if (dead.has(mark)) return undefined;
    const state = writer.automaton.states[at] as ObjectState;
    const found = step(state, left);
    if (found === undefined) dead.add(mark);
    return found;
  }

  function writeOpenKeys(
    state: ObjectState,
    bounds: NonNullable<ObjectState["bounds"]>,
    left: readonly string[],
  ): readonly string[] | undefined {
    if (left.length < bounds.min || left.length > (bounds.max ?? Infinity)) return undefined;
    const texts = left.map((key) => {
      const item = { value: value[key] as JsonValue, layout: layout.inner() };
      const edges = state.edges.filter((edge) => isKeyOf(edge, key));
      const text = firstOf(edges, (edge) => writePlace(writer.emission, edge.value, item));
      return text === undefined ? undefined : `${JSON.stringify(key)}${layout.colon}${text}`;
    });
    return texts.every((text) => text !== undefined) ? texts : undefined;
  }

  function step(state: ObjectState, left: readonly string[]): readonly string[] | undefined {
    if (state.bounds !== undefined) return writeOpenKeys(state, state.bounds, left);
    if (left.length === 0 && state.isFinal) return [];
    for (const edge of state.edges) {
      const name = left.find((key) => isKeyOf(edge, key));
      if (name === undefined) continue;
      const item = { value: value[name] as JsonValue, layout: layout.inner() };
      const text = writePlace(writer.emission, edge.value, item);
      if (text === undefined) continue;
      const rest = walk(
        edge.target,
        left.filter((key) => key !== name),
      );
      if (rest !== undefined) return [`${JSON.stringify(name)}${layout.colon}${text}`, ...rest];
    }
    return state.skip === undefined ? undefined : walk(state.skip, left);
  }
}

function writeArray(
  emission: Emission,
  plan: ReturnType<typeof arrayPlanOf>,
  written: { readonly value: readonly JsonValue[]; readonly layout: Layout },
): string | undefined {
  const { value, layout } = written;
  const write = (term: Term, item: JsonValue) =>
    writePlace(emission, term, { value: item, layout: layout.inner() });
  const parts =
    plan.type === "list"
      ? value.map((item, index) => write(plan.prefix[index] ?? plan.rest, item))
      : walkItems(0, 0);
  if (parts === undefined || parts.includes(undefined)) return undefined;
  return parts.length === 0 ? "[]" : `[${layout.afterOpen}${parts.join(layout.comma)}${layout.beforeClose}]`;

  function walkItems(at: number, index: number): readonly (string | undefined)[] | undefined {
    const state = plan.type === "automaton" ? plan.states[at] : undefined;
    if (state === undefined) return undefined;
    if (index === value.length) return state.isFinal ? [] : undefined;
    for (const edge of state.edges) {
      const text = write(edge.value, value[index] as JsonValue);
      const rest = text === undefined ? undefined : walkItems(edge.target, index + 1);
      if (rest !== undefined) return [text, ...rest];
    }
    return undefined;
  }
}

function writeAny(value: JsonValue, layout: Layout): string {
  if (typeof value === "number") return plainNumber(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!isJsonObject(value)) return `[${value.map((item) => writeAny(item, layout)).join(layout.comma)}]`;
  const pairs = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${layout.colon}${writeAny(item, layout)}`,
  );
  return `{${pairs.join(layout.comma)}}`;
}
