// How many tokens a text has, for servers that cannot be asked: a share of its characters, learnt from what they count.

export interface TokenEstimate {
  count(text: string): number;
  /** A server has counted the tokens of a text. */
  learn(text: string, tokens: number): void;
}

/** Few languages and no code have more tokens than this for each character. */
const cautious = 1 / 3;
/** A text shorter than this says little about others. */
const leastCharacters = 200;

export function createTokenEstimate(): TokenEstimate {
  let share = cautious;
  return {
    count: (text) => Math.ceil(text.length * share),
    learn(text, tokens) {
      if (text.length < leastCharacters || tokens <= 0) return;
      // A little more than what was seen, for the next text is another one.
      share = Math.min(1, (tokens / text.length) * 1.1);
    },
  };
}
