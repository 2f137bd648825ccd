// Generated calls of tools that use what schemas offer (bounds, enums, patterns, optional keys, nesting), with strings that
// break writers and readers; and the single faults that a grammar must refuse.
import fc from "fast-check";
import type { Format, LayoutOptions, OfferedTool, WrittenCall } from "../../src/formats/index.ts";
import { compileSchema } from "../../src/schema-grammar/index.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../src/vocabulary/index.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer", minimum: 0, maximum: 1000 },
    mode: { enum: ["fast", "slow", 'it\'s "odd"', ""] },
    big: { type: "integer" },
    ratio: { type: "number", minimum: -1, maximum: 1 },
    isOn: { type: "boolean" },
    code: { type: "string", pattern: "^[A-Z]{2}-[0-9]{3}$" },
    short: { type: "string", maxLength: 8 },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    place: {
      type: "object",
      properties: {
        at: { type: "array", items: { type: "integer" } },
        deep: { type: "object", properties: { note: { type: ["string", "null"] } }, required: ["note"] },
      },
      required: ["at"],
    },
  },
  required: ["text", "count", "mode"],
};
const emptySchema: JsonSchema = { type: "object", properties: {} };

/** The tools as they are declared. */
export const declaredTools = [
  { name: "set", inputSchema: schema },
  { name: "ping", inputSchema: emptySchema },
];

/** The tools, compiled as this format writes their arguments. */
export function offeredTools(format: Format, options: LayoutOptions): readonly OfferedTool[] {
  const compile = { objects: "closed", layout: format.argumentsLayout(options) } as const;
  return [
    { name: "set", description: "", inputSchema: schema, compiled: compileSchema(schema, compile) },
    {
      name: "ping",
      description: "",
      inputSchema: emptySchema,
      compiled: compileSchema(emptySchema, compile),
    },
  ];
}

/** Closers, openers and what else a format may stumble over inside a value. */
const marks = [
  "</tool_call>",
  "<tool_call>",
  "<|/tool_call|>",
  "</TOOLCALL>",
  "[TOOL_CALLS]",
  "[ARGS]",
  "<|call|>",
  "<|message|>",
  "<｜tool▁calls▁end｜>",
  "</parameter>",
  "</function>",
  "</arg_value>",
  "<|tool_call_end|>",
  "<tool_call|>",
  '<|"|>',
  "<escape>",
  "```",
  "```json\n",
  '"}}',
  "\n}]\n",
  "}]; {",
  "\\",
  "\\u0041",
  "",
  "🦊",
  "\n\n",
  " x ",
];
const awkward = [
  '"',
  "'",
  "\\",
  "\n",
  "\t",
  "`",
  "{",
  "}",
  "[",
  "]",
  "<",
  ">",
  "/",
  ",",
  ";",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u2028",
  "é",
];

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(...marks),
  fc.tuple(fc.constantFrom(...marks), fc.constantFrom(...marks)).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...awkward), { maxLength: 10 }).map((parts) => parts.join("")),
);

const decimals = fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000);
const letters = fc.constantFrom("A", "K", "Z");
const code = fc
  .tuple(letters, letters, fc.integer({ min: 0, max: 999 }))
  .map(([first, second, number]) => `${first}${second}-${String(number).padStart(3, "0")}`);
const short = nastyText.map((text) => [...text].slice(0, 8).join(""));
const place = fc
  .tuple(
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.option(fc.option(nastyText, { nil: null }), { nil: undefined }),
  )
  .map(([at, note]): JsonObject => (note === undefined ? { at } : { at, deep: { note } }));

const values: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  text: nastyText,
  count: fc.integer({ min: 0, max: 1000 }),
  mode: fc.constantFrom("fast", "slow", 'it\'s "odd"', ""),
  big: fc.integer(),
  ratio: decimals,
  isOn: fc.boolean(),
  code,
  short,
  tags: fc.array(nastyText, { maxLength: 3 }),
  place,
};
const required = ["text", "count", "mode"];

