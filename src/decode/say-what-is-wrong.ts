// One line for the model on what is wrong with its call: the field, what was expected, and what came.
import { type CallFault, type InvalidAttempt, pointerSteps } from "../vocabulary/index.ts";
import type { CheckedTool } from "./check-call.ts";

/** Keywords of faults that no schema has: of reading a call, and of its circumstances. */
export const readFaults = {
  tool: "tool",
  name: "call-name",
  json: "json",
  length: "length",
  parallel: "parallel",
} as const;

// More than a small model can mend at once only confuses it.
const faultsSaid = 3;

/** The line. It names the offered tools where the name was the trouble. */
export function sayWhatIsWrong(
  refused: Pick<InvalidAttempt, "name" | "faults"> & { readonly about?: "answer" },
  tools: readonly CheckedTool[],
): string {
  const { name, faults } = refused;
  const names = tools.map((tool) => tool.name).join(", ") || "none";
  const said = faults.slice(0, faultsSaid).map((fault) => sayFault(fault, name, names));
  const [first = "It cannot be read."] = said;
  if (refused.about === "answer") return `The answer is not of the form it has to be. ${said.join(" ")}`;
  const about = name === undefined ? "The call was not made." : `The call to ${name} was not made.`;
  return `${about} ${[first, ...said.slice(1)].join(" ")}`;
}

function sayFault(fault: CallFault, name: string | undefined, names: string): string {
  const { keyword, expected, came } = fault;
  switch (keyword) {
    case readFaults.tool:
      return `There is no tool ${came}; the tools are: ${names}.`;
    case readFaults.name:
      return `It has no "name"; the tools are: ${names}.`;
    case readFaults.json:
      return `Its ${expected}: ${came}.`;
    case readFaults.length:
      return "It was cut off at the token limit; make it smaller, or do the work in several smaller calls.";
    case readFaults.parallel:
      return `Only one call is allowed at a time${name === undefined ? "" : ", and this was not the first"}.`;
    case "additionalProperties":
      return `There is no parameter ${fieldOf(fault)}; expected ${expected}.`;
    case "required":
      return `${fault.pointer === "" ? "" : `In ${fieldOf(fault)}: `}${expected} is missing; came: ${came}.`;
    default:
      return `${fieldOf(fault)}: expected ${expected}, came ${came}.`;
  }
}

/** A pointer as people write it: `a.b[0]`. */
function fieldOf({ pointer }: CallFault): string {
  const field = pointerSteps(pointer).reduce(
    (path, part) => (/^[0-9]+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`),
    "",
  );
  return field === "" ? "arguments" : field;
}
