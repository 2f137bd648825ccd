// Whether a text belongs to a compiled schema's grammar, and if not: where it leaves it, what could stand there, and
// whether only its spelling is to blame. Prints nothing.
import { createMatcher, type Matcher } from "../gbnf-builder/index.ts";
import { type CompiledSchema, createValidator, writeInstance } from "../schema-grammar/index.ts";
import type { JsonSchema } from "../vocabulary/index.ts";

export type Verdict =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly fault: string;
      /** Texts that could stand there, each as far as it is certain. */
      readonly expected: readonly string[];
      /** Whether the text is JSON that the schema allows; absent where it is no JSON. */
      readonly valid?: boolean;
      /** How the grammar writes that value, where it has it. */
      readonly written?: string;
    };

/** What a text is to a grammar. `compiled` is what the compiler made of `schema`. */
export function judgeText(schema: JsonSchema, compiled: CompiledSchema, text: string): Verdict {
  if (!compiled.satisfiable) {
    return { accepted: false, fault: "no value can meet this schema", expected: [] };
  }
  const matcher = createMatcher(compiled.grammar);
  const place = findFault(matcher, text);
  if (place === undefined) return { accepted: true };
  const { fault, state } = place;
  return {
    accepted: false,
    fault,
    expected: expectedTexts(matcher, state),
    ...judgeValue(schema, compiled, text),
  };
}

/** Where a text leaves the grammar, and the last state before it; undefined where it does not. */
function findFault(matcher: Matcher, text: string): { fault: string; state: number } | undefined {
  const encoder = new TextEncoder();
  let state = matcher.start;
  let at = 0;
  for (const character of text) {
    const next = matcher.advance(state, encoder.encode(character));
    if (next < 0) return { fault: `at character ${at + 1}, ${describePlace(text, at)}`, state };
    state = next;
    at += character.length;
  }
  return matcher.isAccepting(state) ? undefined : { fault: "it ends too early", state };
}

function describePlace(text: string, at: number): string {
  const before = text.slice(Math.max(at - 20, 0), at);
  return `after ${JSON.stringify(before)}, came ${JSON.stringify(text.slice(at, at + 10))}`;
}

/** A hint, not a list of all there is. */
const longestExpected = { texts: 5, bytes: 24 };

function expectedTexts(matcher: Matcher, state: number): readonly string[] {
  const next = matcher.nextBytes(state);
  // A character beyond ASCII begins with a byte that shows nothing; where one may stand, many others may.
  const bytes = Array.from(next.keys()).filter((byte) => byte >= 0x20 && byte < 0x80 && next[byte] === 1);
  const texts = bytes.slice(0, longestExpected.texts).map((byte) => {
    const { bytes: sure } = matcher.forced(matcher.advanceByte(state, byte), longestExpected.bytes);
    return String.fromCharCode(byte) + new TextDecoder().decode(sure);
  });
  const end = matcher.isAccepting(state) ? ["the end"] : [];
  const more = bytes.length > texts.length ? ["…"] : [];
  return [...end, ...texts.map((text) => JSON.stringify(text)), ...more];
}

function judgeValue(
  schema: JsonSchema,
  compiled: CompiledSchema,
  text: string,
): { valid?: boolean; written?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (createValidator(schema, { formats: "dialect" })(value).length > 0) return { valid: false };
  const written = writeInstance(compiled, value);
  return { valid: true, ...(written === undefined ? {} : { written }) };
}
