// What has to hold for every format over every vocabulary: the tokens of a valid call are allowed one after the other, and
// those of a call with a single fault are not. Throws with a counterexample; says how much was walked.
import { ok } from "node:assert/strict";
import fc from "fast-check";
import type { Format, ReadCall, WriteOptions, WrittenCall } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import type { RunOptions } from "./format-properties.ts";
import { faultPlaces, faults, fullInput, isWritable, validCall } from "./generated-calls.ts";
import type { TokenWalk } from "./walk-tokens.ts";

export interface WalkCounts {
  /** Texts of valid calls that were accepted. */
  readonly accepted: number;
  /** How many of them were forced in other tokens than the tokenizer's own. */
  readonly otherwiseSplit: number;
  /** Faults that were refused at the latest where they stand. */
  readonly refused: number;
}

const layouts: readonly WriteOptions[] = [
  { parallel: true, spacing: "spaced" },
  { parallel: false, spacing: "compact" },
];

/** Each run walks some calls, one call with every key, and that call with every single fault. */
export function checkVocabulary(format: Format, walk: TokenWalk, { runs, seed }: RunOptions): WalkCounts {
  let accepted = 0;
  let otherwiseSplit = 0;
  let refused = 0;
  const someCalls = (layout: WriteOptions) =>
    fc.array(validCall, { minLength: 1, maxLength: layout.parallel ? 3 : 1 });
  const cases = fc
    .constantFrom(...layouts)
    .chain((layout) => fc.record({ layout: fc.constant(layout), calls: someCalls(layout), input: fullInput }))
    .filter(({ calls, input }) => isWritable(format, [...calls, { name: "set", input }]));
  const property = fc.property(cases, ({ layout, calls, input }) => {
    for (const valid of [calls, [{ name: "set", input }]]) {
      const isOwnSplit = acceptsCalls(format, walk, layout, valid);
      accepted += 1;
      if (!isOwnSplit) otherwiseSplit += 1;
    }
    for (const fault of Object.keys(faults)) {
      refusesFault(format, walk, layout, fault, input);
      refused += 1;
    }
  });
  fc.assert(property, { numRuns: runs, includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) });
  return { accepted, otherwiseSplit, refused };
}

function acceptsCalls(format: Format, walk: TokenWalk, layout: WriteOptions, calls: WrittenCall[]): boolean {
  const text = format.writeCalls(calls, layout);
  ok(walk.allowsOwnSplit(format, layout, text), `${format.name}: the masks refuse a token of ${text}`);
  const walked = walk.decode(format, layout, text);
  if (walked.type === "accepted") return walked.isOwnSplit;
  throw new Error(`${format.name}: after ${mark(format, text, walked.at)} the token is refused`);
}

function refusesFault(
  format: Format,
  walk: TokenWalk,
  layout: WriteOptions,
  fault: string,
  input: JsonObject,
): void {
  const make = faults[fault];
  ok(make !== undefined);
  const call = make(input);
  const text = format.writeCalls([call], layout);
  const walked = walk.decode(format, layout, text);
  ok(walked.type === "refused", `${format.name}: ${fault} is accepted: ${text}`);
  const end = endOfFault(format, text, call.name, fault);
  // Only what follows tells that something that ends in a digit is over.
  const certain = /\d$/.test(behindOpener(format, text).slice(0, end)) ? end + 1 : end;
  ok(walked.at < certain, `${format.name}: ${fault} is refused only after ${mark(format, text, walked.at)}`);
}

/** Where the fault is over, in units behind the opener, as the format's own parser finds it. */
function endOfFault(format: Format, text: string, name: string, fault: string): number {
  const rest = behindOpener(format, text);
  const place = faultPlaces[fault];
  if (place === undefined) return rest.indexOf(name) + name.length;
  const reader = format.parser();
  const read = [...reader.push(rest), ...reader.finish()].find((event) => event.type === "call-end");
  ok(read !== undefined, `${format.name}: the parser finds no call in ${text}`);
  return endOf(read, place.pointer, place.part);
}

/** A format that does not show a key shows the value behind it, and one that does not show a value the one around it. */
function endOf(call: ReadCall, pointer: string, part: "value" | "key"): number {
  const end = call.locate(pointer, part)?.[1];
  const behind = part === "key" ? call.locate(pointer, "value")?.[0] : undefined;
  const found = end ?? behind;
  if (found !== undefined) return found;
  const around = pointer.slice(0, pointer.lastIndexOf("/"));
  ok(around !== "", `the parser does not locate ${pointer}`);
  return endOf(call, around, "value");
}

function behindOpener(format: Format, text: string): string {
  return text.slice(format.openers[0]?.text.length ?? 0);
}

function mark(format: Format, text: string, at: number): string {
  const rest = behindOpener(format, text);
  return `${JSON.stringify(rest.slice(0, at))} [here] ${JSON.stringify(rest.slice(at))}`;
}
