// Makes text of models, tools and files harmless for a terminal: what would steer it is spelt out instead.
// Line ends and tabs stay. Directional overrides count too, since they show a text as another than it is.

const steering = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text with control characters spelt as in source code: `\x1b` for escape. */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(steering, spell);
}

/** A value as one line of JSON, the same value, without any control character in the line itself. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) => `\\u${hexOf(character).padStart(4, "0")}`;
  return `${JSON.stringify(value).replace(steering, escaped)}\n`;
}

function spell(character: string): string {
  if (character === "\r") return "\\r";
  const hex = hexOf(character);
  return hex.length > 2 ? `\\u${hex}` : `\\x${hex.padStart(2, "0")}`;
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
