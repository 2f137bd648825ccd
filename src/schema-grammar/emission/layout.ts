// How the parts of JSON containers are set apart: on one line, or over lines with an indent.
import type { Spacing } from "../compiled-schema.ts";

export interface Layout {
  /** Equal for equal layouts. */
  readonly key: string;
  readonly afterOpen: string;
  readonly comma: string;
  readonly colon: string;
  readonly beforeClose: string;
  /** The layout of containers inside. */
  readonly inner: () => Layout;
  /** Around this place, rounds of recursion; 0 where nobody counts them. */
  readonly rounds: number;
  /** The same layout without rounds. */
  readonly plain: () => Layout;
}

const compact: Layout = {
  key: "c",
  afterOpen: "",
  comma: ",",
  colon: ":",
  beforeClose: "",
  inner: () => compact,
  rounds: 0,
  plain: () => compact,
};

/** One line, a space after commas and colons. */
export const oneLine: Layout = {
  key: "s",
  afterOpen: "",
  comma: ", ",
  colon: ": ",
  beforeClose: "",
  inner: () => oneLine,
  rounds: 0,
  plain: () => oneLine,
};

export function layoutOf(spacing: Spacing): Layout {
  if (spacing === "compact") return compact;
  if (spacing === "spaced") return oneLine;
  return prettyLayout(spacing.indent, spacing.level);
}

/** Whether containers go over lines, where recursion has to stop doing so. */
export function isPretty(layout: Layout): boolean {
  return layout.afterOpen !== "";
}

/** The layout inside so many rounds of recursion, where each round has rules of its own. */
export function withRounds(layout: Layout, rounds: number): Layout {
  if (rounds === layout.rounds) return layout;
  const plain = layout.plain();
  const inner = () => withRounds(plain.inner(), rounds);
  return { ...plain, key: `${plain.key}^${rounds}`, inner, rounds, plain: () => plain };
}

function prettyLayout(indent: number, level: number): Layout {
  const line = `\n${" ".repeat(indent * (level + 1))}`;
  const layout: Layout = {
    key: `p${indent}.${level}`,
    afterOpen: line,
    comma: `,${line}`,
    colon: ": ",
    beforeClose: `\n${" ".repeat(indent * level)}`,
    inner: () => prettyLayout(indent, level + 1),
    rounds: 0,
    plain: () => layout,
  };
  return layout;
}
