// Whether a format's own parser finds in a template's text the very call that the template was given.
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonValue } from "../vocabulary/index.ts";
import type { Format, TemplateRenderer, TemplateTraits } from "./format.ts";
import { type ProbeCall, probeCall, writtenByTemplate } from "./probe-template.ts";
import { readBareValue } from "./read-bare-value.ts";
import { createTurnParser } from "./turn-parser.ts";
import { type ValueKind, valueProbes } from "./value-kinds.ts";

/** Whether the text holds this call and no other. */
export function readsBack(format: Format, text: string | undefined, wanted: ProbeCall = probeCall): boolean {
  if (text === undefined) return false;
  const parser = createTurnParser({ formats: [format] });
  const calls = [...parser.push(text), ...parser.finish()].filter((event) => event.type === "call-end");
  const [call] = calls;
  if (call === undefined || calls.length > 1 || call.name !== wanted.name) return false;
  // Templates may write keys in another order, which means the same.
  return isDeepStrictEqual(
    call.untyped === true ? typedLike(call.input, wanted.input) : call.input,
    wanted.input,
  );
}

/** Whether the text has the probe's call as the format itself writes it, but for white space. Several may read one text. */
export function writesLike(format: Format, text: string): boolean {
  const written = format.writeCalls([probeCall], { parallel: false, spacing: "spaced" });
  return text.replace(/\s/g, "").includes(written.replace(/\s/g, ""));
}

/** The kinds of values that a past call loses, or has otherwise than given, when the template writes it. */
export function lostValues(
  format: Format,
  traits: TemplateTraits,
  render: TemplateRenderer,
): readonly ValueKind[] {
  const kinds = Object.keys(valueProbes) as ValueKind[];
  return kinds.filter((kind) => {
    const call = { name: probeCall.name, input: valueProbes[kind] };
    return !readsBack(format, writtenByTemplate(call, traits, render), call);
  });
}

/** Values that were read as text, as their schema would type them. */
function typedLike(read: JsonValue, wanted: JsonValue): JsonValue {
  if (!isJsonObject(read) || !isJsonObject(wanted)) return read;
  return Object.fromEntries(
    Object.entries(read).map(([key, value]) => {
      const bare = typeof value === "string" && typeof wanted[key] !== "string" && readBareValue(value);
      return [key, bare ? bare.value : value];
    }),
  );
}
