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
}

const compact: Layout = {
  key: "c",
  afterOpen: "",
  comma: ",",
  colon: ":",
  beforeClose: "",
  inner: () => compact,
};

/** One line, a space after commas and colons. */
export const oneLine: Layout = {
  key: "s",
  afterOpen: "",
  comma: ", ",
  colon: ": ",
  beforeClose: "",
  inner: () => oneLine,
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

function prettyLayout(indent: number, level: number): Layout {
  const line = `\n${" ".repeat(indent * (level + 1))}`;
  return {
    key: `p${indent}.${level}`,
    afterOpen: line,
    comma: `,${line}`,
    colon: ": ",
    beforeClose: `\n${" ".repeat(indent * level)}`,
    inner: () => prettyLayout(indent, level + 1),
  };
}
