// Any value.
import { choice, literal, optional, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { anyLanguage } from "../algebra/language.ts";
import type { Brackets, EntryForm, Layout } from "../layout.ts";
import { anyNumber } from "../number-set.ts";
import { anyString } from "../string-language.ts";
import { applyCap, type Emission } from "./emission.ts";
import { emitCappedNumber } from "./emit-place.ts";
import { emitStringForm, emitStringsOf } from "./emit-string-forms.ts";

/** `depth` counts the containers around, which only matters where they are capped. */
export function emitAny(emission: Emission, layout: Layout, depth: number): Expression {
  const { collector, caps, compilation } = emission;
  const at = caps.depth === undefined ? 0 : depth;
  return collector.rule(`any-value:${layout.key}${at}`, () => {
    const isDeepest = caps.depth !== undefined && at >= caps.depth;
    if (layout.onlyObjects === true)
      return isDeepest ? emptyOf(layout.object) : anyObject(emission, layout, at + 1);
    const { words } = layout.scalars;
    const scalars = [
      emitStringsOf(emission, anyLanguage(compilation.context), { layout, pointer: "" }),
      emitCappedNumber(emission, anyNumber),
      literal(words.true),
      literal(words.false),
      literal(words.null),
    ];
    const containers = isDeepest
      ? [emptyOf(layout.array), emptyOf(layout.object)]
      : [anyArray(emission, layout, at + 1), anyObject(emission, layout, at + 1)];
    return choice(...scalars, ...containers);
  });
}

function emptyOf({ open, close }: Brackets): Expression {
  return literal(open + close);
}

function anyArray(emission: Emission, layout: Layout, depth: number): Expression {
  return anyList(emission, layout.array, emitAny(emission, layout.item(), depth));
}

function anyObject(emission: Emission, layout: Layout, depth: number): Expression {
  const pair = (form: EntryForm) => {
    const { keys, colon, close } = form;
    const value = emitAny(emission, form.value(), depth);
    const key = emission.collector.rule(`any-key:${keys.key}`, () =>
      emitStringForm(emission, anyString, keys, ""),
    );
    return sequence(key, literal(colon), value, literal(close));
  };
  return anyList(emission, layout.object, choice(...layout.entries.map(pair)));
}

function anyList(emission: Emission, brackets: Brackets, item: Expression): Expression {
  const { open, afterOpen, comma, beforeClose, close } = brackets;
  const more =
    emission.caps.items === undefined ? undefined : Math.max(0, (applyCap(emission, "items") ?? 1) - 1);
  const items = sequence(item, repeat(sequence(literal(comma), item), 0, more));
  return sequence(
    literal(open),
    optional(sequence(literal(afterOpen), items, literal(beforeClose))),
    literal(close),
  );
}
