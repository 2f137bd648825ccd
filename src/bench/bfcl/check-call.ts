// BFCL's rules for one call: name, parameters, types, values. The first fault decides.
// Source: bfcl-eval 2026.3.23, `eval_checker/ast_eval/ast_checker.py`, whose verdicts and error types these are.

import { checkDict, checkList, checkListOfDicts, checkString } from "./check-values.ts";
import { javaTypes, readJava } from "./java-literals.ts";
import { javascriptTypes, readJavascript } from "./javascript-literals.ts";
import type { PythonDict, PythonList, PythonType, PythonValue } from "./python-value.ts";
import { isDict, isIn, isList, typeOf } from "./python-value.ts";

/** `undefined`: right. Otherwise BFCL's error type. */
export type Fault = string | undefined;

/** A tool as the data set describes it. */
export interface ToolDoc {
  readonly name: string;
  /** The language whose literals arguments are, as texts; absent: Python, whose values they are. */
  readonly language?: "java" | "javascript";
  readonly properties: ReadonlyMap<string, ParameterDoc>;
  readonly required: readonly string[];
}

export interface ParameterDoc {
  readonly type: string;
  /** The type of an array's items. */
  readonly itemType?: string;
}

/** Accepted values of each parameter; `""` among them: it may be left out. */
export type AcceptedCall = ReadonlyMap<string, PythonList>;

const pythonTypes: Readonly<Record<string, PythonType>> = {
  string: "str",
  integer: "int",
  float: "float",
  boolean: "bool",
  array: "list",
  tuple: "list",
  dict: "dict",
  any: "str",
};

/** Checks a call, a dict of one name with its arguments, against the tool that is expected. */
export function checkCall(tool: ToolDoc, call: PythonDict, accepted: AcceptedCall): Fault {
  const given = call.get(tool.name);
  if (given === undefined) return "simple_function_checker:wrong_func_name";
  if (!isDict(given)) throw new Error(`the arguments of ${tool.name} are no dict`);
  if (tool.required.some((name) => !given.has(name))) return "simple_function_checker:missing_required";
  for (const [name, value] of given) {
    const parameter = tool.properties.get(name);
    const answers = accepted.get(name);
    if (parameter === undefined || answers === undefined) return "simple_function_checker:unexpected_param";
    const fault =
      tool.language === undefined
        ? checkArgument(parameter, value, answers)
        : checkLiteral(tool.language, parameter, value, answers);
    if (fault !== undefined) return fault;
  }
  const missing = [...accepted].some(([name, answers]) => !given.has(name) && !isIn("", answers));
  return missing ? "simple_function_checker:missing_optional" : undefined;
}

function checkArgument(parameter: ParameterDoc, given: PythonValue, answers: PythonList): Fault {
  const type = pythonTypes[parameter.type];
  if (type === undefined) throw new Error(`BFCL has no type "${parameter.type}"`);
  const isNested = parameter.type === "array" || parameter.type === "tuple";
  const itemType = isNested ? pythonTypes[parameter.itemType ?? ""] : undefined;
  // The one relaxation: an int where a float is declared, at the top only.
  const value = parameter.type === "float" && typeof given === "bigint" ? Number(given) : given;
  return checkValue(value, answers, type, itemType);
}

const literals = {
  java: { types: javaTypes, read: readJava, fault: "type_error:java" },
  javascript: { types: javascriptTypes, read: readJavascript, fault: "type_error:js" },
} as const;

/** An argument that is a literal: read by its declared type, then held against the accepted values. */
function checkLiteral(
  language: NonNullable<ToolDoc["language"]>,
  { type, itemType }: ParameterDoc,
  given: PythonValue,
  answers: PythonList,
): Fault {
  const { types, read, fault } = literals[language];
  const pythonType = types[type];
  const isNested = type === "array" || type === "Array" || type === "ArrayList";
  const nestedType = isNested ? types[itemType ?? ""] : undefined;
  // The data set has parameters without a type, on which BFCL's rules raise: such an answer is never right.
  if (pythonType === undefined || (isNested && nestedType === undefined)) return "type_error:unknown";
  if (typeof given !== "string") return fault;
  return checkValue(read(given, type, isNested ? itemType : undefined), answers, pythonType, nestedType);
}

function checkValue(
  value: PythonValue,
  answers: PythonList,
  type: PythonType,
  itemType: PythonType | undefined,
): Fault {
  const typed = checkType(value, answers, type, itemType);
  if (typed.fault !== undefined) return typed.fault;
  if (!typed.isVariable) {
    if (type === "dict") return checkDict(value as PythonDict, answers);
    if (type === "list" && itemType === "dict") return checkListOfDicts(value as PythonList, answers);
    if (type === "str") return checkString(value as string, answers);
    if (type === "list") return checkList(value as PythonList, answers);
  }
  return isIn(value, answers) ? undefined : "value_error:others";
}

interface TypeVerdict {
  readonly fault?: string;
  /** Whether the accepted values are of another type than the declared one, which then is compared plainly. */
  readonly isVariable: boolean;
}

function checkType(
  value: PythonValue,
  answers: PythonList,
  type: PythonType,
  itemType: PythonType | undefined,
): TypeVerdict {
  const firstAnswer = answers.find((answer) => answer !== "");
  const answerType = firstAnswer === undefined ? undefined : typeOf(firstAnswer);
  const isVariable = answerType !== undefined && answerType !== type;
  if (typeOf(value) === type) {
    if (itemType === undefined || answers.some((answer) => itemsHaveType(value, answer, itemType)))
      return { isVariable };
    return { fault: answerType === "list" ? "type_error:nested" : "type_error:simple", isVariable: true };
  }
  if (typeOf(value) === answerType) return { isVariable: true };
  return { fault: "type_error:simple", isVariable };
}

/** Whether each item has the type, or that of the accepted list's first item. What is no list refuses nothing. */
function itemsHaveType(value: PythonValue, answer: PythonValue, itemType: PythonType): boolean {
  if (!isList(answer) || !isList(value)) return true;
  return value.every((item) => checkType(item, answer, itemType, undefined).fault === undefined);
}
