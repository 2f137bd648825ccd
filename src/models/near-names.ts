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

/** Edits between two names; a name that begins with the other is near however long it is. */
function nearness(wrong: string, name: string): number {
  if (wrong.length >= 3 && name.includes(wrong)) return 1;
  return editDistance(wrong, name);
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
