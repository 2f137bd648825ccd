// BFCL's rules for values: what counts as the same string, list and dict as an accepted one.
// Source: bfcl-eval 2026.3.23, `eval_checker/ast_eval/ast_checker.py`.
import type { Fault } from "./check-call.ts";
import type { PythonDict, PythonList, PythonValue } from "./python-value.ts";
import { isDict, isIn, isList } from "./python-value.ts";

/** Spaces and some punctuation do not count, nor does case; single quotes are double ones. */
function standardize(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');
}

function standardizeStrings(values: PythonList): PythonList {
  return values.map((value) => (typeof value === "string" ? standardize(value) : value));
}

/** The items of a list; of a string its characters, as Python indexes it. */
function itemsOf(value: PythonValue): PythonList {
  if (isList(value)) return value;
  if (typeof value === "string") return [...value];
  throw new Error("an accepted value is neither a list nor a string");
}

export function checkString(value: string, answers: PythonList): Fault {
  const strings = answers.filter((answer) => typeof answer === "string").map(standardize);
  return strings.includes(standardize(value)) ? undefined : "value_error:string";
}

/** Order counts; strings at the top are standardized, deeper ones are not. */
export function checkList(value: PythonList, answers: PythonList): Fault {
  const accepted = answers.map((answer) => standardizeStrings(itemsOf(answer)));
  return isIn(standardizeStrings(value), accepted) ? undefined : "value_error:list/tuple";
}

/** The fault of the last accepted dict, where none fits. */
export function checkDict(value: PythonDict, answers: PythonList): Fault {
  let fault: Fault = "dict_checker:unclear";
  for (const answer of answers) {
    if (answer === "") continue;
    fault = compareDict(value, answer);
    if (fault === undefined) return undefined;
  }
  return fault;
}

function compareDict(value: PythonDict, answer: PythonValue): Fault {
  if (!isDict(answer)) throw new Error("an accepted value is no dict");
  let fault: Fault;
  for (const [key, member] of value) {
    const accepted = answer.get(key);
    if (accepted === undefined) {
      fault = "value_error:dict_key";
      break;
    }
    const given = typeof member === "string" ? standardize(member) : member;
    if (!isIn(given, standardizeStrings(itemsOf(accepted)))) {
      fault = "value_error:dict_value";
      break;
    }
  }
  const missing = [...answer].some(([key, accepted]) => !value.has(key) && !isIn("", itemsOf(accepted)));
  return missing ? "value_error:dict_key" : fault;
}

/** Dict by dict in the order of the accepted list. The fault is that of the last list tried. */
export function checkListOfDicts(value: PythonList, answers: PythonList): Fault {
  let fault: Fault = "list_dict_checker:unclear";
  for (const answer of answers) {
    const accepted = itemsOf(answer);
    if (value.length !== accepted.length) {
      fault = "value_error:list_dict_count";
      continue;
    }
    fault = undefined;
    for (const [index, item] of value.entries()) {
      if (!isDict(item)) throw new Error("an item of a list of dicts is no dict");
      fault = checkDict(item, [accepted[index] ?? ""]);
      if (fault !== undefined) break;
    }
    if (fault === undefined) return undefined;
  }
  return fault;
}
