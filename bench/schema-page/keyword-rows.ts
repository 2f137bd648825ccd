// The page's tables of keywords and formats: the notes made by hand, with what a run counted beside them.
import { annotatedFormats, integerFormats } from "../../src/schema-grammar/formats-asserted.ts";
import { stringsOfFormat } from "../../src/schema-grammar/string-formats.ts";
import type { SchemaVerdict } from "../schemas/judge-schema.ts";
import { type KeywordNote, noteGroups } from "./keyword-notes.ts";
import { markdownTable, share } from "./markdown.ts";

/** One table: schemas that use a keyword, and how many have it exact, relaxed or narrowed. */
export function keywordTable(verdicts: readonly SchemaVerdict[], suite: readonly SchemaVerdict[]): string {
  const compiled = verdicts.filter((verdict) => verdict.error === undefined);
  const rows = noteGroups.flatMap(({ title, notes }) => [
    [`**${title}**`, "", "", "", "", "", ""],
    ...notes.map((note) => rowOf(note, compiled, suite)),
  ]);
  const head = ["keyword", "used by", "exact", "relaxed", "official suite", "in the grammar", "limit"];
  return markdownTable(head, rows, head.slice(1, 5));
}

/** Reasons of what was relaxed, the most frequent first. */
export function reasonTable(verdicts: readonly SchemaVerdict[]): string {
  const counts = new Map<string, number>();
  for (const { residual } of verdicts) {
    const reasons = residual.map(
      ({ keyword, direction, reason }) => `${spelled(keyword)}\n${direction}\n${withoutNames(reason)}`,
    );
    for (const key of new Set(reasons)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([key, count]) => [...key.split("\n"), `${count}`, share(count, verdicts.length)]);
  const head = ["keyword", "direction", "reason", "schemas", "share"];
  return markdownTable(head, rows, ["schemas", "share"]);
}

/** Formats by what the grammar makes of them, asked of the compiler itself. */
export function formatTable(verdicts: readonly SchemaVerdict[]): string {
  const names = new Set([...standardFormats, ...annotatedFormats, ...integerFormats]);
  const used = (name: string) =>
    verdicts.filter(({ keywords }) => keywords.includes(`format: ${name}`)).length;
  const rows = [...names].map((name) => [`\`${name}\``, String(used(name)), ...meaningOf(name)]);
  return markdownTable(["format", "schemas", "grammar", "remark"], rows, ["schemas"]);
}

// JSON Schema 2020-12, validation, section 7.3, and `byte` beside them.
const standardFormats =
  `date time date-time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri
  iri-reference uri-template uuid json-pointer relative-json-pointer regex`.split(/\s+/);

function meaningOf(name: string): readonly [string, string] {
  if (annotatedFormats.has(name)) return ["refuses nothing", "not of JSON Schema; read as an annotation"];
  if (integerFormats.has(name)) return ["exact", "bounds of integers, as the validator reads them"];
  const read = stringsOfFormat(name);
  if (read === undefined) return ["refuses nothing", "unknown"];
  return read.exact ? ["exact", ""] : ["relaxed", read.reason ?? ""];
}

function rowOf(
  note: KeywordNote,
  compiled: readonly SchemaVerdict[],
  suite: readonly SchemaVerdict[],
): readonly string[] {
  const isNamed = (keyword: string) => note.keywords.includes(keyword);
  const using = compiled.filter(
    ({ keywords, residual }) => keywords.some(isNamed) || residual.some(({ keyword }) => isNamed(keyword)),
  );
  const relaxed = using.filter(({ residual }) => residual.some(({ keyword }) => isNamed(keyword)));
  const files = new Set([...note.keywords, ...(note.files ?? [])]);
  const groups = suite.filter(({ name }) => files.has(/\/([^/:]+): /.exec(name)?.[1] ?? ""));
  const right = groups.filter(isRight);
  return [
    note.keywords.map(spelled).join(", "),
    String(using.length),
    share(using.length - relaxed.length, using.length),
    relaxed.length === 0 ? "0" : `${relaxed.length}`,
    groups.length === 0 ? "–" : `${right.length} of ${groups.length}`,
    note.how,
    note.limit,
  ];
}

/** Whether the grammar judges every instance right. */
export function isRight({ error, wronglyIn, wronglyOut }: SchemaVerdict): boolean {
  return error === undefined && wronglyIn.length + wronglyOut.length === 0;
}

function spelled(keyword: string): string {
  return keyword === "*" ? "(any)" : `\`${keyword}\``;
}

/** Reasons that name something of the schema become one. */
function withoutNames(reason: string): string {
  return reason
    .replace(/^the document of \S+ was/, "the document of a reference was")
    .replace(/^the expression .* is not/s, "the expression is not");
}
