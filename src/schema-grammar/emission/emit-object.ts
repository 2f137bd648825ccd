// An alternative of an object as grammar rules, along its automaton. Each state has two forms: before the first key,
// and after one, where a comma comes first.

import { choice, isNothing, literal, nothing, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { type Disjunct, keyOfDisjunct } from "../algebra/disjunct.ts";
import type { ObjectShape } from "../algebra/object-shape.ts";
import { andStringsOnce, notStringsOnce } from "../algebra/string-memo.ts";
import { type EntryForm, isWrittenBy, type Layout, type StringForm } from "../layout.ts";
import { report } from "../normal-form/compilation.ts";
import { containsString, isAnyString, stringsOf } from "../string-language.ts";
import { applyCap, type Emission, objectAutomatonOf } from "./emission.ts";
import { emitOtherKeys } from "./emit-other-keys.ts";
import { emitPlace } from "./emit-place.ts";
import { emitStringForm } from "./emit-string-forms.ts";
import type { ObjectAutomaton, ObjectEdge, ObjectState, OpenKey } from "./object-automaton.ts";

interface Place {
  readonly emission: Emission;
  readonly automaton: ObjectAutomaton;
  readonly layout: Layout;
  readonly pointer: string;
  /** Begins the keys of this automaton's rules. */
  readonly key: string;
}

export function emitObject(
  emission: Emission,
  disjunct: Disjunct<ObjectShape>,
  options: { readonly layout: Layout; readonly pointer: string },
): Expression {
  const { layout, pointer } = options;
  const automaton = objectAutomatonOf(emission, disjunct, pointer);
  emission.spent.rules += automaton.states.length;
  const key = `keys:${keyOfDisjunct(disjunct)}@${layout.key}`;
  return sequence(
    literal(layout.object.open),
    emitFrom({ emission, automaton, layout, pointer, key }, 0, true),
  );
}

/** What follows from a state on: written out along states with one way on, else a rule of its own. */
function emitFrom(place: Place, start: number, isFirst: boolean): Expression {
  const parts: Expression[] = [];
  let isBefore = isFirst;
  let at = start;
  for (;;) {
    const state = place.automaton.states[at] as ObjectState;
    const only = onlyEdge(state, at);
    if (only !== undefined) {
      parts.push(emitEdge(place, only, isBefore));
      isBefore = false;
      at = only.target;
    } else if (state.edges.length === 0 && !state.isFinal) {
      if (state.skip === undefined) return nothing;
      at = state.skip;
    } else {
      const isEnd = state.edges.length === 0 && (state.bounds?.min ?? 0) === 0;
      parts.push(isEnd ? emitEnd(place, isBefore) : stateRule(place, at, isBefore));
      return sequence(...parts);
    }
  }
}

/** The one way on from a state that neither ends nor leads back; undefined where there are more. */
function onlyEdge(state: ObjectState, at: number): ObjectEdge | undefined {
  const [edge] = state.edges;
  const isOnly = state.edges.length === 1 && !state.isFinal && state.skip === undefined;
  return isOnly && edge !== undefined && edge.target > at ? edge : undefined;
}

function stateRule(place: Place, at: number, isFirst: boolean): Expression {
  const { collector } = place.emission;
  return collector.rule(`${place.key}#${at}${isFirst ? "" : ","}`, () => emitState(place, at, isFirst));
}

function emitState(place: Place, at: number, isFirst: boolean): Expression {
  const state = place.automaton.states[at] as ObjectState;
  const isLoop = state.skip === undefined && state.isFinal && state.edges.every((edge) => edge.target === at);
  if (isLoop) return emitLoop(place, state, isFirst);
  const options = state.edges.map((edge) =>
    sequence(emitEdge(place, edge, isFirst), emitFrom(place, edge.target, false)),
  );
  if (state.skip !== undefined) options.push(emitFrom(place, state.skip, isFirst));
  if (state.isFinal) options.push(emitEnd(place, isFirst));
  return choice(...options);
}

/** Any number of open keys, then the end. */
function emitLoop(place: Place, state: ObjectState, isFirst: boolean): Expression {
  const { emission } = place;
  const { min, max } = state.bounds ?? { min: 0, max: undefined };
  const isCapped = max === undefined && emission.caps.items !== undefined && state.edges.length > 0;
  const most = isCapped ? Math.max(min, applyCap(emission, "items") ?? 0) : max;
  const more = (least: number, count: number | undefined) =>
    repeat(choice(...state.edges.map((edge) => emitEdge(place, edge, false))), least, count);
  if (!isFirst) return sequence(more(min, most), emitEnd(place, false));
  if (most === 0) return emitEnd(place, true);
  const first = choice(...state.edges.map((edge) => emitEdge(place, edge, true)));
  const rest = more(Math.max(0, min - 1), most === undefined ? undefined : most - 1);
  const some = sequence(first, rest, emitEnd(place, false));
  return min === 0 ? choice(emitEnd(place, true), some) : some;
}

function emitEdge(place: Place, edge: ObjectEdge, isFirst: boolean): Expression {
  const { object, entries } = place.layout;
  const before = isFirst ? object.afterOpen : object.comma;
  return sequence(literal(before), choice(...entries.map((form) => emitEntry(place, edge, form))));
}

function emitEntry(
  place: Place,
  { key, value }: ObjectEdge,
  { keys, colon, close, ...form }: EntryForm,
): Expression {
  const written = typeof key === "string" ? emitKey(place, key, keys) : emitOpenKey(place, key, keys);
  if (isNothing(written)) return nothing;
  return sequence(written, literal(colon), emitPlace(place.emission, value, form.value()), literal(close));
}

function emitKey({ emission, pointer }: Place, key: string, form: StringForm): Expression {
  const { writable, spelling } = form;
  if (!isWrittenBy(form, key)) return nothing;
  if (writable !== undefined && !containsString(writable.strings, key)) {
    report(emission.compilation, {
      pointer,
      keyword: "properties",
      direction: "under",
      reason: `"${key}": ${writable.reason}`,
    });
    return nothing;
  }
  return sequence(spelling.open, literal(spelling.text(key)), spelling.close);
}

function emitOpenKey({ emission, pointer }: Place, { keys, except }: OpenKey, form: StringForm): Expression {
  const { collector, compilation } = emission;
  if (except.length === 0) return emitStringForm(emission, keys, form, pointer);
  if (isAnyString(keys) && form.only === undefined && form.writable === undefined) {
    const limit = emission.caps.stringLength === undefined ? undefined : applyCap(emission, "stringLength");
    return emitOtherKeys(except, collector, { limit, spelling: form.spelling });
  }
  const outside = notStringsOnce(compilation.algebra, stringsOf(except));
  const left = andStringsOnce(compilation.algebra, keys, outside.language).language;
  return emitStringForm(emission, left, form, pointer);
}

function emitEnd({ layout }: Place, isFirst: boolean): Expression {
  const { beforeClose, close } = layout.object;
  return literal(isFirst ? close : beforeClose + close);
}
