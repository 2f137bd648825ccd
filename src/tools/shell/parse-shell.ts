// Reads a shell command into the simple commands it holds, its redirections, and what about it cannot be read off the
// text. The only file that knows unbash. Knows nothing of permissions, of files, or of what programs do.
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from "unbash";

/** A program and its arguments as the shell passes them, wherever in the text they stand. */
export interface SimpleCommand {
  readonly words: readonly string[];
}

export interface ShellRedirect {
  readonly path: string;
  readonly access: "read" | "write";
}

export interface ParsedShell {
  /** Every simple command, those inside substitutions, functions and loops included. */
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** What the text alone does not decide, in words; empty where the commands are all that will run. */
  readonly unclear: readonly string[];
}

/** Kinds of syntax whose meaning is what the text says. Everything else depends on state: variables, files, functions. */
const plainKinds: ReadonlySet<string> = new Set([
  "Script",
  "Statement",
  "CompoundList",
  "Pipeline",
  "AndOr",
  "Subshell",
  "BraceGroup",
  "If",
  "Elif",
  "While",
  "Redirected",
  "Command",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "Redirect",
  "FileDescriptor",
  "HereDoc",
  "HereDocDelimiter",
  "HereDocBody",
  "HereString",
  "Negation",
  "Time",
]);

/** What a terminal, an editor or a reader shows as something else than the shell runs. */
const hidden = /[\p{Cf}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;

/** Parses the way bash does. Never throws: what it cannot read is unclear. */
export function parseShell(text: string): ParsedShell {
  const commands: SimpleCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const unclear = new Set<string>();
  if (hidden.test(text)) unclear.add("invisible or control characters");
  const visit = (node: SyntaxNode): void => {
    if (!plainKinds.has(node.type)) unclear.add(nameOf(node.type));
    if (node.type === "Command") commands.push({ words: wordsOf(node) });
    if (node.type === "Word" && holdsUnreadMarks(node)) unclear.add("an expansion");
    if (node.type === "Redirect") readRedirect(node, redirects, unclear);
    forEachChild(node, visit);
  };
  try {
    const script = parse(text);
    for (const { message } of script.errors ?? []) unclear.add(`a syntax error: ${message}`);
    visit(script);
  } catch (error) {
    // Text nested deeper than the parser's stack: it is asked about, not run unread.
    unclear.add(`it cannot be parsed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { commands: commands.filter(({ words }) => words.length > 0), redirects, unclear: [...unclear] };
}

function wordsOf(command: Command): readonly string[] {
  if (command.name === undefined) return [];
  const rest = command.suffix.flatMap((part) => {
    if (part.type === "Word") return [part.value];
    return part.type === "Assignment" ? [part.text] : [];
  });
  return [command.name.value, ...rest];
}

/** Marks of an expansion in a word whose parts the parser saw no need to list. */
function holdsUnreadMarks(word: Word): boolean {
  return word.parts === undefined && /(?<!\\)(?:\\\\)*[$`*?[{]/.test(word.text);
}

function readRedirect(
  node: Extract<Redirection, { type: "Redirect" }>,
  redirects: ShellRedirect[],
  unclear: Set<string>,
): void {
  if (node.target === undefined) {
    unclear.add("a redirection to nowhere");
    return;
  }
  const path = node.target.value;
  const isDescriptor = node.operator.endsWith("&") && /^(?:\d+-?|-)$/.test(path);
  if (isDescriptor) return;
  redirects.push({ path, access: node.operator === "<" || node.operator === "<&" ? "read" : "write" });
}

/** `CommandExpansion` as a person reads it. */
function nameOf(kind: string): string {
  if (kind === "Assignment") return "an assignment of a variable";
  return kind
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace("Ansi CQuoted", "$'…' quoting")
    .toLowerCase();
}
