// `callwright grammar`: a JSON Schema as GBNF, its report, and whether a text belongs to it. Needs no model.
import { printGbnf } from "../gbnf-builder/index.ts";
import { type CompiledSchema, type CompileOptions, compileSchema } from "../schema-grammar/index.ts";
import type { JsonSchema } from "../vocabulary/index.ts";
import { type Command, Option } from "./commander.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { judgeText, type Verdict } from "./judge-text.ts";
import { readJsonFile, readTextFile } from "./read-json.ts";

export interface GrammarOptions {
  readonly report?: boolean;
  readonly accepts?: string;
  readonly objects: "standard" | "closed";
  readonly spacing: "compact" | "spaced" | "pretty";
  readonly json?: boolean;
}

/** Adds `grammar`. */
export function addGrammarCommand(program: Command): void {
  program
    .command("grammar")
    .description("Compile a JSON Schema to a llama.cpp grammar (GBNF).")
    .argument("<schema>", 'JSON Schema file; "-" for stdin')
    .option("--report", "print what the grammar enforces, instead of the grammar")
    .addOption(
      new Option("--accepts <file>", "say whether the grammar accepts the text in a file, instead").conflicts(
        "report",
      ),
    )
    .addOption(
      new Option("--objects <kind>", "closed: undeclared keys are forbidden where the schema says nothing")
        .choices(["standard", "closed"])
        .default("standard"),
    )
    .addOption(
      new Option("--spacing <kind>", "how the JSON is laid out")
        .choices(["compact", "spaced", "pretty"])
        .default("spaced"),
    )
    .option("--json", "print the report, or the verdict, as JSON")
    .addHelpText(
      "after",
      `
"exact" promises the same set of JSON values as the schema has, apart from key order, spacing and spelling.
A residual says which keyword is not enforced, and whether the grammar allows too much (over) or too little (under).
With --accepts the exit code is 0 where the text is accepted and 6 where it is refused. A refusal says what could stand
in that place, and how the grammar writes the value where only the spelling differs.

Examples:
  callwright grammar schema.json > schema.gbnf
  callwright grammar schema.json --report --objects closed
  callwright grammar schema.json --accepts value.json --spacing compact`,
    )
    .action(async (schema: string, options: GrammarOptions) => {
      process.exitCode = await grammarCommand(schema, options);
    });
}

/** Compiles and prints; gives the exit code. */
export async function grammarCommand(path: string, options: GrammarOptions): Promise<ExitCode> {
  // What is no schema at all is refused by the compiler, with its place.
  const schema = (await readJsonFile(path)) as JsonSchema;
  const compiled = compileSchema(schema, compileOptions(options));
  for (const warning of compiled.warnings) {
    process.stderr.write(`warning: ${warning.pointer || "the schema"}: ${warning.text}\n`);
  }
  if (options.accepts !== undefined) {
    // Editors end a file with a line end, which is no part of the value.
    const text = (await readTextFile(options.accepts)).replace(/\r?\n$/, "");
    return printVerdict(judgeText(schema, compiled, text), options.json === true);
  }
  if (options.report === true || options.json === true) printReport(compiled, options.json === true);
  else if (compiled.satisfiable) printGrammar(compiled);
  if (compiled.satisfiable) return exitCodes.done;
  process.stderr.write("callwright: no value can meet this schema; no grammar is written\n");
  return exitCodes.usage;
}

function compileOptions(options: GrammarOptions): CompileOptions {
  const spacing = options.spacing === "pretty" ? { indent: 2, level: 0 } : options.spacing;
  return { objects: options.objects, spacing };
}

function printReport(compiled: CompiledSchema, asJson: boolean): void {
  const { satisfiable, exact, residual, warnings } = compiled;
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ satisfiable, exact, residual, warnings })}\n`);
    return;
  }
  const rows = residual.map(
    (entry) => `${entry.direction.padEnd(5)} ${entry.pointer || "/"} ${entry.keyword}: ${entry.reason}`,
  );
  const lines = [`satisfiable  ${yesNo(satisfiable)}`, `exact        ${yesNo(exact)}`];
  const list = rows.length === 0 ? ["residual     none"] : ["residual", ...rows.map((row) => `  ${row}`)];
  process.stdout.write(`${[...lines, ...list].join("\n")}\n`);
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}

function printGrammar({ grammar, exact, residual }: CompiledSchema): void {
  process.stdout.write(ensureLineEnd(printGbnf(grammar)));
  if (exact) return;
  const places = residual.length === 1 ? "1 place" : `${residual.length} places`;
  process.stderr.write(`callwright: the grammar is not exact in ${places}; --report lists them\n`);
}

function printVerdict(verdict: Verdict, asJson: boolean): ExitCode {
  const lines = asJson ? [JSON.stringify(verdict)] : describeVerdict(verdict);
  process.stdout.write(`${lines.join("\n")}\n`);
  return verdict.accepted ? exitCodes.done : exitCodes.refused;
}

function describeVerdict(verdict: Verdict): readonly string[] {
  if (verdict.accepted) return ["accepted"];
  const { fault, expected, valid, written } = verdict;
  const lines = [`refused: ${fault}`];
  if (expected.length > 0) lines.push(`expected: ${expected.join(" or ")}`);
  if (written !== undefined) lines.push(`valid for the schema, but the grammar writes it as: ${written}`);
  else if (valid === true) lines.push("valid for the schema, but this grammar does not have the value");
  else if (valid === false) lines.push("the value is not valid for the schema either");
  return lines;
}

function ensureLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
