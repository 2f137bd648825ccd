// An incremental reader of one JSON object or array, strict by RFC 8259, that remembers where each value stands.
// Knows nothing of calls. Leniency is limited to what has one meaning only: comments, a comma before a closer, Python's
// literals, and strings whose content is certain.
import { deepestNesting, type JsonValue } from "../vocabulary/index.ts";
import { collectValue, type JsonNode } from "./json-node.ts";
import { pythonLiterals, readScalar } from "./json-scalar.ts";
import { readString } from "./json-string.ts";

export interface JsonReader {
  /** Reads on, up to the value's end or its first fault; `offset` says where that is. */
  push(text: string): void;
  readonly status: "reading" | "done" | "broken";
  /** Absent until the first character of the value. */
  readonly root: JsonNode | undefined;
  /** Units read so far. */
  readonly offset: number;
  /** Where it is broken: the start of what is wrong. */
  readonly faultAt: number;
  readonly reason: string;
  /** What a lenient reader passed over outside strings, by the repair's name. */
  readonly mends: ReadonlySet<string>;
}

type Structure = Exclude<Expecting, "in-string" | "in-scalar">;
type Expecting =
  | "value"
  | "first-item"
  | "first-key"
  | "key"
  | "colon"
  | "comma-or-end"
  | "in-string"
  | "in-scalar";

/** An envelope and a list of calls may stand around arguments. */
const aroundArguments = 2;
const mostOpen = deepestNesting + aroundArguments;
/** Why a value is refused that nests deeper than any reader goes. */
export const tooDeep = `nested deeper than ${deepestNesting} levels`;
const jsonSpace = " \n\t\r";
const scalarCharacter = /[-+.0-9A-Za-z]/;

