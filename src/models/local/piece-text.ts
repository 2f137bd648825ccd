// From tokens' bytes to text that can be shown: whole characters only.

/** Turns tokens' bytes into whole characters, leaving out the first bytes, which were decided before. */
export class PieceText {
  readonly #decoder = new TextDecoder("utf-8");
  #skip: number;

  constructor(skip: number) {
    this.#skip = skip;
  }

  take(tokens: readonly Uint8Array[]): string {
    let text = "";
    for (const bytes of tokens) {
      const skipped = Math.min(this.#skip, bytes.length);
      this.#skip -= skipped;
      text += this.#decoder.decode(bytes.subarray(skipped), { stream: true });
    }
    return text;
  }
}
