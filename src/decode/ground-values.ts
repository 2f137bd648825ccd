// Grounding: optional arguments that nothing in the conversation speaks of are a small model's inventions. Which they are is
// told here from words and numbers alone; required arguments are never judged.

import { stemsOf } from "../context/rank-tools.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolDescription,
} from "../vocabulary/index.ts";

/** What the conversation gives values ground in. */
export interface Ground {
  readonly stems: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
  /** Whether it speaks of time in any way. */
  readonly speaksOfTime: boolean;
}

/** What the user said and tools returned; the model's own words are no ground. */
export function groundOf(messages: readonly Message[]): Ground {
  const text = messages
    .flatMap(({ role, content }) => (role === "user" || role === "tool" ? [content] : []))
    .join("\n");
  const numerals = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const spelled = words.flatMap((word) => numberWords.get(word) ?? []);
  return {
    stems: new Set(stemsOf(text)),
    numbers: new Set([...numerals.flatMap(readings), ...spelled]),
    speaksOfTime: timeWords.test(text),
  };
}

/** 1,200 may be twelve hundred or 1.2; 12:30 is read as two numbers. */
function readings(numeral: string): readonly number[] {
  return [
    Number(numeral.replaceAll(",", "")),
    Number(numeral.replace(",", ".")),
    ...numeral.split(/[.,]/).map(Number),
  ];
}

const numberWords = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty`
    .split(/\s+/)
    .map((word, value) => [word, value] as const)
    .concat([
      ["a", 1],
      ["an", 1],
      ["single", 1],
      ["once", 1],
      ["twice", 2],
      ["couple", 2],
      ["pair", 2],
      ["both", 2],
      ["half", 0.5],
      ["dozen", 12],
      ["thirty", 30],
      ["forty", 40],
      ["fifty", 50],
      ["hundred", 100],
      ["thousand", 1000],
      ["million", 1e6],
    ]),
);

const timeWords =
  /\b(?:today|tomorrow|yesterday|tonight|now|next|last|this|week|weekend|month|year|day|hour|minute|morning|noon|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|am|pm|o'clock)\b/i;

/** Names of the optional arguments without ground, in the order of the arguments. */
export function ungroundedKeys(
  tool: Pick<ToolDescription, "inputSchema">,
  input: JsonObject,
  ground: Ground,
): readonly string[] {
  const { inputSchema } = tool;
  if (!isJsonObject(inputSchema) || !isJsonObject(inputSchema.properties)) return [];
  const { properties } = inputSchema;
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  return Object.entries(input).flatMap(([key, value]) => {
    if (required.includes(key) || !Object.hasOwn(properties, key)) return [];
    return isGrounded(key, value, ground) ? [] : [key];
  });
}

function isGrounded(key: string, value: JsonValue, ground: Ground): boolean {
  const isNamed = stemsOf(key).some((stem) => ground.stems.has(stem));
  if (isNamed) return true;
  if (Array.isArray(value)) return value.some((item) => isGrounded("", item, ground));
  if (isJsonObject(value))
    return Object.entries(value).some(([name, member]) => isGrounded(name, member, ground));
  if (typeof value === "number") return ground.numbers.has(value);
  if (typeof value !== "string") return false;
  if (stemsOf(value).some((stem) => ground.stems.has(stem))) return true;
  const numerals = value.match(/\d+/g) ?? [];
  return (
    numerals.length > 0 &&
    (ground.speaksOfTime || numerals.some((numeral) => ground.numbers.has(Number(numeral))))
  );
}
