// Asks the person at the terminal: whether something may be done, and what a model wants to know.
import { createInterface, type Interface } from "node:readline/promises";
import type { AskedPermission, PermissionAnswer } from "../agent/index.ts";
import type { Question } from "../tools/index.ts";
import { visibleText } from "./visible-text.ts";

export interface Person {
  allow(request: AskedPermission): Promise<PermissionAnswer>;
  answer(question: Question): Promise<string | undefined>;
}

/** Reads lines: a terminal, or what stands for one in a test. */
export interface LineReader {
  question(text: string, options: { readonly signal: AbortSignal }): Promise<string>;
}

/** Undefined where nobody is at a terminal: then nobody can be asked. */
export function findPerson(): { readonly person: Person; readonly lines: Interface } | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return { person: createPerson(lines, (text) => process.stderr.write(text)), lines };
}

export function createPerson(lines: LineReader, write: (text: string) => void): Person {
  return {
    allow: async (request) => {
      write(`\n${visibleText(describeRequest(request))}\n`);
      // What was not understood is not remembered, so it is not offered.
      const canRemember = request.unclear === undefined;
      const prompt = canRemember
        ? "Allow? [y]es, [a]lways, [n]o, or why not: "
        : "Allow? [y]es, [n]o, or why not: ";
      return readAnswer(await lines.question(prompt, { signal: request.signal }), canRemember);
    },
    answer: async ({ question, options, signal }) => {
      const list = options.map((option, at) => `  ${at + 1}. ${option}`).join("\n");
      write(`\n${visibleText(list === "" ? question : `${question}\n${list}`)}\n`);
      const given = (await lines.question("> ", { signal })).trim();
      return options[Number(given) - 1] ?? (given === "" ? undefined : given);
    },
  };
}

/** Anything that is no clear yes is a no; more than a word is told to the model. */
export function readAnswer(text: string, canRemember: boolean): PermissionAnswer {
  const given = text.trim().toLowerCase();
  if (given === "y" || given === "yes") return "once";
  if ((given === "a" || given === "always") && canRemember) return "always";
  return given.includes(" ") ? { no: text.trim() } : "no";
}

function describeRequest({ tool, permission, patterns, unclear, metadata }: AskedPermission): string {
  const { diff, command } = metadata ?? {};
  const detail =
    typeof diff === "string" ? diff.trimEnd() : typeof command === "string" ? `$ ${command}` : "";
  return [
    `${tool} asks for ${permission}: ${patterns.join(", ")}`,
    ...(unclear === undefined ? [] : [`not all of it can be told beforehand: ${unclear}`]),
    ...(detail === "" ? [] : [detail]),
  ].join("\n");
}
