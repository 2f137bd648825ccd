// Pieces of Markdown for generated pages.

/** A table; cells are text as it stands, and columns named in `right` are set to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly string[] = head.slice(1),
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = `|${head.map((title) => (right.includes(title) ? "--:" : "---")).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** A share, with two digits where one would round something away: 0.02 %, 99.98 %; 100 % only where all are in. */
export function share(part: number, whole: number): string {
  if (whole === 0) return "–";
  const value = (100 * part) / whole;
  if (part === whole) return "100 %";
  const isNearEnd = value > 99.9 || (value > 0 && value < 0.1);
  return `${isNearEnd ? Math.min(value, 99.99).toFixed(2) : value.toFixed(1)} %`;
}
