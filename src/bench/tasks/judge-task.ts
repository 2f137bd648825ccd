// Whether a task is solved: what had to change in the world did, nothing else did, and what was asked for was said.
import { isJsonObject, type JsonValue, joinPointer, pointerSteps } from "../../vocabulary/index.ts";

export interface TaskGoal {
  /** By JSON pointer into the state: what stands there in the end. All else has to be as it was. */
  readonly state?: Readonly<Record<string, JsonValue>>;
  /** The last text has to hold one text of each list, whatever the case. */
  readonly answer?: readonly (readonly string[])[];
}

export type TaskFault = "not-done" | "collateral-change" | "wrong-answer";

/**
 * Undefined where the task is solved. In `goal.state` an object with one key beginning with `$` is a test: `$gone` (nothing
 * stands there), `$text` (the same text but for case, spacing and the ends), `$has` (a text that holds all of these).
 */
export function judgeTask(
  goal: TaskGoal,
  world: { readonly start: JsonValue; readonly end: JsonValue },
  text: string,
): TaskFault | undefined {
  const wanted = Object.entries(goal.state ?? {});
  const missed = wanted.some(([pointer, want]) => !matches(want, valueAt(world.end, pointer)));
  if (missed) return "not-done";
  const places = new Set(wanted.map(([pointer]) => pointer));
  if (changesElsewhere({ start: world.start, end: world.end, pointer: "", places }))
    return "collateral-change";
  const said = plain(text);
  const isSaid = (goal.answer ?? []).every((texts) =>
    texts.some((wantedText) => holdsWords(said, plain(wantedText))),
  );
  return isSaid ? undefined : "wrong-answer";
}

function matches(want: JsonValue, given: JsonValue | undefined): boolean {
  if (isJsonObject(want)) {
    const [[test, value] = ["", null]] = Object.entries(want);
    if (test === "$gone") return given === undefined;
    if (test === "$text") return typeof given === "string" && plain(given) === plain(String(value));
    if (test === "$has") {
      const texts = Array.isArray(value) ? value : [value];
      return typeof given === "string" && texts.every((text) => plain(given).includes(plain(String(text))));
    }
    if (!isJsonObject(given)) return false;
    const keys = Object.keys(want);
    return (
      keys.length === Object.keys(given).length && keys.every((key) => matches(want[key] ?? null, given[key]))
    );
  }
  if (Array.isArray(want)) {
    return (
      Array.isArray(given) &&
      want.length === given.length &&
      want.every((item: JsonValue, at: number) => matches(item, given[at]))
    );
  }
  return want === given;
}

/** Whether something differs that is at no place of the goal. */
function changesElsewhere(compared: {
  readonly start: JsonValue | undefined;
  readonly end: JsonValue | undefined;
  readonly pointer: string;
  readonly places: ReadonlySet<string>;
}): boolean {
  const { start, end, pointer, places } = compared;
  if (places.has(pointer)) return false;
  if (isJsonObject(start) && isJsonObject(end)) {
    const keys = new Set([...Object.keys(start), ...Object.keys(end)]);
    return [...keys].some((key) =>
      changesElsewhere({ start: start[key], end: end[key], pointer: joinPointer(pointer, key), places }),
    );
  }
  return JSON.stringify(start) !== JSON.stringify(end);
}

function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return pointerSteps(pointer).reduce<JsonValue | undefined>(
    (inner, step) => (isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined),
    value,
  );
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, " ").trim();
}

/** Whether the text holds the words, not as a part of longer ones or of longer numbers. */
function holdsWords(text: string, words: string): boolean {
  const literal = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,])${literal}(?![\\p{L}\\p{N}]|[.,]\\d)`, "u").test(text);
}
