// Marks as parts of regular expressions.

/** An expression that matches just this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
