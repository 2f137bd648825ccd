// Reads the command line of the verifying programs: `--name value` and `--help`. Nothing else is allowed.
import { parseArgs } from "node:util";

export interface OptionTexts {
  /** By name: what it is, and its default in words. */
  readonly [name: string]: string;
}

/** Values by name. Prints help and leaves where it is asked for or something is wrong. */
export function readOptions(usage: string, texts: OptionTexts): Readonly<Record<string, string | undefined>> {
  const names = Object.keys(texts);
  const help = [
    usage,
    "",
    ...names.map((name) => `  --${name.padEnd(12)} ${texts[name]}`),
    `  --${"help".padEnd(12)} this text`,
  ].join("\n");
  try {
    const { values } = parseArgs({
      options: {
        help: { type: "boolean" as const },
        ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
      },
    });
    if (values.help === true) {
      process.stdout.write(`${help}\n`);
      process.exit(0);
    }
    return Object.fromEntries(names.map((name) => [name, textOf(values, name)]));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}\n`);
    process.exit(2);
  }
}

/** A whole number of at least 1, or the default where nothing was given. Leaves with a message where it is none. */
export function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  process.stderr.write(`--${name} must be a whole number of at least 1, not ${text}\n`);
  process.exit(2);
}

function textOf(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}
