// BFCL's verdict on all that a model answered to one item: how many calls, in which order, or whether any at all.
// Source: bfcl-eval 2026.3.23, `ast_checker.py` and `eval_runner.py`.
import { type AcceptedCall, checkCall, type Fault, type ToolDoc } from "./check-call.ts";
import { isDict, isList, type PythonDict, type PythonValue } from "./python-value.ts";

/** An expected call: the tool's name and the values accepted for each parameter. */
export interface ExpectedCall {
  readonly name: string;
  readonly accepted: AcceptedCall;
}

export interface JudgedItem {
  /** The data set's own name: `simple_python`, `live_parallel_multiple`, `irrelevance`, … */
  readonly category: string;
  readonly tools: readonly ToolDoc[];
  /** None where only whether there is a call counts. */
  readonly expected: readonly ExpectedCall[];
}

/** The verdict on an answer as a result file has it: `[{name: {parameter: value}}, …]`, or anything else for no call. */
export function checkAnswer(item: JudgedItem, answer: PythonValue): Fault {
  const { category } = item;
  const calls = readCalls(answer);
  if (category.includes("irrelevance"))
    return calls === undefined || calls.length === 0 ? undefined : "irrelevance_error:decoder_success";
  if (category.includes("relevance"))
    return calls !== undefined && calls.length > 0 ? undefined : "relevance_error:decoder_failed";
  if (!isList(answer) || !answer.every(isDict)) return "ast_decoder:decoder_failed";
  if (calls === undefined) return "ast_decoder:decoder_wrong_output_format";
  if (category.includes("parallel")) return checkInAnyOrder(item, calls);
  return checkOne(item, calls, category.includes("multiple") ? "multiple" : "simple");
}

function readCalls(answer: PythonValue): readonly PythonDict[] | undefined {
  if (!isList(answer)) return undefined;
  const calls = answer.filter(isCall);
  return calls.length === answer.length ? calls : undefined;
}

function isCall(value: PythonValue): value is PythonDict {
  return isDict(value) && value.size === 1 && [...value.values()].every(isDict);
}

function checkOne(item: JudgedItem, calls: readonly PythonDict[], kind: "simple" | "multiple"): Fault {
  const [call] = calls;
  const [expected] = item.expected;
  if (call === undefined || expected === undefined || calls.length !== item.expected.length)
    return `${kind}_function_checker:wrong_count`;
  // A simple item is held against its first tool, whatever name the answer expects.
  const tool = kind === "simple" ? item.tools[0] : findTool(item, expected.name);
  if (tool === undefined) throw new Error(`the item has no tool ${expected.name}`);
  return checkCall(tool, call, expected.accepted);
}

/** Each expected call takes the first unused call that fits it; there is no going back. */
function checkInAnyOrder(item: JudgedItem, calls: readonly PythonDict[]): Fault {
  if (calls.length !== item.expected.length) return "parallel_function_checker_no_order:wrong_count";
  const unused = [...calls];
  for (const { name, accepted } of item.expected) {
    const tool = findTool(item, name);
    if (tool === undefined) throw new Error(`the item has no tool ${name}`);
    const found = unused.findIndex((call) => checkCall(tool, call, accepted) === undefined);
    if (found === -1) return "parallel_function_checker_no_order:cannot_find_match";
    unused.splice(found, 1);
  }
  return undefined;
}

function findTool(item: JudgedItem, name: string): ToolDoc | undefined {
  return item.tools.find((tool) => tool.name === name);
}