/** A reader whose first character must open an object or an array. White space before it is skipped. */
export function createJsonReader(options: { readonly lenient?: boolean } = {}): JsonReader {
  const lenient = options.lenient ?? false;
  let status: JsonReader["status"] = "reading";
  let reason = "";
  let offset = 0;
  let faultAt = -1;
  let piece = "";
  let pieceStart = 0;
  let root: JsonNode | undefined;
  let expecting: Expecting = "value";
  let stringIsKey = false;
  let escaped = false;
  let tokenStart = 0;
  /** What earlier pieces hold of the string or scalar that is being read. */
  let tokenSoFar = "";
  let key = "";
  let keyRange: readonly [start: number, end: number] = [0, 0];
  const open: JsonNode[] = [];
  const mends = new Set<string>();
  /** Inside a comment: what would end it, as far as it was read. */
  let comment: "none" | "begun" | "line" | "block" | "block-star" = "none";

  function push(text: string): void {
    piece = text;
    pieceStart = offset;
    const end = offset + text.length;
    while (isReading() && offset < end) step(piece[offset - pieceStart] ?? "");
    if (expecting === "in-string" || expecting === "in-scalar") tokenSoFar = tokenText();
  }

  function tokenText(): string {
    return tokenSoFar + piece.slice(Math.max(0, tokenStart - pieceStart), offset - pieceStart);
  }

  function beginToken(): void {
    tokenStart = offset;
    tokenSoFar = "";
  }

  function isReading(): boolean {
    return status === "reading";
  }

  function step(character: string): void {
    if (comment !== "none") stepComment(character);
    else if (expecting === "in-string") stepString(character);
    else if (expecting === "in-scalar") stepScalar(character);
    else if (jsonSpace.includes(character)) offset += 1;
    else if (lenient && character === "/" && root !== undefined) beginComment();
    else stepStructure(character, expecting);
  }

  function beginComment(): void {
    comment = "begun";
    offset += 1;
  }

  function stepComment(character: string): void {
    if (comment === "begun" && character !== "/" && character !== "*") {
      fail("a JSON value, a comma or a closer expected", offset - 1);
      return;
    }
    offset += 1;
    if (comment === "begun") comment = character === "/" ? "line" : "block";
    else if (comment === "line" && character === "\n") endComment();
    else if (comment === "block-star" && character === "/") endComment();
    else if (comment !== "line") comment = character === "*" ? "block-star" : "block";
  }

  function endComment(): void {
    comment = "none";
    mends.add("removed-comments");
  }

  function stepStructure(character: string, expected: Structure): void {
    switch (expected) {
      case "first-item":
      case "value":
        if (character === "]" && (expected === "first-item" || dropsComma("array"))) close();
        else beginValue(character);
        break;
      case "first-key":
      case "key":
        if (character === "}" && (expected === "first-key" || dropsComma("object"))) close();
        else if (character === '"') beginString(true);
        else fail("a key in double quotes expected");
        break;
      case "colon":
        if (character !== ":") fail(`":" expected after the key "${key}"`);
        else move("value");
        break;
      case "comma-or-end": {
        const isObject = open.at(-1)?.type === "object";
        const end = isObject ? "}" : "]";
        if (character === end) close();
        else if (character === ",") move(isObject ? "key" : "value");
        else fail(`"," or "${end}" expected`);
        break;
      }
      default:
        expected satisfies never;
    }
  }

  /** Whether a closer may stand here although a comma came before it. */
  function dropsComma(holder: "array" | "object"): boolean {
    if (!lenient || open.at(-1)?.type !== holder) return false;
    mends.add("removed-trailing-commas");
    return true;
  }

  function move(next: Expecting): void {
    expecting = next;
    offset += 1;
  }

  function beginValue(character: string): void {
    const isObject = character === "{";
    if (isObject || character === "[") {
      if (open.length >= mostOpen) fail(tooDeep);
      else {
        open.push(createNode(isObject ? "object" : "array"));
        move(isObject ? "first-key" : "first-item");
      }
    } else if (root === undefined) {
      fail('"{" or "[" expected');
    } else if (character === '"') {
      createNode("string");
      beginString(false);
    } else if (scalarCharacter.test(character)) {
      createNode("scalar");
      beginToken();
      move("in-scalar");
    } else {
      fail("a JSON value expected");
    }
  }

  function beginString(isKey: boolean): void {
    stringIsKey = isKey;
    beginToken();
    escaped = false;
    move("in-string");
  }

  function stepString(character: string): void {
    if (!escaped && character < " " && (!lenient || stringIsKey)) {
      fail("a control character stands in a string");
      return;
    }
    offset += 1;
    if (!escaped && character === '"') endString();
    else escaped = !escaped && character === "\\";
  }

  function endString(): void {
    const read = readString(tokenText(), lenient && !stringIsKey);
    if (read === undefined) {
      fail("a string with an escape that JSON does not have", tokenStart);
    } else if (!stringIsKey) {
      const node = latest();
      if (read.mended !== undefined) node.mended = read.mended;
      endValue(node, read.value);
    } else if ((lenient || open.length === 1) && open.at(-1)?.members.has(read.value)) {
      // Under a grammar the last of two equal keys counts, as for other readers of JSON (RFC 8259, section 4). In free text
      // it would be a guess which one is meant, and a call with two names is none in any case.
      fail(`the key "${read.value}" stands twice`, tokenStart);
    } else {
      key = read.value;
      keyRange = [tokenStart, offset];
      expecting = "colon";
    }
  }

  function stepScalar(character: string): void {
    if (scalarCharacter.test(character)) {
      offset += 1;
      return;
    }
    // The first character that is not its own ends a scalar, and is looked at again.
    const spelled = tokenText();
    const isPython = lenient && pythonLiterals.has(spelled);
    if (isPython) mends.add("python-literals");
    const value = isPython ? pythonLiterals.get(spelled) : readScalar(spelled);
    if (value === undefined) fail(`${spelled} is no JSON value`, tokenStart);
    else endValue(latest(), value);
  }

  function close(): void {
    const node = open.pop();
    offset += 1;
    if (node !== undefined) endValue(node, collectValue(node));
  }

  function endValue(node: JsonNode, value: JsonValue): void {
    node.value = value;
    node.end = offset;
    if (open.length === 0) status = "done";
    expecting = "comma-or-end";
  }

  function createNode(type: JsonNode["type"]): JsonNode {
    const holder = open.at(-1);
    const node: JsonNode = {
      type,
      start: offset,
      end: -1,
      ...(holder?.type === "object" ? { key: keyRange } : {}),
      value: undefined,
      members: new Map(),
      items: [],
    };
    if (holder === undefined) root = node;
    else if (holder.type === "object") holder.members.set(key, node);
    else holder.items.push(node);
    return node;
  }

  function latest(): JsonNode {
    const holder = open.at(-1)!;
    return holder.type === "object" ? holder.members.get(key)! : holder.items.at(-1)!;
  }

  function fail(why: string, at = offset): void {
    status = "broken";
    reason = why;
    faultAt = at;
  }

  return {
    push,
    get status() {
      return status;
    },
    get root() {
      return root;
    },
    get offset() {
      return offset;
    },
    get faultAt() {
      return faultAt;
    },
    get reason() {
      return reason;
    },
    mends,
  };
}
