// The vocabulary of a cached model for the bench: its token trie, and texts cut into tokens. Reads the head of the model's
// file only; no weights are loaded, and nothing is fetched.
import { readGgufFileInfo } from "node-llama-cpp";
import { createTokenTrie, type TokenTrie } from "../../src/gbnf-builder/index.ts";
import { findModel } from "../../src/models/find-model.ts";
import { homeFolder } from "../../src/models/home-folder.ts";
import { tokenBytes } from "../../src/models/local/token-bytes.ts";

export interface BenchVocabulary {
  readonly modelId: string;
  readonly trie: TokenTrie;
  /** The text's bytes, cut by the longest token each time. */
  cut(text: string): readonly Uint8Array[];
}

/** Throws `CallwrightError` (`model-missing`) where the model is not on this machine. */
export async function readVocabulary(name: string): Promise<BenchVocabulary> {
  const { path, id } = await findModel(name, { home: homeFolder() });
  const { metadata } = await readGgufFileInfo(path, { readTensorInfo: false, logWarnings: false });
  const { model, tokens, token_type: types } = metadata.tokenizer.ggml;
  const { plain } = tokenBytes({ model, tokens, types: types ?? [] });
  const trie = createTokenTrie(plain);
  const known = new Set(plain.flatMap((bytes) => (bytes === undefined ? [] : [latin1(bytes)])));
  return { modelId: id, trie, cut: (text) => cutGreedily(Buffer.from(text, "utf8"), known, trie.maxLength) };
}

/** Cuts by the longest known token each time; a byte that begins none stands alone. */
export function cutGreedily(
  bytes: Buffer,
  known: ReadonlySet<string>,
  maxLength: number,
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    let length = Math.min(maxLength, bytes.length - at);
    while (length > 1 && !known.has(bytes.toString("latin1", at, at + length))) length--;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
