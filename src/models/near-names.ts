// Names that are near to a mistyped one, nearest first.

/** At most three names within a third of the longer one's length, counted in edits. */
export function nearNames(wrong: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, distance: nearness(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(wrong.length, name.length) / 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A question about the near names for the end of a message; empty where no name is near. */
export function askNearNames(wrong: string, names: readonly string[]): string {
  const near = nearNames(wrong, names);
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

/** Edits between two names; a name that begins with the other is near however long it is. */
function nearness(wrong: string, name: string): number {
  if (wrong.length >= 3 && name.includes(wrong)) return 1;
  return editDistance(wrong, name);
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= from.length; i++) {
    const above = rows[i - 1]!;
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, above[j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
