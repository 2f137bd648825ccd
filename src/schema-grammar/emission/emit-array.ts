// An alternative of an array as grammar rules: a list written out, or an automaton over its items.
import { choice, literal, nothing, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import type { ArrayShape } from "../algebra/array-shape.ts";
import { type Disjunct, keyOfDisjunct } from "../algebra/disjunct.ts";
import type { Layout } from "../layout.ts";
import type { ArrayPlan, ArrayState } from "./array-automaton.ts";
import { applyCap, arrayPlanOf, type Emission } from "./emission.ts";
import { emitPlace } from "./emit-place.ts";

interface Place<P extends ArrayPlan> {
  readonly emission: Emission;
  readonly plan: P;
  readonly layout: Layout;
  readonly key: string;
}

type ListPlan = Extract<ArrayPlan, { type: "list" }>;
type AutomatonPlan = Extract<ArrayPlan, { type: "automaton" }>;

export function emitArray(
  emission: Emission,
  disjunct: Disjunct<ArrayShape>,
  options: { readonly layout: Layout; readonly pointer: string },
): Expression {
  const { layout, pointer } = options;
  const plan = arrayPlanOf(emission, disjunct, pointer);
  const key = `items:${keyOfDisjunct(disjunct)}@${layout.key}`;
  const rest =
    plan.type === "list"
      ? emitList({ emission, plan, layout, key }, 0)
      : emitState({ emission, plan, layout, key }, 0, true);
  return sequence(literal(layout.array.open), rest);
}

/** What follows after `index` items, closing bracket included. */
function emitList(place: Place<ListPlan>, index: number): Expression {
  const { plan, layout, emission } = place;
  const { prefix, min, max } = plan;
  if (max !== undefined && index >= max) return emitEnd(place, index === 0);
  const item = prefix[index];
  if (item === undefined) return emitRest(place, index);
  const more = () => emitList(place, index + 1);
  const tail = index > 0 && index % 8 === 0 ? emission.collector.rule(`${place.key}#${index}`, more) : more();
  const following = sequence(separator(place, index === 0), emitPlace(emission, item, layout.item()), tail);
  return index >= min ? choice(emitEnd(place, index === 0), following) : following;
}

/** Items after the prefix: a counted run of one kind. */
function emitRest(place: Place<ListPlan>, index: number): Expression {
  const { plan, layout, emission } = place;
  const item = emitPlace(emission, plan.rest, layout.item());
  const min = Math.max(0, plan.min - index);
  const isCapped = plan.max === undefined && emission.caps.items !== undefined;
  const cap = isCapped ? Math.max(min, applyCap(emission, "items") ?? 0) : undefined;
  const max = plan.max === undefined ? cap : plan.max - index;
  const next = sequence(separator(place, false), item);
  if (index > 0) return sequence(repeat(next, min, max), emitEnd(place, false));
  const most = max === undefined ? undefined : max - 1;
  const some = sequence(
    separator(place, true),
    item,
    repeat(next, Math.max(0, min - 1), most),
    emitEnd(place, false),
  );
  return min > 0 ? some : choice(emitEnd(place, true), some);
}

function emitState(place: Place<AutomatonPlan>, at: number, isFirst: boolean): Expression {
  const { emission, plan, layout } = place;
  const state = plan.states[at] as ArrayState;
  const options = state.edges.map(({ value, target }) =>
    sequence(
      separator(place, isFirst),
      emitPlace(emission, value, layout.item()),
      emission.collector.rule(`${place.key}#${target}`, () => emitState(place, target, false)),
    ),
  );
  if (state.isFinal) options.push(emitEnd(place, isFirst));
  return options.length === 0 ? nothing : choice(...options);
}

function separator(place: Place<ArrayPlan>, isFirst: boolean): Expression {
  const text = isFirst ? place.layout.array.afterOpen : place.layout.array.comma;
  return literal(text);
}

function emitEnd(place: Place<ArrayPlan>, isFirst: boolean): Expression {
  const { beforeClose, close } = place.layout.array;
  return literal(isFirst ? close : beforeClose + close);
}
