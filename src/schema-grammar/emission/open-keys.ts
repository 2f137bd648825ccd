// The keys of an object that no name stands for, split so that each shape has one value for each part.

import type { ObjectShape, OpenKeys } from "../algebra/object-shape.ts";
import { andStringsOnce } from "../algebra/string-memo.ts";
import { noneTerm, saysNothing, type Term } from "../algebra/term.ts";
import type { Compilation } from "../normal-form/compilation.ts";
import { OverBudget } from "../normal-form/over-budget.ts";
import {
  anyString,
  containsString,
  isAnyString,
  isNoString,
  type StringLanguage,
} from "../string-language.ts";

/** Open keys that all shapes treat alike. */
export interface Cell {
  readonly keys: StringLanguage;
  readonly except: readonly string[];
  readonly parts: ReadonlyMap<ObjectShape, Term>;
}

const cellLimit = 200;
export function cellValue(shape: ObjectShape, cell: Cell): Term {
  return cell.parts.get(shape) ?? shape.open[0]?.value ?? noneTerm;
}

/** All keys but the names, split so that each shape has one value for each part. */
export function splitOpenKeys(
  compilation: Compilation,
  shapes: readonly ObjectShape[],
  names: readonly string[],
): { readonly cells: readonly Cell[]; readonly reason: string | undefined } {
  const isOpen = shapes[0]?.open.some((part) => part.value !== noneTerm) ?? true;
  if (!isOpen) return { cells: [], reason: undefined };
  let cells: Cell[] = [{ keys: anyString, except: [], parts: new Map() }];
  let isExact = true;
  for (const shape of shapes) {
    if (shape.open.length < 2) continue;
    const next: Cell[] = [];
    for (const cell of cells) {
      for (const part of shape.open) {
        const both = isAnyString(cell.keys)
          ? { language: part.keys, exact: true }
          : andStringsOnce(compilation.algebra, cell.keys, part.keys);
        if (!both.exact) isExact = false;
        if (!isNoString(both.language))
          next.push({ keys: both.language, except: [], parts: partsWith(cell, shape, part) });
      }
    }
    cells = next;
    if (cells.length > cellLimit)
      throw new OverBudget("open keys fall into more parts than the budget allows");
  }
  return {
    cells: cells.map((cell) => ({
      ...cell,
      except: names.filter((name) => containsString(cell.keys, name)),
    })),
    reason: isExact ? undefined : "telling open keys apart needs more states than the budget allows",
  };
}

function partsWith(cell: Cell, shape: ObjectShape, part: OpenKeys): ReadonlyMap<ObjectShape, Term> {
  return new Map([...cell.parts, [shape, part.value]]);
}

/** Open keys may be written twice, and the last one counts: that can undo what rests on a count or on some key's value. */
export function repeatedKeys(shapes: readonly ObjectShape[], cells: readonly Cell[]): string | undefined {
  if (cells.length === 0) return undefined;
  const [first, ...others] = shapes;
  const required = first === undefined ? 0 : [...first.names.values()].filter((key) => key.isRequired).length;
  if (first !== undefined && first.min > required + 1)
    return "an undeclared key that is written twice counts twice";
  const rests = others.some(
    (shape) =>
      shape.min > 0 ||
      shape.max !== undefined ||
      shape.open.some((part) => !saysNothing(part.value) && part.value !== noneTerm),
  );
  return rests
    ? "an undeclared key that is written twice may count although its last value does not"
    : undefined;
}
