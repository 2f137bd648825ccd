// Finds where a text stands that a model wrote from memory. The matchers are tried in order, from the letter to the
// looser; the first that finds a place decides, and more than one place is never chosen between.
export interface TextMatch {
  readonly start: number;
  readonly end: number;
}

export interface FoundText {
  readonly matcher: string;
  readonly matches: readonly TextMatch[];
  /** How the replacement has to be changed to stand where the match stands. */
  readonly adapt: (replacement: string, match: TextMatch) => string;
}

interface Matcher {
  readonly name: string;
  find(text: string, wanted: string): readonly TextMatch[];
  readonly adapt?: (replacement: string, place: { text: string; wanted: string; match: TextMatch }) => string;
}

/** In the order in which they are tried. */
const matchers: readonly Matcher[] = [
  { name: "exact", find: findAll },
  { name: "line ends trimmed", find: (text, wanted) => findLines(text, wanted, (line) => line.trimEnd()) },
  {
    name: "indentation ignored",
    find: (text, wanted) => findLines(text, wanted, (line) => line.trim()),
    adapt: reindent,
  },
  {
    name: "spaces and quotes made alike",
    find: (text, wanted) => findLines(text, wanted, plainLine),
    adapt: reindent,
  },
  {
    name: "escapes read",
    find: (text, wanted) => (readEscapes(wanted) === wanted ? [] : findAll(text, readEscapes(wanted))),
    adapt: (replacement) => readEscapes(replacement),
  },
  { name: "first and last line", find: findAnchored, adapt: reindent },
];

/** Undefined where no matcher finds the text. */
export function findText(
  text: string,
  wanted: string,
  options: { readonly wholeLines?: boolean } = {},
): FoundText | undefined {
  const isWanted = ({ start }: TextMatch) => !options.wholeLines || start === 0 || text[start - 1] === "\n";
  for (const { name, find, adapt } of matchers) {
    const matches = find(text, wanted).filter(isWanted);
    if (matches.length === 0) continue;
    return {
      matcher: name,
      matches,
      adapt: (replacement, match) => adapt?.(replacement, { text, wanted, match }) ?? replacement,
    };
  }
  return undefined;
}

/** The line, counted from 1, in which a match begins. */
export function lineOf(text: string, { start }: TextMatch): number {
  return text.slice(0, start).split("\n").length;
}

function findAll(text: string, wanted: string): readonly TextMatch[] {
  const found: TextMatch[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: at, end: at + wanted.length });
  }
  return found;
}

/** Whole lines that are the wanted ones once both are made plain. Blank lines alone match nothing. */
function findLines(text: string, wanted: string, plain: (line: string) => string): readonly TextMatch[] {
  const hasEnd = wanted.endsWith("\n");
  const lines = (hasEnd ? wanted.slice(0, -1) : wanted).split("\n").map(plain);
  if (lines.every((line) => line === "")) return [];
  const given = text.split("\n");
  const offsets = offsetsOf(given);
  const found: TextMatch[] = [];
  for (let at = 0; at + lines.length <= given.length; at += 1) {
    if (!lines.every((line, index) => plain(given[at + index] ?? "") === line)) continue;
    found.push(rangeOf({ given, offsets, from: at, count: lines.length, hasEnd }));
    at += lines.length - 1;
  }
  return found;
}

/** Blocks of three lines and more whose ends match and whose middle mostly does. */
function findAnchored(text: string, wanted: string): readonly TextMatch[] {
  const hasEnd = wanted.endsWith("\n");
  const lines = (hasEnd ? wanted.slice(0, -1) : wanted).split("\n").map(plainLine);
  const [first, last] = [lines[0], lines.at(-1)];
  if (lines.length < 3 || first === "" || last === "") return [];
  const given = text.split("\n");
  const offsets = offsetsOf(given);
  const found: TextMatch[] = [];
  for (let at = 0; at + lines.length <= given.length; at += 1) {
    const block = given.slice(at, at + lines.length).map(plainLine);
    if (block[0] !== first || block.at(-1) !== last || sharedLines(block, lines) < 0.75) continue;
    found.push(rangeOf({ given, offsets, from: at, count: lines.length, hasEnd }));
  }
  return found;
}

function sharedLines(a: readonly string[], b: readonly string[]): number {
  return a.filter((line, at) => line === b[at]).length / a.length;
}

function offsetsOf(lines: readonly string[]): readonly number[] {
  let offset = 0;
  return lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
}

function rangeOf(options: {
  readonly given: readonly string[];
  readonly offsets: readonly number[];
  readonly from: number;
  readonly count: number;
  readonly hasEnd: boolean;
}): TextMatch {
  const { given, offsets, from, count, hasEnd } = options;
  const lastLine = from + count - 1;
  const end = (offsets[lastLine] ?? 0) + (given[lastLine]?.length ?? 0);
  const isLast = lastLine === given.length - 1;
  return { start: offsets[from] ?? 0, end: hasEnd && !isLast ? end + 1 : end };
}

function plainLine(line: string): string {
  return line
    .replaceAll(/[‘’‚‛]/g, "'")
    .replaceAll(/[“”„‟]/g, '"')
    .replaceAll(/[‐-―−]/g, "-")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function readEscapes(text: string): string {
  const meanings: Readonly<Record<string, string>> = {
    n: "\n",
    t: "\t",
    r: "\r",
    '"': '"',
    "'": "'",
    "\\": "\\",
  };
  return text.replaceAll(/\\([ntr"'\\])/g, (_, letter: string) => meanings[letter] ?? letter);
}

/** Moves the replacement's lines by as much as the text that was found stands deeper than the one that was written. */
function reindent(
  replacement: string,
  { text, wanted, match }: { text: string; wanted: string; match: TextMatch },
): string {
  const there = indentOf(text.slice(match.start, match.end));
  const written = indentOf(wanted);
  if (there === written) return replacement;
  return replacement
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line;
      return line.startsWith(written) ? there + line.slice(written.length) : line;
    })
    .join("\n");
}

function indentOf(text: string): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return line.slice(0, line.length - line.trimStart().length);
}
