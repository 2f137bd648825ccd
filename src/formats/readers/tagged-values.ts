// What the readers of tagged formats share: where a raw value ends, since the value may itself hold the closing tag.

/** A closing tag counts only where one of `followers` comes next, white space apart. */
export interface ValueEnd {
  readonly closer: string;
  readonly followers: readonly string[];
}

/**
 * The end of the value that begins at `from`: where its closing tag stands and where that tag ends. `maybe`: more text has to tell.
 * At the text's end a closing tag that nothing follows counts as well.
 */
export function findValueEnd(
  text: string,
  from: number,
  { closer, followers }: ValueEnd,
  isOver: boolean,
): { readonly end: number; readonly next: number } | "maybe" | undefined {
  for (let end = text.indexOf(closer, from); end !== -1; end = text.indexOf(closer, end + 1)) {
    const next = end + closer.length;
    const rest = text.slice(next).trimStart();
    if (followers.some((follower) => rest.startsWith(follower))) return { end, next };
    if (rest === "" && isOver) return { end, next };
    if (!isOver && followers.some((follower) => follower.startsWith(rest))) return "maybe";
  }
  return undefined;
}

/** The value without the one line break that the format puts at either end. */
export function withoutOuterBreaks(text: string): string {
  return text.replace(/^\n/, "").replace(/\n$/, "");
}
