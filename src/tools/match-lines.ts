// Which lines hold a text or match a regular expression. A pattern that takes too long is stopped, not waited for:
// V8 can interrupt a regular expression only inside a script with a time limit.
import { createContext, Script } from "node:vm";
import { ToolFailure } from "./tool.ts";

/** Milliseconds that one file may take. */
const timeLimit = 500;

/** Makes a function that gives the indexes of matching lines, ignoring case. Throws `ToolFailure` for a pattern that is no regular expression. */
export function createLineMatcher(text: string, isRegex: boolean): (lines: readonly string[]) => number[] {
  if (!isRegex) {
    const wanted = text.toLowerCase();
    return (lines) => indexes(lines, (line) => line.toLowerCase().includes(wanted));
  }
  const flags = flagsOf(text);
  const script = new Script(
    "lines.reduce((found, line, at) => { if (pattern.test(line)) found.push(at); return found; }, [])",
  );
  const context = createContext({ pattern: new RegExp(text, flags), lines: [] as readonly string[] });
  return (lines) => {
    context.lines = lines;
    return runLimited(script, context, text);
  };
}

function indexes(lines: readonly string[], matches: (line: string) => boolean): number[] {
  return lines.flatMap((line, at) => (matches(line) ? [at] : []));
}

/** Patterns written without Unicode mode in mind are read the older way. */
function flagsOf(pattern: string): "iu" | "i" {
  for (const flags of ["iu", "i"] as const) {
    try {
      new RegExp(pattern, flags);
      return flags;
    } catch (cause) {
      if (flags === "iu") continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ToolFailure(`"${pattern}" is not a regular expression: ${reason}`, { cause });
    }
  }
  return "i";
}

function runLimited(script: Script, context: object, pattern: string): number[] {
  try {
    return Array.from(script.runInContext(context, { timeout: timeLimit }) as number[]);
  } catch (cause) {
    throw new ToolFailure(`The pattern "${pattern}" takes too long: search for a simpler text.`, { cause });
  }
}
