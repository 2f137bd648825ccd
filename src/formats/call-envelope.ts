// Reads one call written as a JSON object `{"name": …, "arguments": {…}}`, in pieces of any size.
// Knows no format's marks and no tools. A call starts for the outside once both its name and its arguments are seen,
// so that other JSON that happens to stand here is told apart before anything is said.
import type { JsonValue } from "../vocabulary/index.ts";
import type { CallReaderEvent } from "./format.ts";
import { type JsonNode, locateIn, mendedStrings } from "./json-node.ts";
import { createJsonReader } from "./json-reader.ts";

export interface EnvelopeReader {
  push(text: string): readonly CallReaderEvent[];
  finish(): readonly CallReaderEvent[];
  readonly status: "reading" | "done" | "broken";
  /** Whether a call was seen to begin. */
  readonly started: boolean;
  /** Units read so far, from this reader's start. */
  readonly offset: number;
}

export interface EnvelopeOptions {
  readonly lenient: boolean;
  /** Where this reader starts in the format's text: added to every offset. */
  readonly base: number;
  /** Text that stands before what is pushed and belongs to the object, such as a `{` that is the opener. */
  readonly prefix?: string;
  /** A rule that led here, named on the call. */
  readonly rule?: string;
}

const argumentKeys = ["arguments", "parameters"];
const lenientArgumentKeys = [...argumentKeys, "args", "params", "input"];
const lenientNameKeys = ["name", "function", "tool", "tool_name"];
// What other writers put beside name and arguments without changing what is called.
const idleKeys = new Set(["id", "type", "call_id"]);

export function createEnvelopeReader(options: EnvelopeOptions): EnvelopeReader {
  const { lenient, prefix = "" } = options;
  const json = createJsonReader({ lenient });
  const base = options.base - prefix.length;
  let status: EnvelopeReader["status"] = "reading";
  let started: string | undefined;
  let text = prefix;
  let inputText = "";
  json.push(prefix);

  function push(piece: string): readonly CallReaderEvent[] {
    if (status !== "reading") return [];
    const before = json.offset;
    json.push(piece);
    const events: CallReaderEvent[] = [];
    const envelope = envelopeOf(json.root);
    const name = memberOf(envelope, lenient ? lenientNameKeys : ["name"]);
    const input = memberOf(envelope, lenient ? lenientArgumentKeys : argumentKeys);
    const isNew = started === undefined && typeof name?.value === "string" && input !== undefined;
    if (isNew) {
      started = name.value as string;
      events.push({ type: "call-start", name: started });
    }
    // Before the call has started its text is kept whole; from then on only what comes is looked at.
    if (started === undefined || isNew) text += piece;
    if (started !== undefined && input !== undefined) {
      const end = input.end === -1 ? json.offset : input.end;
      const delta = isNew ? text.slice(input.start, end) : piece.slice(0, Math.max(0, end - before));
      inputText += delta;
      if (delta !== "") events.push({ type: "call-delta", text: delta });
    }
    if (json.status === "broken") return [...events, broken(json.reason, false)];
    if (json.status === "done") events.push(complete(envelope, name, input));
    return events;
  }

  function finish(): readonly CallReaderEvent[] {
    if (status !== "reading") return [];
    return [broken("the JSON ends before the call is complete", true)];
  }

  function complete(
    envelope: JsonNode | undefined,
    name: JsonNode | undefined,
    input: JsonNode | undefined,
  ): CallReaderEvent {
    if (typeof name?.value !== "string") return broken('the call has no "name"', false);
    if (input === undefined && !lenient) return broken('the call has no "arguments"', false);
    const beside = [...(envelope?.members ?? [])].find(
      ([key, node]) => node !== name && node !== input && !idleKeys.has(key),
    );
    if (beside !== undefined)
      return broken(`the key "${beside[0]}" stands beside the arguments`, false, name.value);
    status = "done";
    return {
      type: "call-end",
      name: name.value,
      input: input === undefined ? {} : (input.value as JsonValue),
      inputText: input === undefined ? "{}" : inputText,
      repairs: repairsOf(envelope, name, input),
      locate: locateIn(input, base),
    };
  }

  function repairsOf(
    envelope: JsonNode | undefined,
    name: JsonNode,
    input: JsonNode | undefined,
  ): readonly string[] {
    const rules = options.rule === undefined ? [] : [options.rule];
    if (input === undefined) return [...rules, "absent-arguments"];
    const renamed =
      memberOf(envelope, ["name"]) !== name || memberOf(envelope, argumentKeys) !== input
        ? ["renamed-envelope-keys"]
        : [];
    return [...rules, ...renamed, ...json.mends, ...mendedStrings(input)];
  }

  function broken(reason: string, cut: boolean, name = started): CallReaderEvent {
    status = "broken";
    const at = base + (json.status === "broken" ? json.faultAt : json.offset);
    return { type: "call-broken", at, reason, cut, ...(name === undefined ? {} : { name }) };
  }

  return {
    push,
    finish,
    get status() {
      return status;
    },
    get started() {
      return started !== undefined;
    },
    get offset() {
      return json.offset - prefix.length;
    },
  };
}

/** The object that holds name and arguments: the root, or what OpenAI's own shape holds under `function`. */
function envelopeOf(root: JsonNode | undefined): JsonNode | undefined {
  const inner = root?.members.get("function");
  return inner?.type === "object" ? inner : root;
}

function memberOf(node: JsonNode | undefined, keys: readonly string[]): JsonNode | undefined {
  const key = keys.find((candidate) => node?.members.has(candidate) ?? false);
  return key === undefined ? undefined : node?.members.get(key);
}
