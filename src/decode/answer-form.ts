// The form that an answer has to have, ready for decoding: its grammar, whether that is all of it, and the check that has the
// last word. Knows nothing of calls.
import { createMatcher, type Grammar, GrammarError, parseGbnf } from "../gbnf-builder/index.ts";
import { type CompileOptions, compileSchema, createValidator } from "../schema-grammar/index.ts";
import { type AnswerForm, type CallFault, CallwrightError, type TurnEvent } from "../vocabulary/index.ts";
import { LRUCache } from "./lru-cache.ts";

export interface AnswerRule {
  readonly grammar: Grammar;
  /** Whether every text of the grammar is right, so that it can be shown while it is written. */
  readonly isExact: boolean;
  /** Whether white space before it says nothing. */
  readonly isJson: boolean;
  /** What is wrong with a complete answer. */
  readonly faults: (text: string) => readonly CallFault[];
  readonly notices: readonly TurnEvent[];
}

/** Characters of a grammar that a request may bring. */
const longestGrammar = 1 << 16;

const known = new LRUCache<string, AnswerRule>({
  maxSize: 4 << 20,
  sizeCalculation: (_rule, key) => key.length + 1,
});

/**
 * Throws `CallwrightError`: `schema-invalid`, `schema-unsatisfiable`, `schema-too-deep` as tools do, `grammar-invalid` for a
 * grammar that cannot be read or allows no text.
 */
export function answerRule(form: AnswerForm, compile: CompileOptions): AnswerRule {
  const key = JSON.stringify([form, compile]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = form.type === "grammar" ? grammarRule(form.gbnf) : schemaRule(form, compile);
  known.set(key, made);
  return made;
}

function grammarRule(gbnf: string): AnswerRule {
  if (gbnf.length > longestGrammar) {
    throw new CallwrightError(
      "grammar-invalid",
      `The grammar has more than ${longestGrammar} characters: shorten it.`,
    );
  }
  try {
    const grammar = parseGbnf(gbnf);
    const matcher = createMatcher(grammar);
    if (!matcher.isAccepting(matcher.start) && !matcher.canContinue(matcher.start)) {
      throw new GrammarError("it allows no text at all");
    }
    return { grammar, isExact: true, isJson: false, faults: () => [], notices: [] };
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    throw new CallwrightError("grammar-invalid", `The grammar cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}

function schemaRule(form: Exclude<AnswerForm, { type: "grammar" }>, compile: CompileOptions): AnswerRule {
  const schema = form.type === "json" ? { type: "object" } : form.schema;
  const compiled = compileSchema(schema, { ...compile, objects: "standard" });
  if (!compiled.satisfiable) {
    throw new CallwrightError("schema-unsatisfiable", "No value is valid under the answer's schema.", {
      pointer: "",
    });
  }
  const over = compiled.residual.filter(({ direction }) => direction === "over");
  const validate = createValidator(schema);
  return {
    grammar: compiled.grammar,
    isExact: over.length === 0,
    isJson: true,
    faults: (text) => {
      const read = readJson(text);
      if (read === undefined)
        return [{ pointer: "", keyword: "json", expected: "JSON", came: text.slice(0, 200) }];
      return validate(read.value).map(({ pointer, keyword, expected, came }) => ({
        pointer,
        keyword,
        expected,
        came,
      }));
    },
    notices: over.map(({ pointer, keyword, reason }) => ({
      type: "notice",
      code: "schema-residual",
      text: `The answer's schema, ${pointer || "/"} ${keyword}: checked after decoding, not in the grammar (${reason}).`,
    })),
  };
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON, which is told as a fault.
    return undefined;
  }
}
