// What the description of a string says about its form and its schema does not: templates of dates and times, 'City, State',
// standards' codes, values listed between quotes. As regular expressions; whether they bind is for others to decide.
import { escapePattern } from "../../vocabulary/index.ts";
import { timePatterns } from "./time-templates.ts";

/**
 * The form that the text states, anchored; undefined where it states none. Several forms in one text allow each other, and
 * so do single words between quotes ('dontcare', 'null') and what else is `allowed`, such as the schema's default.
 */
export function statedPattern(description: string, allowed: readonly string[] = []): string | undefined {
  const times = timePatterns(description);
  const forms = times.length > 0 ? times : (otherForms(description) ?? []);
  if (forms.length === 0) return undefined;
  const words = [...description.matchAll(/['"`]([a-z]+)['"`]/g)].map(([, word = ""]) => word);
  return `^(${[...new Set([...forms, ...[...words, ...allowed].map(escapePattern)])].join("|")})$`;
}

const isoTime =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?";

/** The first that fits speaks. */
const standards: readonly (readonly [said: RegExp, pattern: string])[] = [
  [/\bISO[- ]?8601\b/i, isoTime],
  [/\bISO[- ]?3166(?:-1)? alpha-2\b|\btwo-letter country code/i, "[A-Z]{2}"],
  [/\bISO[- ]?639-1\b|\btwo-letter language code/i, "[a-z]{2}"],
  [/\bISO[- ]?4217\b|\bthree-letter currency code/i, "[A-Z]{3}"],
];

function otherForms(description: string): readonly string[] | undefined {
  const standard = standards.find(([said]) => said.test(description));
  if (standard !== undefined) return [standard[1]];
  return placeForms(description) ?? listedValues(description)?.map(escapePattern);
}

/** 'City, State' and its kin; two capitals where the examples are states of the USA and no country is spoken of. */
function placeForms(description: string): readonly string[] | undefined {
  const isNamed = /\bcity,? ?(?:and|,)? ?(?:the )?(?:two-letter )?(?:state|country)\b/i.test(description);
  const examples = description.match(/\b[A-Z][a-z]+(?: [A-Z][a-z]+)*, [A-Z]{2}\b/g) ?? [];
  if (!isNamed && examples.length === 0) return undefined;
  if (!/\b(?:city|location|place|town|address|destination|departure|origin)\b/i.test(description))
    return undefined;
  const place = /\baddress\b/i.test(description) ? ".+, " : "[^,]+, ";
  return [place + (examples.length > 0 && !/countr/i.test(description) ? "[A-Z]{2}" : "[^,]+")];
}

/** Values between quotes behind words that say that there are no others. */
function listedValues(description: string): readonly string[] | undefined {
  const quoted = /'[^']+'|"[^"]+"|`[^`]+`/g;
  const list =
    /(?:\bone of|\bcan be|\bmust be|\beither|\bpossible values(?: are| include)?|\ballowed values(?: are)?|\boptions(?: are)?|\bvalid values(?: are)?):? *((?:(?:'[^']+'|"[^"]+"|`[^`]+`)(?: for [^,.;'"`]*| \([^)]*\))?(?:, or |, and |, | or | and |\/)?){2,})(.{0,12})/i.exec(
      description,
    );
  if (list?.[1] === undefined || /^\W*(?:etc|and so on|and others|\.\.\.)/i.test(list[2] ?? ""))
    return undefined;
  return (list[1].match(quoted) ?? []).map((value) => value.slice(1, -1));
}
