// BFCL's items as requests of ours, each with what its checker needs.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolDescription,
} from "../../vocabulary/index.ts";
import type { ExpectedCall, JudgedItem } from "./check-answer.ts";
import type { ParameterDoc, ToolDoc } from "./check-call.ts";
import type { CategoryText } from "./data-set.ts";
import { isDict, isList, type PythonList, type PythonValue, parsePython } from "./python-value.ts";
import { toInputSchema } from "./to-input-schema.ts";
import { toLiterals } from "./to-literals.ts";

export interface BfclItem extends JudgedItem {
  readonly id: string;
  readonly messages: readonly Message[];
  /** The tools as a model is offered them. */
  readonly offered: readonly ToolDescription[];
}

/** What BFCL adds to each tool's description. */
function languageNote(language: ToolDoc["language"]): string {
  const syntax = { java: "Java 8 SDK", javascript: "JavaScript", python: "Python 3" }[language ?? "python"];
  return ` Note that the provided function is in ${syntax} syntax.`;
}

function languageOf(category: string): ToolDoc["language"] {
  if (category === "simple_java") return "java";
  return category === "simple_javascript" ? "javascript" : undefined;
}

/** All items of a category, in the data set's order. Answers belong to items by their place in the file. */
export function readItems(category: string, text: CategoryText): readonly BfclItem[] {
  const language = languageOf(category);
  const answers = text.answers === undefined ? [] : lines(text.answers).map(readExpected);
  return lines(text.items).map((line, index) => {
    const item = JSON.parse(line) as RawItem;
    return {
      id: item.id,
      category,
      messages: (item.question[0] ?? []).map(({ role, content }): Message => ({ role, content })),
      offered: item.function.map((tool) => toTool(tool, language)),
      tools: item.function.map((tool) => toDoc(tool, language)),
      expected: answers[index] ?? [],
    };
  });
}

interface RawItem {
  readonly id: string;
  readonly question: readonly (readonly { role: "system" | "user" | "assistant"; content: string }[])[];
  readonly function: readonly RawTool[];
}

interface RawTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function toTool({ name, description, parameters }: RawTool, language: ToolDoc["language"]): ToolDescription {
  const told = language === undefined ? parameters : toLiterals(parameters, language);
  return { name, description: description + languageNote(language), inputSchema: toInputSchema(told) };
}

function toDoc({ name, parameters }: RawTool, language: ToolDoc["language"]): ToolDoc {
  const properties = Object.entries(objectAt(parameters, "properties")).map(
    ([key, value]): [string, ParameterDoc] => [key, toParameter(value)],
  );
  return {
    name,
    ...(language === undefined ? {} : { language }),
    properties: new Map(properties),
    required: (parameters.required ?? []) as string[],
  };
}

function toParameter(value: JsonValue): ParameterDoc {
  const schema = isJsonObject(value) ? value : {};
  const itemType = objectAt(schema, "items").type;
  return {
    type: String(schema.type),
    ...(itemType === undefined ? {} : { itemType: String(itemType) }),
  };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
}

function readExpected(line: string): readonly ExpectedCall[] {
  const entry = parsePython(line);
  const calls = isDict(entry) ? entry.get("ground_truth") : undefined;
  if (calls === undefined || !isList(calls)) throw new Error("a line of answers has no ground_truth");
  return calls.map(toExpected);
}

function toExpected(call: PythonValue): ExpectedCall {
  const [entry] = isDict(call) ? call : [];
  if (entry === undefined || !isDict(entry[1])) throw new Error("an expected call names no function");
  const accepted = new Map<string, PythonList>();
  for (const [name, values] of entry[1]) {
    if (!isList(values)) throw new Error(`the accepted values of ${name} are no list`);
    accepted.set(name, values);
  }
  return { name: entry[0], accepted };
}
