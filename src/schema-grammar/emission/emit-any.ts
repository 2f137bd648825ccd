// Any JSON value on one line.
import { choice, literal, optional, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { emitString } from "../emit-strings.ts";
import { anyNumber } from "../number-set.ts";
import { anyString } from "../string-language.ts";
import { applyCap, type Emission } from "./emission.ts";
import { cappedStrings, emitCappedNumber } from "./emit-place.ts";
import type { Layout } from "./layout.ts";

/** `depth` counts the containers around, which only matters where they are capped. */
export function emitAny(emission: Emission, layout: Layout, depth: number): Expression {
  const { collector, caps } = emission;
  const at = caps.depth === undefined ? 0 : depth;
  return collector.rule(`any-value:${layout.key}${at}`, () => {
    const scalars = [
      emitString(cappedStrings(emission, anyString), collector),
      emitCappedNumber(emission, anyNumber),
      literal("true"),
      literal("false"),
      literal("null"),
    ];
    const isDeepest = caps.depth !== undefined && at >= caps.depth;
    const containers = isDeepest ? [literal("[]"), literal("{}")] : anyContainers(emission, layout, at + 1);
    return choice(...scalars, ...containers);
  });
}

function anyContainers(emission: Emission, layout: Layout, depth: number): readonly Expression[] {
  const { collector } = emission;
  const value = emitAny(emission, layout, depth);
  const key = collector.rule("any-key:", () => emitString(cappedStrings(emission, anyString), collector));
  const pair = sequence(key, literal(layout.colon), value);
  const more =
    emission.caps.items === undefined ? undefined : Math.max(0, (applyCap(emission, "items") ?? 1) - 1);
  const list = (item: Expression) =>
    optional(sequence(item, repeat(sequence(literal(layout.comma), item), 0, more)));
  return [
    sequence(literal("["), list(value), literal("]")),
    sequence(literal("{"), list(pair), literal("}")),
  ];
}
