// How large a chat template, and what it writes, may be: those of models are a hundredth of it.

/** Characters of a template's text. The longest that llama.cpp ships has fewer than 17,000. */
export const mostTemplateText = 256 * 1024;

/** Characters that a template may write of a small conversation. */
const mostOfSmall = 1_000_000;

/** Characters that it may write for each one of a larger conversation: escapes, and marks around short texts. */
const mostPerCharacter = 8;

/** Whether a rendering is longer than any conversation of this size can ask for. */
export function isOversized(rendered: string, variables: Record<string, unknown>): boolean {
  if (rendered.length <= mostOfSmall) return false;
  return rendered.length > mostOfSmall + mostPerCharacter * JSON.stringify(variables).length;
}
