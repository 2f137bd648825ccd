// What a model's template cannot say, and what is done instead: for people, one line each.
import type { FormatChoice } from "./choose-format.ts";
import type { ValueKind } from "./value-kinds.ts";

const lost: Readonly<Record<ValueKind, string>> = {
  awkward: "text with quotes, line breaks or other signs",
  empty: "empty text",
  scalar: "numbers or booleans",
  null: "null",
  nested: "objects or lists",
  none: "no arguments",
};

/** The mends of the chosen template; none where it does all by itself, or where none is used. */
export function templateMends({ template, formats: [format] }: FormatChoice): readonly string[] {
  if (template.isPlain) return [];
  const { traits, tellsOfTools, writesCalls, lostValues } = template;
  const mends: string[] = [];
  const byFormat = `${format.name} writes them as text`;
  if (!tellsOfTools) {
    const why = traits.showsTools ? "speaks of tools in another form" : "does not speak of tools";
    mends.push(`The template ${why}: they are told of at the end of the system text.`);
  }
  if (!traits.system) mends.push("The template has no system role: its text begins the first user message.");
  if (traits.system && !traits.laterSystem) {
    mends.push("The template loses system messages after the first: they become the user's.");
  }
  if (!traits.userAfterUser) mends.push("User messages that follow each other become one.");
  if (!writesCalls) {
    const why = traits.calls === "none" ? "loses past calls" : "writes past calls in another form";
    mends.push(`The template ${why}: ${byFormat}.`);
  } else {
    if (traits.emptyContent === null) mends.push("The content of a turn of calls alone is given as null.");
    if (traits.calls === "string") mends.push("The arguments of past calls are given as JSON text.");
    if (!traits.textWithCalls)
      mends.push(`The template loses text beside calls: ${byFormat} in such a turn.`);
    if (traits.textWithCalls && !traits.reasoningWithText) {
      mends.push("The template refuses text beside reasoning in a turn of calls: they become one.");
    }
    if (!traits.severalCalls) {
      const how = traits.results ? "answered ones become turns of one call each, others are text" : byFormat;
      mends.push(`The template has room for one call in a turn: of several, ${how}.`);
    }
    for (const kind of lostValues) {
      mends.push(`The template loses ${lost[kind]} in past calls: ${byFormat} where they occur.`);
    }
  }
  const resultsAreKept = writesCalls ? traits.results : traits.resultsAfterText;
  if (!resultsAreKept) mends.push("The template has no form for results: they are user messages.");
  return mends;
}
