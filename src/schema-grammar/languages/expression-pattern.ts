// What every regular expression of ECMA-262 looks like, as far as a regular expression can tell: escapes and classes are
// closed, a repetition has something to repeat, and parentheses match three deep. Deeper ones may be anything.

const single = "(?:\\\\[^]|\\[(?:\\\\[^]|[^\\\\\\]])*\\]|[^\\\\\\[()*+?|^$])";
const repetition = "(?:[*+?]\\??)?";
const openGroup = "\\(\\??";
const deepest = 3;

function inside(depth: number): string {
  const piece = `${single}${repetition}|[|^$]`;
  return depth === 0 ? `(?:${piece})*` : `(?:${piece}|${openGroup}${inside(depth - 1)}\\)${repetition})*`;
}

const tooDeep = Array.from({ length: deepest + 1 }, (_, i) => `${inside(deepest - i)}${openGroup}`).join("");

export const expressionPattern = `(?:${inside(deepest)}|${tooDeep}[^]*)`;