/** Arguments with every key, in the schema's order. */
export const fullInput: fc.Arbitrary<JsonObject> = fc
  .tuple(...Object.values(values))
  .map((found) => Object.fromEntries(Object.keys(values).map((key, index) => [key, found[index] ?? null])));

const someInput: fc.Arbitrary<JsonObject> = fc
  .tuple(fullInput, fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }))
  .map(([input, kept]) =>
    Object.fromEntries(
      Object.entries(input).filter(([key], index) => required.includes(key) || kept[index] === true),
    ),
  );

/** What no string can hold in formats that escape nothing, for it ends the value. */
export const unwritable: Readonly<Record<string, RegExp>> = {
  "qwen-xml": /<\/parameter>\s*(?:<parameter=|<\/function>)/,
  "minicpm-xml": /\]\]><\/param>\s*(?:<param name="|<\/function>)/,
  "glm-xml": /<\/arg_value>\s*(?:<arg_key>|<\/tool_call>)/,
  gemma4: /<\|"\|>\s*[,}\]:]/,
  "fn-gemma": /<escape>\s*[,}\]:]/,
};

/** Whether the format can write every string of the calls. */
export function isWritable(format: Format, calls: readonly WrittenCall[]): boolean {
  const ending = unwritable[format.name];
  return (
    ending === undefined || !calls.some(({ input }) => stringsIn(input).some((text) => ending.test(text)))
  );
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export const validCall: fc.Arbitrary<WrittenCall> = fc.oneof(
  { weight: 6, arbitrary: someInput.map((input) => ({ name: "set", input })) },
  { weight: 1, arbitrary: fc.constant({ name: "ping", input: {} }) },
);

/** Changes of a call of `set` with every key, each of which breaks the schema in one place. */
export const faults: Readonly<Record<string, (input: JsonObject) => WrittenCall>> = {
  "a value that the enum has not": (input) => set({ ...input, mode: "medium" }),
  "a required key missing": ({ count: _, ...input }) => set(input),
  "words for a number": (input) => set({ ...input, count: "many" }),
  "a fraction for a whole number": (input) => set({ ...input, count: 1.5 }),
  "a key that is not declared": (input) => set({ ...input, more: true }),
  "a key that is not declared, further in": (input) => set({ ...input, place: { at: [], more: 1 } }),
  "a required key missing further in": (input) => set({ ...input, place: {} }),
  "over the maximum": (input) => set({ ...input, count: 1001 }),
  "below the minimum": (input) => set({ ...input, ratio: -1.25 }),
  "off the pattern": (input) => set({ ...input, code: "ab-123" }),
  "longer than allowed": (input) => set({ ...input, short: "123456789" }),
  "more items than allowed": (input) => set({ ...input, tags: ["a", "b", "c", "d"] }),
  "null for a boolean": (input) => set({ ...input, isOn: null }),
  "a tool that is not offered": (input) => ({ name: "sets", input }),
  "another tool's arguments": (input) => ({ name: "ping", input }),
};

/** Where each of them is certain at the latest: within a value or a key. A name has no such place. */
export const faultPlaces: Readonly<
  Record<string, { readonly pointer: string; readonly part: "value" | "key" }>
> = {
  "a value that the enum has not": { pointer: "/mode", part: "value" },
  // Keys have their order, so the next one tells.
  "a required key missing": { pointer: "/mode", part: "key" },
  "words for a number": { pointer: "/count", part: "value" },
  "a fraction for a whole number": { pointer: "/count", part: "value" },
  "a key that is not declared": { pointer: "/more", part: "key" },
  "a key that is not declared, further in": { pointer: "/place/more", part: "key" },
  "a required key missing further in": { pointer: "/place", part: "value" },
  "over the maximum": { pointer: "/count", part: "value" },
  "below the minimum": { pointer: "/ratio", part: "value" },
  "off the pattern": { pointer: "/code", part: "value" },
  "longer than allowed": { pointer: "/short", part: "value" },
  "more items than allowed": { pointer: "/tags/3", part: "value" },
  "null for a boolean": { pointer: "/isOn", part: "value" },
  "another tool's arguments": { pointer: "/text", part: "key" },
};

function set(input: JsonObject): WrittenCall {
  return { name: "set", input };
}
