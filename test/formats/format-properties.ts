// What has to hold for every format over generated calls. Each check throws with a counterexample, and says how many it made;
// the tests run a few of them, `npm run verify:formats` a thousand.
import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { typeValues } from "../../src/decode/type-values.ts";
import {
  chooseFormats,
  type Format,
  type TemplateEngine,
  type WriteOptions,
  type WrittenCall,
} from "../../src/formats/index.ts";
import { writtenByTemplate } from "../../src/formats/probe-template.ts";
import { valueKinds } from "../../src/formats/value-kinds.ts";
import { createMatcher, type Matcher } from "../../src/gbnf-builder/index.ts";
import type { Spacing } from "../../src/schema-grammar/index.ts";
import { readTemplate } from "../llama-cpp-files.ts";
import { declaredTools, faults, fullInput, isWritable, offeredTools, validCall } from "./generated-calls.ts";
import { realRenderer } from "./llama-engine.ts";
import { everyCut, readTurn, story } from "./read-turn.ts";

export interface RunOptions {
  readonly runs: number;
  readonly seed?: number;
}

const anyOptions: fc.Arbitrary<WriteOptions> = fc.record({
  parallel: fc.boolean(),
  spacing: fc.constantFrom<Spacing>("spaced", "compact", { indent: 2, level: 0 }),
});
const spaced: WriteOptions = { parallel: true, spacing: "spaced" };

function someCalls(parallel: boolean): fc.Arbitrary<WrittenCall[]> {
  return fc.array(validCall, { minLength: 1, maxLength: parallel ? 3 : 1 });
}

const written = anyOptions.chain((options) =>
  someCalls(options.parallel).map((calls) => ({ options, calls })),
);

/** What the format writes is what its grammar accepts and its parser reads, key for key. */
export function checkRoundTrips(format: Format, options: RunOptions): number {
  const writable = written.filter(({ calls }) => isWritable(format, calls));
  return check(options, writable, ({ options: layout, calls }) => {
    const text = format.writeCalls(calls, layout);
    ok(matcherOf(format, layout).accepts(behindOpener(format, text)), `the grammar refuses ${text}`);
    sameCalls(readTurn(text, { formats: [format] }), calls);
  });
}

/**
 * What the model's own template writes as history is read back. Values that it was found to lose are left out: those the
 * format itself writes.
 */
export function checkTemplate(
  format: Format,
  name: string,
  { engine, ...options }: RunOptions & { readonly engine?: TemplateEngine },
): number {
  const template = readTemplate(name);
  const render = realRenderer(template, engine);
  const { template: chosen, formats } = chooseFormats({
    model: { id: "some-model", template },
    profile: { name: "unknown", format: "auto", openers: [] },
    render,
  });
  deepStrictEqual(formats[0].name, format.name);
  const survives = (call: WrittenCall) => !chosen.lostValues.some((kind) => valueKinds(call.input).has(kind));
  const writable = (call: WrittenCall) => survives(call) && isWritable(format, [call]);
  return check(options, validCall.filter(writable), (call) => {
    const text = writtenByTemplate(call, chosen.traits, render);
    ok(text !== undefined, "the template writes no such call");
    const [read, ...more] = spelledCalls(readTurn(text, { formats: [format] }));
    // Some templates sort the keys.
    deepStrictEqual(JSON.parse(read ?? "null"), JSON.parse(spell(call)));
    deepStrictEqual(more, []);
  });
}

/** However a text is cut into pieces, it says the same. */
export function checkCuts(format: Format, options: RunOptions): number {
  return check(options, written, ({ options: layout, calls }) => {
    const text = format.writeCalls(calls, layout);
    sameStory(format, text);
  });
}

