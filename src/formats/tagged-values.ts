// Reads arguments that stand between tags. A value is raw text, which may itself hold the closing tag: that counts only where
// another key or the end follows it. Knows no names of calls; values are left to be typed by the tool's schema.
import { createJsonReader } from "./json-reader.ts";
import { skipSpace, standsAt } from "./stepping-reader.ts";

/** The tags around one call's arguments. */
export interface TagStyle {
  /** The format's name. */
  readonly name: string;
  readonly keyOpen: string;
  readonly keyClose: string;
  /** What the format puts between a key and its value's tag, and behind each value; white space only. */
  readonly between?: string;
  readonly after?: string;
  /** The ways of enclosing a value, the usual one first. They are told apart by what opens them, the last one first. */
  readonly values: readonly ValueTags[];
  /** What stands behind the last value. */
  readonly end: string;
}

export interface ValueTags {
  /** Line breaks that belong to the tags may be missing where they are read. */
  readonly open: string;
  readonly close: string;
  /** An expression that the values have to match which are written so; absent: any value. */
  readonly only?: string;
}

export interface TaggedArguments {
  readonly type: "read";
  readonly values: ReadonlyMap<string, string>;
  /** Where each value stands. */
  readonly places: ReadonlyMap<string, readonly [start: number, end: number]>;
  /** Behind the end. */
  readonly next: number;
}

export type TaggedOutcome =
  | TaggedArguments
  | { readonly type: "more" }
  | { readonly type: "broken"; readonly at: number; readonly reason: string };

/** How a text is read. */
export interface TagReading {
  /** Whether no more text comes; a closing tag that ends the text counts then as well. */
  readonly isOver: boolean;
  /** Whether the text was written freely, where a key that comes twice would leave to a guess which value is meant. */
  readonly lenient: boolean;
}

/** The arguments that begin at `from`. The last of equal keys counts, as in JSON; a lenient reading refuses them. */
export function readTagged(
  text: string,
  from: number,
  style: TagStyle,
  { isOver, lenient }: TagReading,
): TaggedOutcome {
  const values = new Map<string, string>();
  const places = new Map<string, readonly [number, number]>();
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    const ends = standsAt(style.end, text, at);
    if (ends === "yes") return { type: "read", values, places, next: at + style.end.length };
    const opens = standsAt(style.keyOpen, text, at);
    if (opens === "no") {
      if (ends === "maybe") return { type: "more" };
      return { type: "broken", at, reason: `${style.keyOpen} or ${style.end} expected` };
    }
    const keyEnd = opens === "yes" ? text.indexOf(style.keyClose, at + style.keyOpen.length) : -1;
    if (keyEnd === -1) return { type: "more" };
    const key = text.slice(at + style.keyOpen.length, keyEnd).trim();
    if (lenient && values.has(key)) return { type: "broken", at, reason: `"${key}" stands twice` };
    const value = readValue(text, keyEnd + style.keyClose.length, style, isOver);
    if (value.type !== "value") return value;
    values.set(key, value.text);
    places.set(key, value.place);
    at = value.next;
  }
}

type ValueOutcome =
  | {
      readonly type: "value";
      readonly text: string;
      readonly place: readonly [number, number];
      readonly next: number;
    }
  | Exclude<TaggedOutcome, TaggedArguments>;

function readValue(text: string, from: number, style: TagStyle, isOver: boolean): ValueOutcome {
  for (const tags of style.values.toReversed()) {
    const open = tags.open.trim();
    const at = open === "" ? from : skipSpace(text, from);
    const opens = standsAt(open, text, at);
    if (opens === "maybe") return { type: "more" };
    if (opens === "no") continue;
    const start = at + open.length;
    const found = findEnd(text, start, tags, { style, isOver });
    if (found === undefined) return { type: "more" };
    const raw = text.slice(start, found.end);
    return { type: "value", text: withoutBreaks(raw, tags), place: [start, found.end], next: found.next };
  }
  return { type: "broken", at: from, reason: `${style.values[0]?.open ?? ""} expected` };
}

interface ValueEnd {
  /** Where the closing tag stands, and where it ends. */
  readonly end: number;
  readonly next: number;
}

/** The value's end; undefined where more text has to tell. */
function findEnd(
  text: string,
  from: number,
  tags: ValueTags,
  rules: { readonly style: TagStyle; readonly isOver: boolean },
): ValueEnd | undefined {
  const close = tags.close.trim();
  const json = endOfJson(text, from);
  if (json === "more" && !rules.isOver) return undefined;
  // Strings inside JSON may hold any tags. What only looks like JSON is text like any other.
  if (typeof json === "number") {
    const at = skipSpace(text, json);
    const closes = standsAt(close, text, at);
    const closed = closes === "yes" ? isClosed(text, at + close.length, rules) : closes;
    if (closed === "yes") return { end: at, next: at + close.length };
    if (closed === "maybe" && !rules.isOver) return undefined;
  }
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1)) {
    const next = end + close.length;
    const closed = isClosed(text, next, rules);
    if (closed === "yes") return { end, next };
    if (closed === "maybe") return undefined;
  }
  return undefined;
}

/** Whether what follows a closing tag makes it one. */
function isClosed(
  text: string,
  next: number,
  { style, isOver }: { readonly style: TagStyle; readonly isOver: boolean },
): "yes" | "no" | "maybe" {
  const at = skipSpace(text, next);
  if (at === text.length) return isOver ? "yes" : "maybe";
  const follows = [style.keyOpen, style.end].map((mark) => standsAt(mark, text, at));
  if (follows.includes("yes")) return "yes";
  return follows.includes("maybe") && !isOver ? "maybe" : "no";
}

/** Where a JSON array or object that begins here ends; undefined where none does. */
function endOfJson(text: string, from: number): number | "more" | undefined {
  const start = skipSpace(text, from);
  if (start === text.length) return "more";
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  const json = createJsonReader({ lenient: false });
  json.push(text.slice(start));
  if (json.status === "reading") return "more";
  return json.status === "done" ? start + json.offset : undefined;
}

/** The value without the one line break at either end that belongs to the tags. */
function withoutBreaks(text: string, { open, close }: ValueTags): string {
  const opened = open.endsWith("\n") ? text.replace(/^\n/, "") : text;
  return close.startsWith("\n") ? opened.replace(/\n$/, "") : opened;
}
