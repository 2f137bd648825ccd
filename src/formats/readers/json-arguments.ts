// What the formats share that write a name in their own way and the arguments as one JSON object behind it.
import { locateIn, mendedStrings } from "../json-node.ts";
import { createJsonReader } from "../json-reader.ts";
import { needsMore, type Step } from "./stepping-reader.ts";

export interface ArgumentsInput {
  readonly text: string;
  /** Where the JSON begins. */
  readonly at: number;
  readonly isOver: boolean;
  readonly name: string;
  readonly lenient: boolean;
}

/** The call whose arguments begin at `at`. */
export function readArguments({ text, at, isOver, name, lenient }: ArgumentsInput): Step {
  const json = createJsonReader({ lenient });
  json.push(text.slice(at));
  if (json.status === "broken") return { type: "broken", at: at + json.faultAt, reason: json.reason, name };
  if (json.status === "reading" || json.root === undefined) {
    const reason = "the JSON ends before the call is complete";
    return isOver ? { type: "broken", at: text.length, reason, name } : needsMore;
  }
  const { root } = json;
  const call = {
    name,
    input: root.value ?? {},
    inputText: text.slice(at + root.start, at + root.end),
    repairs: mendedStrings(root),
    locate: locateIn(root, at),
  };
  return { type: "call", call, next: at + json.offset };
}
