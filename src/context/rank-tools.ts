// Ranks tools by how well their words fit a request: BM25F over name, description, parameters and allowed values.
// Needs no model; what the ranking is used for it does not know.
// Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6.
import { isJsonObject, type JsonValue, type ToolDescription } from "../vocabulary/index.ts";
import { impliedWords, relatedWords } from "./related-words.ts";

/** How much a word counts by where it stands. */
const weights = { name: 3, description: 2, parameters: 1 } as const;
/** BM25's saturation of repeated words, and how much long texts are held against a tool. */
const saturation = 1.2;
const lengthPenalty = 0.5;
/** What a word counts that only means about the same as one of the request. */
const relatedShare = 0.4;

export interface RankedTools<Tool> {
  /** All tools, the best fit first; equals stay in their order. */
  readonly tools: readonly Tool[];
  /** How many of them have any word of the request, or one that means about the same. */
  readonly fitting: number;
}

/**
 * The same request always gives the same ranking. It goes by words alone: a request in one language fits no tool that is
 * described in another, but for names and values that both have.
 */
export function rankTools<Tool extends ToolDescription>(
  tools: readonly Tool[],
  request: string,
): RankedTools<Tool> {
  const wanted = weighRequest(request);
  const documents = tools.map(weighWords);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, tools.length);
  const rarity = new Map(
    [...wanted].map(([word, weight]) => [word, weight * rarityOf(word, documents)] as const),
  );
  const scored = tools.map((tool, at) => ({ tool, score: scoreOf(documents[at], rarity, averageLength) }));
  scored.sort((a, b) => b.score - a.score);
  return { tools: scored.map(({ tool }) => tool), fitting: scored.filter(({ score }) => score > 0).length };
}

/** The request's own words, those that its values and turns of phrase imply, and those that are related to either. */
function weighRequest(request: string): ReadonlyMap<string, number> {
  const said = [...plainWords(request), ...impliedWords(request)];
  const near = said.flatMap(relatedWords).map((word) => [stem(word), relatedShare] as const);
  return new Map([...near, ...said.map((word) => [stem(word), 1] as const)]);
}

interface WeighedWords {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

function weighWords({ name, description, inputSchema }: ToolDescription): WeighedWords {
  const found = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const word of stemsOf(text)) {
      found.set(word, (found.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(name, weights.name);
  add(description, weights.description);
  for (const text of schemaTexts(inputSchema)) add(text, weights.parameters);
  return { weights: found, length };
}

/** Names of properties, descriptions and allowed values, at any depth. */
function* schemaTexts(schema: JsonValue): Generator<string> {
  if (Array.isArray(schema)) {
    for (const item of schema) yield* schemaTexts(item);
    return;
  }
  if (!isJsonObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "description" || key === "title" || key === "const") {
      if (typeof value === "string") yield value;
    } else if (key === "enum" && Array.isArray(value)) {
      yield* value.filter((item) => typeof item === "string");
    } else if (key === "properties" && isJsonObject(value)) {
      yield* Object.keys(value);
      for (const property of Object.values(value)) yield* schemaTexts(property);
    } else {
      yield* schemaTexts(value);
    }
  }
}

function rarityOf(word: string, documents: readonly WeighedWords[]): number {
  const holding = documents.filter((document) => document.weights.has(word)).length;
  return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
}

function scoreOf(
  document: WeighedWords | undefined,
  rarity: ReadonlyMap<string, number>,
  averageLength: number,
): number {
  if (document === undefined) return 0;
  const norm = 1 - lengthPenalty + lengthPenalty * (document.length / Math.max(1, averageLength));
  let score = 0;
  for (const [word, idf] of rarity) {
    const weight = (document.weights.get(word) ?? 0) / norm;
    score += (idf * weight) / (saturation + weight);
  }
  return score;
}

/** Lower-case stems of the words that mean something; names are split at underscores and capitals. */
export function stemsOf(text: string): readonly string[] {
  return plainWords(text).map(stem);
}

function plainWords(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap(splitUnspaced).filter((word) => !emptyWords.has(word));
}

/** Scripts that set no spaces between words, or few. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+/gu;

/**
 * The word itself, or where it is of such a script every two neighbouring characters: nearly as good as real words, and
 * without a dictionary (Nie et al., On the use of words and n-grams for Chinese information retrieval, 2000).
 */
function splitUnspaced(word: string): readonly string[] {
  const runs = word.match(unspaced);
  if (runs === null) return [word];
  const spaced = word.split(unspaced).filter((part) => part !== "");
  return [...spaced, ...runs.flatMap(bigrams)];
}

function bigrams(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Words of no meaning for which tool is wanted. */
const emptyWords = new Set(
  `a an and are as at be been but by can could did do does for from get give had has have how i if in into is it its
  just let like make me my need of on or our out please put so tell that the their them there they this to up us was we
  what when where which who will with would you your s t m ll ve re d`.split(/\s+/),
);

/** Cuts the endings that English puts on words, so that "meetings" finds "meeting" and "booked" finds "book". */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const singular = word.replace(/(?<=[^s])ies$/, "y").replace(/(?<=[sxz]|ch|sh)es$|(?<=[^su])s$/, "");
  const bare = singular.length > 5 ? singular.replace(/(?:ing|ed)$/, "") : singular;
  const single = bare === singular ? bare : bare.replace(/([bdgklmnprt])\1$/, "$1");
  return single.length > 4 ? single.replace(/e$/, "") : single;
}
