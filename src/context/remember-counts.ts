// Remembers the tokens of texts, since a conversation is counted again at each of its turns.

/** Tokens of a text. */
export type CountTokens = (text: string) => Promise<number>;

/** Characters of the texts in one of the two generations that are remembered. */
const generationCharacters = 2 << 20;

/** Counts as the given function does, once for a text; forgets those that were not asked for lately. */
export function rememberCounts(count: CountTokens): CountTokens {
  let young = new Map<string, number>();
  let old = young;
  let characters = 0;
  return async (text) => {
    const recent = young.get(text);
    if (recent !== undefined) return recent;
    const tokens = old.get(text) ?? (await count(text));
    if (characters + text.length > generationCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(text, tokens);
    characters += text.length;
    return tokens;
  };
}
