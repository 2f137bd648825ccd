// Holds back what the runtime prints about itself while it looks for its binary, which no option of it silences.
// Only lines with the runtime's own mark are held; what anybody else prints meanwhile goes its way.

const mark = "[node-llama-cpp]";
const methods = ["error", "warn", "info", "log"] as const;

/** What an action gave, and the lines that were held back; `report` is told of those where the action fails. */
export async function holdConsole<T>(
  action: () => Promise<T>,
  report: (error: unknown, lines: readonly string[]) => Promise<never> | never,
): Promise<T> {
  const lines: string[] = [];
  const restore = methods.map((method) => {
    const original = console[method];
    const holding = (...values: unknown[]) => {
      if (String(values[0]).includes(mark)) lines.push(values.map(firstLine).join(" ").replace(mark, ""));
      else original.apply(console, values);
    };
    console[method] = holding;
    return () => {
      // Whoever has replaced it meanwhile keeps what is theirs.
      if (console[method] === holding) console[method] = original;
    };
  });
  try {
    return await action();
  } catch (error) {
    return await report(error, lines);
  } finally {
    for (const undo of restore) undo();
  }
}

function firstLine(value: unknown): string {
  return String(value instanceof Error ? value.message : value).split("\n")[0] ?? "";
}
