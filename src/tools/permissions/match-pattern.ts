// Whether a rule's pattern matches what a tool asks for. A pattern that allows is read to the letter; one that refuses or
// asks is read loosely, so that another spelling of the same thing does not get past it.
import { foldText } from "./fold-text.ts";

/** `*` stands for any characters, `?` for one; a last ` *` also for nothing at all. All else is literal. */
export function matchesExactly(pattern: string, text: string): boolean {
  return expressionOf(pattern).test(text);
}

/** The same, for what the texts look like. */
export function matchesLoosely(pattern: string, text: string): boolean {
  return matchesExactly(foldText(pattern), foldText(text));
}

/**
 * Whether a command is, or holds, what a refusing pattern names: its words in their order, whatever stands between them,
 * the program by its last name, wherever it lies. `git push*` names `/usr/bin/git -C . push --force`.
 */
export function namesCommand(pattern: string, command: string): boolean {
  if (matchesLoosely(pattern, command)) return true;
  const [program = "", ...wanted] = wordsOf(pattern);
  const [called = "", ...words] = wordsOf(command);
  if (!matchesExactly(program, called) && !matchesExactly(program, called.replace(/^.*\//, ""))) return false;
  let at = 0;
  for (const word of wanted) {
    if (word === "*") continue;
    while (at < words.length && !matchesExactly(word, words[at] ?? "")) at += 1;
    if (at === words.length) return false;
    at += 1;
  }
  return true;
}

function wordsOf(text: string): readonly string[] {
  return foldText(text)
    .replaceAll(/["'\\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
}

function expressionOf(pattern: string): RegExp {
  const optionalRest = pattern.endsWith(" *");
  const body = [...(optionalRest ? pattern.slice(0, -2) : pattern)].map((character) => {
    if (character === "*") return "[^]*";
    return character === "?" ? "[^]" : character.replace(/[\\^$.|+()[\]{}/-]/, "\\$&");
  });
  return new RegExp(`^${body.join("")}${optionalRest ? "( [^]*)?" : ""}$`, "u");
}
