// How far an answer came on the way to being right: a call, valid arguments, the right tools, all of it right.
import { createValidator, type Validator } from "../schema-grammar/validator.ts";
import type { JsonSchema, ToolDescription } from "../vocabulary/index.ts";
import type { AnsweredCall, BenchAnswer, BenchItem } from "./bench-item.ts";
import { readJson } from "./read-json.ts";

export interface Verdict {
  readonly isRight: boolean;
  /** The kind of fault in the suite's own terms; absent where it is right. */
  readonly fault?: string;
  readonly called: boolean;
  /** Whether all calls are of offered tools and valid against their schemas. Meaningful where `called`. */
  readonly isValid: boolean;
  /** Whether the calls are those that were wanted, by name. */
  readonly hasRightTools: boolean;
}

/** Judges an answer. An answer that is an error is wrong, whatever was wanted. */
export function judgeAnswer(item: BenchItem, answer: BenchAnswer): Verdict {
  const fault = answer.error === undefined ? item.judge(answer) : "error";
  const names = answer.calls.map(({ name }) => name).sort();
  const wanted = item.wanted?.toSorted();
  return {
    isRight: fault === undefined,
    ...(fault === undefined ? {} : { fault }),
    called: answer.calls.length > 0,
    isValid: answer.calls.every((call) => isValidCall(call, item.tools)),
    hasRightTools: wanted === undefined ? names.length > 0 : names.join("\n") === wanted.join("\n"),
  };
}

function isValidCall({ name, text }: AnsweredCall, tools: readonly ToolDescription[]): boolean {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return false;
  const input = readJson(text);
  return input !== undefined && validatorOf(tool.inputSchema)(input).length === 0;
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: JsonSchema): Validator {
  if (typeof schema === "boolean") return createValidator(schema);
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = createValidator(schema);
  validators.set(schema, made);
  return made;
}