/** Nothing throws, cuts change nothing, and no call comes that is not in the text. */
export function checkAnyText(format: Format, options: RunOptions): number {
  const call = format.writeCalls([{ name: "set", input: { text: "a", count: 1 } }], spaced);
  const two = format.writeCalls(
    [
      { name: "ping", input: {} },
      { name: "ping", input: {} },
    ],
    spaced,
  );
  const pieces = fc.oneof(
    fc.constantFrom(...format.openers.map((opener) => opener.text), ...(format.silent ?? [])),
    fc.constantFrom(call, two, "{", "}", "[", "]", '"', "\\", ",", ";", "\n", " ", "null", "1"),
    fc.tuple(fc.nat(), fc.nat()).map(([from, length]) => part(call + two, from, length)),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const soup = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(""));
  return check(options, soup, (text) => {
    sameStory(format, text);
    for (const lenient of [false, true]) {
      for (const event of readTurn(text, { formats: [format], lenient })) {
        if (event.type !== "call-end") continue;
        ok(text.includes(event.name), `${event.name} is not in ${text}`);
        // Other notations than JSON are read into JSON; their keys stand as they are, if nothing in them is escaped.
        const parts = isJsonWriter(format) ? [event.inputText] : keysOf(event.input);
        const isWritten =
          event.repairs.includes("absent-arguments") || parts.every((part) => text.includes(part));
        ok(isWritten, `${parts} is not in ${text}`);
      }
    }
  });
}

/** A call with a single fault is refused by the grammar. Each run makes every fault once. */
export function checkFaults(format: Format, options: RunOptions): number {
  const layouts = anyOptions
    .chain((layout) => fullInput.map((input) => ({ layout, input })))
    .filter(({ input }) => isWritable(format, [{ name: "set", input }]));
  const runs = check(options, layouts, ({ layout, input }) => {
    const matcher = matcherOf(format, layout);
    const accepts = (call: WrittenCall) =>
      matcher.accepts(behindOpener(format, format.writeCalls([call], layout)));
    ok(accepts({ name: "set", input }), "the grammar refuses the valid call");
    for (const [fault, make] of Object.entries(faults)) ok(!accepts(make(input)), `accepted: ${fault}`);
  });
  return runs * Object.keys(faults).length;
}

// Stands for a whole number that is too large to be one in JavaScript.
const standIn = 1_234_567_890_123;
const largest = "9223372036854775807";

/** A whole number of 64 bits is accepted, and keeps its digits in the arguments' own text. */
export function checkLargeNumbers(format: Format): void {
  const calls = [{ name: "set", input: { text: "a", count: 1, mode: "fast", big: standIn } }];
  const text = format.writeCalls(calls, spaced).replace(String(standIn), largest);
  ok(matcherOf(format, spaced).accepts(behindOpener(format, text)));
  const read = readTurn(text, { formats: [format] }).flatMap((event) =>
    event.type === "call-end" ? [event.inputText] : [],
  );
  deepStrictEqual(read.length, 1);
  ok(read[0]?.includes(largest));
}

function check<T>({ runs, seed }: RunOptions, values: fc.Arbitrary<T>, judge: (value: T) => void): number {
  fc.assert(fc.property(values, judge), { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  return runs;
}

function sameCalls(events: ReturnType<typeof readTurn>, calls: readonly WrittenCall[]): void {
  deepStrictEqual(spelledCalls(events), calls.map(spell));
}

function spelledCalls(events: ReturnType<typeof readTurn>): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== "call-end") return [];
    return [spell(event.untyped === true ? typeValues(event, declaredTools) : event)];
  });
}

/** As text, so that the order of keys counts as well. */
function spell({ name, input }: Pick<WrittenCall, "name"> & { readonly input: unknown }): string {
  return JSON.stringify([name, input]);
}

function sameStory(format: Format, text: string): void {
  const options = { formats: [format] };
  const whole = story(readTurn(text, options));
  deepStrictEqual(story(readTurn(text, options, everyCut(text))), whole);
  for (const cut of everyCut(text)) deepStrictEqual(story(readTurn(text, options, [cut])), whole);
}

function behindOpener(format: Format, text: string): string {
  const opener = format.openers[0]?.text ?? "";
  ok(text.startsWith(opener), `${text} does not begin with ${opener}`);
  return text.slice(opener.length);
}

const matchers = new Map<string, Matcher>();

function matcherOf(format: Format, layout: WriteOptions): Matcher {
  const key = JSON.stringify([format.name, layout]);
  const known = matchers.get(key);
  if (known !== undefined) return known;
  const { grammar } = format.constraint({ ...layout, tools: offeredTools(format, layout) });
  const matcher = createMatcher(grammar);
  matchers.set(key, matcher);
  return matcher;
}

function part(text: string, from: number, length: number): string {
  const start = from % text.length;
  return text.slice(start, start + (length % 20));
}

function isJsonWriter(format: Format): boolean {
  return format.argumentsLayout(spaced).scalars.key === "";
}

function keysOf(input: unknown): readonly string[] {
  return typeof input === "object" && input !== null ? Object.keys(input) : [];
}
