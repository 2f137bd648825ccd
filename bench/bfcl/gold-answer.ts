// Answers made from what BFCL accepts, and single faults of them, to hold our checker against BFCL's own.

import { isDict, isList, type PythonDict, type PythonValue } from "../../src/bench/bfcl/python-value.ts";
import type { BfclItem } from "../../src/bench/bfcl/read-items.ts";
import type { Random } from "../random.ts";
import { writeLiteral } from "./write-literal.ts";

type Args = ReadonlyMap<string, PythonValue>;
type Answer = readonly PythonValue[];

/** A right answer: each parameter that the tool has with one of its accepted values, or left out where that is accepted. */
export function goldAnswer(item: BfclItem, random: Random): Answer {
  return item.expected.map(({ name, accepted }) => {
    const tool = item.tools.find((candidate) => candidate.name === name);
    const args = new Map<string, PythonValue>();
    for (const [parameter, values] of accepted) {
      const isKnown = tool?.properties.has(parameter) ?? false;
      const isOwed = tool?.required.includes(parameter) ?? false;
      const usable = values.filter((value) => value !== "");
      if (!isKnown || usable.length === 0) continue;
      if (!isOwed && values.includes("") && random.chance(0.5)) continue;
      const value = random.pick(usable);
      const picked = isDict(value) ? pickMembers(value, random) : mapDicts(value, random);
      const declared = tool?.properties.get(parameter);
      const isLiteral = tool?.language !== undefined && declared !== undefined;
      args.set(parameter, isLiteral ? writeLiteral(picked, declared, tool.language, random) : picked);
    }
    return new Map<string, PythonValue>([[name, args]]);
  });
}

/** An accepted dict lists the accepted values of each key. */
function pickMembers(dict: PythonDict, random: Random): PythonDict {
  const picked = new Map<string, PythonValue>();
  for (const [key, values] of dict) {
    const usable = isList(values) ? values.filter((value) => value !== "") : [values];
    if (usable.length > 0) picked.set(key, random.pick(usable));
  }
  return picked;
}

function mapDicts(value: PythonValue, random: Random): PythonValue {
  return isList(value) ? value.map((item) => (isDict(item) ? pickMembers(item, random) : item)) : value;
}

/** The answer with one thing changed; what is changed is drawn. It may still be right. */
export function mutateAnswer(answer: Answer, random: Random): PythonValue {
  const kinds = [dropArgument, renameArgument, changeValue, changeValue, changeValue, recase];
  const calls = [dropCall, repeatCall, reverse, renameCall, wrapAnswer];
  if (answer.length === 0 || random.chance(0.2)) return random.pick(calls)(answer, random);
  const at = random.below(answer.length);
  const change = random.pick(kinds);
  return answer.map((call, index) =>
    index === at ? changeArgs(call, (args) => change(args, random)) : call,
  );
}

function dropCall(answer: Answer): PythonValue {
  return answer.slice(1);
}

function repeatCall(answer: Answer): PythonValue {
  return [...answer, ...answer.slice(0, 1)];
}

function reverse(answer: Answer): PythonValue {
  return answer.toReversed();
}

function renameCall(answer: Answer): PythonValue {
  return answer.map((call) =>
    isDict(call) ? new Map([...call].map(([name, args]) => [`${name}_2`, args])) : call,
  );
}

function wrapAnswer(answer: Answer, random: Random): PythonValue {
  return random.pick<PythonValue>([
    "no call",
    [],
    [new Map()],
    [answer],
    null,
    answer[0] ?? 1n,
    [...answer, "text"],
  ]);
}

function changeArgs(call: PythonValue, change: (args: Args) => Args): PythonValue {
  if (!isDict(call)) return call;
  return new Map([...call].map(([name, args]) => [name, isDict(args) ? change(args) : args]));
}

function dropArgument(args: Args, random: Random): Args {
  const dropped = random.below(Math.max(1, args.size));
  return new Map([...args].filter((_, index) => index !== dropped));
}

function renameArgument(args: Args, random: Random): Args {
  const renamed = random.below(Math.max(1, args.size));
  return new Map([...args].map(([key, value], index) => [index === renamed ? `${key}_` : key, value]));
}

function recase(args: Args): Args {
  return mapValues(args, (value) => (typeof value === "string" ? `${value.toUpperCase()} .` : value));
}

function changeValue(args: Args, random: Random): Args {
  const changed = random.below(Math.max(1, args.size));
  return new Map(
    [...args].map(([key, value], index) => [key, index === changed ? other(value, random) : value]),
  );
}

function mapValues(args: Args, change: (value: PythonValue) => PythonValue): Args {
  return new Map([...args].map(([key, value]) => [key, change(value)]));
}

function other(value: PythonValue, random: Random): PythonValue {
  if (isList(value)) return otherList(value, random);
  if (isDict(value)) {
    const [first] = value;
    if (first === undefined) return new Map([["more", 1n]]);
    const [key, member] = first;
    return random.pick<PythonValue>([
      new Map([...value].slice(1)),
      new Map([...value, ["more", 1n]]),
      new Map([...value, [key, other(member, random)]]),
      [value],
    ]);
  }
  switch (typeof value) {
    case "bigint":
      return random.pick<PythonValue>([value + 1n, Number(value), String(value), value === 1n, [value]]);
    case "number":
      return random.pick<PythonValue>([
        value + 0.5,
        BigInt(Math.trunc(value)),
        String(value),
        value + Number.EPSILON,
      ]);
    case "boolean":
      return random.pick<PythonValue>([!value, BigInt(value), Number(value), String(value)]);
    case "string":
      return random.pick<PythonValue>([
        `${value}x`,
        value.slice(1),
        value.slice(0, -1),
        value.replace(/\d/, "7"),
        value.replace(/[,;]/, ""),
        `${value}\n`,
        value.replaceAll(" ", "-"),
        value.replaceAll('"', "'"),
        "",
        null,
        [value],
      ]);
    default:
      return "";
  }
}

function otherList(list: readonly PythonValue[], random: Random): PythonValue {
  const [first = 1n] = list;
  return random.pick<PythonValue>([
    list.toReversed(),
    list.slice(1),
    [...list, first],
    [],
    [other(first, random), ...list.slice(1)],
    String(first),
    [list],
  ]);
}
