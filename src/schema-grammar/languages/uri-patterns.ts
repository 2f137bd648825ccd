// URIs (RFC 3986), IRIs (RFC 3987) and URI templates (RFC 6570) as regular expressions, after the grammars there.
import { ipv6Pattern } from "./address-patterns.ts";

const percent = "%[0-9A-Fa-f]{2}";
const subDelimiters = "!$&'()*+,;=";
const unreserved = "0-9A-Za-z._~\\-";
// Characters beyond ASCII that RFC 3987 adds: all but controls, private use and what is not a character.
const beyondAscii = [
  "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}",
  ...Array.from({ length: 13 }, (_, i) => plane(i + 1, "0000")),
  plane(14, "1000"),
].join("");
const privateUse = `\\u{E000}-\\u{F8FF}${plane(15, "0000")}${plane(16, "0000")}`;

function plane(number: number, first: string): string {
  const high = number.toString(16);
  return `\\u{${high}${first}}-\\u{${high}FFFD}`;
}

interface Letters {
  readonly unreserved: string;
  /** What a query may hold besides. */
  readonly query: string;
  /** Whether a scheme may stand alone: `mailto:` is a URI by the RFC, but ajv-formats refuses it as one. */
  readonly mayBeEmpty: boolean;
}

const uriLetters: Letters = { unreserved, query: "", mayBeEmpty: false };
const iriLetters: Letters = { unreserved: unreserved + beyondAscii, query: privateUse, mayBeEmpty: true };

export const uriPattern = absolute(uriLetters);
export const uriReferencePattern = `(?:${absolute({ ...uriLetters, mayBeEmpty: true })}|${relative(uriLetters)})`;
export const iriPattern = absolute(iriLetters);
export const iriReferencePattern = `(?:${absolute(iriLetters)}|${relative(iriLetters)})`;

function absolute(letters: Letters): string {
  const { authority, absolutePath, firstSegment, segments } = paths(letters);
  const rootless = `${firstSegment}${segments}`;
  const hierarchy = `(?:${authority}|${absolutePath}|${rootless})${letters.mayBeEmpty ? "?" : ""}`;
  return `[A-Za-z][0-9A-Za-z+.\\-]*:${hierarchy}${queryAndFragment(letters)}`;
}

function relative(letters: Letters): string {
  const { authority, absolutePath, segments } = paths(letters);
  const noColon = `(?:[${letters.unreserved}${subDelimiters}@]|${percent})+`;
  return `(?:${authority}|${absolutePath}|${noColon}${segments})?${queryAndFragment(letters)}`;
}

function paths(letters: Letters): {
  authority: string;
  absolutePath: string;
  firstSegment: string;
  segments: string;
} {
  const name = `[${letters.unreserved}${subDelimiters}]`;
  const segmentLetter = `(?:[${letters.unreserved}${subDelimiters}:@]|${percent})`;
  const segments = `(?:/${segmentLetter}*)*`;
  const firstSegment = `${segmentLetter}+`;
  const literalAddress = `\\[(?:${ipv6Pattern}|[Vv][0-9A-Fa-f]+\\.[${unreserved}${subDelimiters}:]+)\\]`;
  const user = `(?:(?:[${letters.unreserved}${subDelimiters}:]|${percent})*@)?`;
  const authority = `//${user}(?:${literalAddress}|(?:${name}|${percent})*)(?::\\d*)?${segments}`;
  return { authority, absolutePath: `/(?:${firstSegment}${segments})?`, firstSegment, segments };
}

function queryAndFragment({ unreserved, query }: Letters): string {
  const letter = (more: string): string => `(?:[${unreserved}${more}${subDelimiters}:@/?]|${percent})*`;
  return `(?:\\?${letter(query)})?(?:#${letter("")})?`;
}

// An apostrophe is among the literals by erratum 6937.
const templateLiteral = `(?:[!#$&-;=?-\\[\\]_a-z~${beyondAscii}${privateUse}]|${percent})`;
const nameLetter = `(?:[0-9A-Za-z_]|${percent})`;
const variable = `${nameLetter}(?:\\.?${nameLetter})*(?::[1-9]\\d{0,3}|\\*)?`;
export const uriTemplatePattern = `(?:${templateLiteral}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*`;
