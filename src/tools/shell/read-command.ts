// Reads a shell command for the permission gate: the commands it would run, the paths it speaks of, and why it may do
// more than it says. Decides nothing.
import { judgeProgram, treesOf } from "./judge-program.ts";
import { parseShell, type ShellRedirect } from "./parse-shell.ts";

export interface ShellReading {
  /** The commands as texts, in the order in which they stand; those that are run by others come after them. */
  readonly commands: readonly string[];
  /** What the words may mean as paths, as they are written. */
  readonly words: readonly string[];
  /** Words that may be folders whose files are read, those inside included; `.` where a program does so by itself. */
  readonly trees: readonly string[];
  readonly redirects: readonly ShellRedirect[];
  /** In one sentence; absent where the commands say all that would happen. */
  readonly unclear?: string;
}

/** Scripts within scripts are read so many levels deep; below it is unclear already. */
const deepestScript = 5;

/** Reads a command line. Never throws. */
export function readCommand(text: string): ShellReading {
  const found = {
    commands: [] as string[],
    words: [] as string[],
    trees: [] as string[],
    redirects: [] as ShellRedirect[],
  };
  const unclear = new Set<string>();
  const read = (script: string, depth: number): void => {
    const parsed = parseShell(script);
    for (const reason of parsed.unclear) unclear.add(reason);
    found.redirects.push(...parsed.redirects);
    for (const { words } of parsed.commands) {
      const judged = judgeProgram(words);
      if (judged.unclear !== undefined) unclear.add(judged.unclear);
      found.commands.push(writeCommand(words), ...judged.inner.map(writeCommand));
      found.words.push(...words.slice(1));
      found.trees.push(...treesOf(words));
      if (judged.script !== undefined && depth < deepestScript) read(judged.script, depth + 1);
    }
  };
  read(text, 0);
  // What holds no command at all, or only assignments, is still something that runs.
  if (found.commands.length === 0) found.commands.push(text.trim());
  return {
    commands: [...new Set(found.commands)],
    words: [...new Set(found.words)],
    trees: [...new Set(found.trees)],
    redirects: found.redirects,
    ...(unclear.size === 0 ? {} : { unclear: [...unclear].join("; ") }),
  };
}

/** A command in one spelling: words joined by single spaces, quoted where they hold anything but plain characters. */
export function writeCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~^-]+$/.test(word) ? word : quote(word))).join(" ");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
