// Reads the spelling of a JSON string, and mends what models often get wrong in it where only one meaning is possible.

const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;

/** Reads a string with its quotes; undefined where an escape is wrong and cannot be mended for certain. */
export function readString(
  spelled: string,
  lenient: boolean,
): { value: string; mended?: "escaped-backslashes" | "escaped-controls" } | undefined {
  const escapes: readonly string[] = spelled.match(escapePattern) ?? [];
  const isWrong = escapes.includes("\\");
  if (!isWrong) {
    const escapedControls = escapeControls(spelled);
    const value = JSON.parse(escapedControls) as string;
    return escapedControls === spelled ? { value } : { value, mended: "escaped-controls" };
  }
  // One wrong escape shows that the writer does not escape backslashes at all; a doubled one beside it
  // shows the contrary, and then nothing is certain.
  if (!lenient || escapes.includes("\\\\")) return undefined;
  const doubled = spelled.replace(/\\(?!")/g, "\\\\");
  return { value: JSON.parse(escapeControls(doubled)) as string, mended: "escaped-backslashes" };
}

function escapeControls(spelled: string): string {
  return spelled.replace(/[\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
