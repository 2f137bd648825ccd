// `format` names as string languages. Each is what its specification and ajv-formats, which has the last word, both
// allow; where they differ the pattern's file says how. Numeric formats are not strings and not here.
import {
  hostnamePattern,
  idnEmailPattern,
  idnHostnamePattern,
  ipv4Pattern,
  ipv6Pattern,
  namedMailboxPattern,
  numberedMailboxPattern,
  uuidPattern,
} from "./languages/address-patterns.ts";
import { datePattern, dateTimePattern, durationPattern, timePattern } from "./languages/date-patterns.ts";
import { expressionPattern } from "./languages/expression-pattern.ts";
import {
  iriPattern,
  iriReferencePattern,
  uriPattern,
  uriReferencePattern,
  uriTemplatePattern,
} from "./languages/uri-patterns.ts";
import { orStrings, type StringLanguage } from "./string-language.ts";
import { type StringsRead, stringsMatching } from "./string-patterns.ts";

// RFC 6901; in a relative pointer ajv-formats knows no index manipulation (`1+2`), which later drafts added.
const jsonPointer = "(?:/(?:[^~/]|~[01])*)*";

interface Format {
  readonly pattern: string;
  /** Rare texts of the format that take many states: apart, so that bounds on the length hold at least for the others. */
  readonly rare?: string;
  /** What the pattern does not tell, where it allows more than the format. */
  readonly wider?: string;
}

const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ["date", { pattern: datePattern }],
  ["time", { pattern: timePattern }],
  ["date-time", { pattern: dateTimePattern }],
  ["duration", { pattern: durationPattern }],
  ["email", { pattern: namedMailboxPattern, rare: numberedMailboxPattern }],
  ["idn-email", { pattern: idnEmailPattern, wider: "letters beyond ASCII are all let through" }],
  ["hostname", { pattern: hostnamePattern, wider: "the length of the whole name is not counted" }],
  ["idn-hostname", { pattern: idnHostnamePattern, wider: "letters beyond ASCII are all let through" }],
  ["ipv4", { pattern: ipv4Pattern }],
  ["ipv6", { pattern: ipv6Pattern }],
  ["uri", { pattern: uriPattern }],
  ["uri-reference", { pattern: uriReferencePattern }],
  ["iri", { pattern: iriPattern }],
  ["iri-reference", { pattern: iriReferencePattern }],
  ["uri-template", { pattern: uriTemplatePattern }],
  ["uuid", { pattern: uuidPattern }],
  ["json-pointer", { pattern: jsonPointer }],
  ["relative-json-pointer", { pattern: `(?:0|[1-9]\\d*)(?:#|${jsonPointer})` }],
  ["regex", { pattern: expressionPattern, wider: "expressions nest without end" }],
  // RFC 4648, section 4: groups of four, the last one padded.
  ["byte", { pattern: "(?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?" }],
]);

/** The strings of a format by its name in JSON Schema or OpenAPI; undefined for a name that is none, or not of strings. */
export function stringsOfFormat(name: string): StringsRead | undefined {
  const format = formats.get(name);
  if (format === undefined) return undefined;
  const language = formatLanguage(format);
  return format.wider === undefined
    ? { language, exact: true }
    : { language, exact: false, reason: format.wider };
}

function formatLanguage({ pattern, rare }: Format): StringLanguage {
  const { language } = stringsMatching(`^(?:${pattern})$`);
  if (rare === undefined) return language;
  // Without a budget of states the two stay apart.
  return orStrings(language, stringsMatching(`^(?:${rare})$`).language, 0).language;
}
