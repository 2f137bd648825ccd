// Writes a value as a text of a compiled schema's grammar: its key order, its spelling, its spacing.
import { createMatcher, type Grammar, type Matcher } from "../gbnf-builder/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../vocabulary/index.ts";
import { isAnyLanguage, type Language } from "./algebra/language.ts";
import { pointerOf, type Term } from "./algebra/term.ts";
import { partsOfCompiled } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import type { ArrayPlan, ArrayState } from "./emission/array-automaton.ts";
import { arrayPlanOf, type Emission, objectAutomatonOf } from "./emission/emission.ts";
import {
  isKeyOf,
  type ObjectAutomaton,
  type ObjectEdge,
  type ObjectState,
} from "./emission/object-automaton.ts";
import { anyLayout, isPretty, type Layout } from "./layout.ts";
import { checkedLanguageOf } from "./normal-form/node-language.ts";
import { containsNumber } from "./number-set.ts";
import { containsString } from "./string-language.ts";
import { firstText, tryWriteValue, writeBrackets, writeEntry, writeScalar } from "./write-value.ts";

/**
 * The text of the value in the grammar, undefined where the grammar does not contain it.
 * `compiled` has to come from `compileSchema` in this process; throws a `TypeError` for a copy.
 */
export function writeInstance(compiled: CompiledSchema, value: unknown): string | undefined {
  const parts = partsOfCompiled(compiled);
  if (parts === undefined) throw new TypeError("writeInstance needs the very object that compileSchema gave");
  const { emission, root } = parts;
  const writer: Writer = { emission, known: new Map() };
  const text = writePlace(writer, root, { value: value as JsonValue, layout: emission.layout });
  return text !== undefined && matcherOf(compiled.grammar).accepts(text) ? text : undefined;
}

const matchers = new WeakMap<Grammar, Matcher>();

/** One matcher for all instances of a grammar, because it learns its states as it goes. */
function matcherOf(grammar: Grammar): Matcher {
  const known = matchers.get(grammar) ?? createMatcher(grammar);
  matchers.set(grammar, known);
  return known;
}

interface Writer {
  readonly emission: Emission;
  /** Texts of containers by term and layout, so that alternatives that share a part do not write it again. */
  readonly known: Map<object, Map<string, string | undefined>>;
}

interface Written<T extends JsonValue = JsonValue> {
  readonly value: T;
  readonly layout: Layout;
}

function writePlace(writer: Writer, term: Term, written: Written): string | undefined {
  const { value } = written;
  const { emission } = writer;
  const language = checkedLanguageOf(emission.compilation, term);
  if (written.layout.onlyObjects === true && !isJsonObject(value)) return undefined;
  if (isAnyLanguage(emission.compilation.context, language)) {
    return tryWriteValue(value, anyLayout(written.layout, emission.caps));
  }
  const isOneLine = isPretty(written.layout) && emission.recursive.has(term);
  const layout = isOneLine ? written.layout.flat() : written.layout;
  if (typeof value !== "object" || value === null)
    return hasScalar(language, value) ? writeScalar(value, layout) : undefined;
  return writeOnce(writer, `${term.id} ${layout.key}`, value, () => {
    const pointer = pointerOf(term);
    return isJsonObject(value)
      ? firstText(language.objects, (item) =>
          writeObject(writer, objectAutomatonOf(emission, item, pointer), { value, layout }),
        )
      : firstText(language.arrays, (item) =>
          writeArray(writer, arrayPlanOf(emission, item, pointer), { value, layout }),
        );
  });
}

/** Anything that is no value of JSON is in no language. */
function hasScalar(language: Language, value: unknown): value is string | number | boolean | null {
  if (value === null) return language.isNull;
  if (typeof value === "boolean") return (language.booleans & (value ? 2 : 1)) !== 0;
  if (typeof value === "number") return containsNumber(language.numbers, value);
  return typeof value === "string" && containsString(language.strings, value);
}

