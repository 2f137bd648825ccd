// JSON Pointer (RFC 6901): the text that names a place in a JSON value, step by step. Knows nothing of values.

/** A pointer one step further in: a key of an object or an index of a list. */
export function joinPointer(pointer: string, step: string | number): string {
  return `${pointer}/${escapeStep(String(step))}`;
}

/** The steps of a pointer, unescaped; none for the whole value. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeStep);
}

/** One step as it stands between two slashes. */
export function unescapeStep(escaped: string): string {
  // In this order: the other way round `~01`, which means `~1`, would become a slash.
  return escaped.replaceAll("~1", "/").replaceAll("~0", "~");
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