function writeOnce(
  { known }: Writer,
  key: string,
  value: object,
  write: () => string | undefined,
): string | undefined {
  const texts = known.get(value) ?? new Map<string, string | undefined>();
  known.set(value, texts);
  if (!texts.has(key)) texts.set(key, write());
  return texts.get(key);
}

/**
 * Follows the automaton: keys that have a place of their own there, the others as stored after them. Where a value fits
 * several edges, each is tried; what led nowhere is remembered by state and by how many keys were written.
 */
function writeObject(
  writer: Writer,
  { states }: ObjectAutomaton,
  { value, layout }: Written<JsonObject>,
): string | undefined {
  const placed = new Set(states.map((state) => state.name));
  const others = Object.keys(value).filter((key) => !placed.has(key));
  const dead = new Set<number>();
  const parts = walk(0, 0);
  if (parts === undefined) return undefined;
  return writeBrackets(layout.object, parts);

  function walk(at: number, written: number): readonly string[] | undefined {
    const mark = at * (others.length + 1) + written;
    if (dead.has(mark)) return undefined;
    const found = step(states[at] as ObjectState, written);
    if (found === undefined) dead.add(mark);
    return found;
  }

  function step(state: ObjectState, written: number): readonly string[] | undefined {
    if (state.bounds !== undefined) return writeOpenKeys(state, state.bounds, others.slice(written));
    if (state.name !== undefined && !Object.hasOwn(value, state.name))
      return state.skip === undefined ? undefined : walk(state.skip, written);
    const key = state.name ?? others[written];
    if (key === undefined) return state.isFinal ? [] : undefined;
    for (const edge of state.edges) {
      if (!isKeyOf(edge, key)) continue;
      const text = writePair(edge, key);
      if (text === undefined) continue;
      const rest = walk(edge.target, state.name === undefined ? written + 1 : written);
      if (rest !== undefined) return [text, ...rest];
    }
    return undefined;
  }

  function writeOpenKeys(
    state: ObjectState,
    bounds: NonNullable<ObjectState["bounds"]>,
    left: readonly string[],
  ): readonly string[] | undefined {
    if (left.length < bounds.min || left.length > (bounds.max ?? Infinity)) return undefined;
    const texts = left.map((key) => {
      const edges = state.edges.filter((edge) => isKeyOf(edge, key));
      return firstText(edges, (edge) => writePair(edge, key));
    });
    return texts.every((text) => text !== undefined) ? texts : undefined;
  }

  function writePair(edge: ObjectEdge, key: string): string | undefined {
    return writeEntry(key, layout, (inner) =>
      writePlace(writer, edge.value, { value: value[key] as JsonValue, layout: inner }),
    );
  }
}

function writeArray(
  writer: Writer,
  plan: ArrayPlan,
  { value, layout }: Written<readonly JsonValue[]>,
): string | undefined {
  const dead = new Set<number>();
  const write = (term: Term, item: JsonValue) =>
    writePlace(writer, term, { value: item, layout: layout.item() });
  const parts = plan.type === "list" ? writeList(plan) : walkItems(plan.states, 0, 0);
  if (parts === undefined || parts.includes(undefined)) return undefined;
  return writeBrackets(layout.array, parts as readonly string[]);

  function writeList({
    prefix,
    rest,
    min,
    max,
  }: Extract<ArrayPlan, { type: "list" }>): readonly (string | undefined)[] | undefined {
    if (value.length < min || value.length > (max ?? Infinity)) return undefined;
    return value.map((item, index) => write(prefix[index] ?? rest, item));
  }

  function walkItems(
    states: readonly ArrayState[],
    at: number,
    index: number,
  ): readonly (string | undefined)[] | undefined {
    const state = states[at];
    const mark = at * (value.length + 1) + index;
    if (state === undefined || dead.has(mark)) return undefined;
    if (index === value.length) return state.isFinal ? [] : undefined;
    for (const edge of state.edges) {
      const text = write(edge.value, value[index] as JsonValue);
      const rest = text === undefined ? undefined : walkItems(states, edge.target, index + 1);
      if (rest !== undefined) return [text, ...rest];
    }
    dead.add(mark);
    return undefined;
  }
}
