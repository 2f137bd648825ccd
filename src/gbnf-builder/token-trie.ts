// All tokens of a vocabulary as one tree of bytes in flat typed arrays, depth first with links past each subtree, so that
// one loop walks it. Knows tokens by their bytes only; special tokens come as the bytes that `specialTokenBytes` gives.

/** Open arrays, one entry per node, for the walks beside it. Node 0 is a first byte, not the empty text. */
export interface TokenTrie {
  /** Number of token ids, those without bytes included. */
  readonly vocabularySize: number;
  readonly nodeCount: number;
  /** Bytes of the longest token. */
  readonly maxLength: number;
  readonly bytes: Uint8Array;
  /** How many bytes stand above a node. */
  readonly depths: Uint16Array;
  /** The token that ends at a node, or -1. */
  readonly tokens: Int32Array;
  /** The first node after a node's subtree. */
  readonly ends: Int32Array;
  /** 1 where all bytes of a node and its subtree are plain: printable ASCII other than quote and backslash. */
  readonly plain: Uint8Array;
  /** All tokens with bytes in the order of their nodes. */
  readonly order: Int32Array;
  /** Where each token stands in `order`; -1 for tokens without bytes. */
  readonly places: Int32Array;
  /** Ids of tokens without bytes, ascending. */
  readonly withoutBytes: Int32Array;
  /** Where the tokens of a node's subtree begin in `order`; one entry more than there are nodes. */
  readonly orderStarts: Int32Array;
  /** Further tokens with the bytes of the token that ends at a node. */
  readonly duplicates: ReadonlyMap<number, readonly number[]>;
  /** Ids of tokens whose bytes begin the given bytes, or begin with them. */
  tokensAlong(bytes: Uint8Array): number[];
  /** The part of the tree with tokens of more than `length` bytes. */
  longerThan(length: number): TokenTrie;
}

/** A trie of the tokens, by id; tokens that are `undefined` or empty are in no subtree. */
export function createTokenTrie(tokens: readonly (Uint8Array | undefined)[]): TokenTrie {
  const linked = linkNodes(tokens);
  const flat = flatten(linked);
  const longer = new Map<number, TokenTrie>();
  return {
    ...flat,
    ...orderTokens(flat, tokens.length),
    plain: findPlain(flat),
    vocabularySize: tokens.length,
    nodeCount: flat.bytes.length,
    maxLength: tokens.reduce((most, token) => Math.max(most, token?.length ?? 0), 0),
    tokensAlong: (bytes) => tokensAlong(flat, bytes),
    longerThan(length) {
      const known =
        longer.get(length) ??
        createTokenTrie(tokens.map((one) => (one && one.length > length ? one : undefined)));
      longer.set(length, known);
      return known;
    },
  };
}

/** Nodes by first child and next sibling; node 0 is the empty text. Siblings are in ascending order. */
interface LinkedNodes {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly children: Int32Array;
  readonly siblings: Int32Array;
  readonly tokens: Int32Array;
  readonly duplicates: Map<number, number[]>;
}

function linkNodes(tokens: readonly (Uint8Array | undefined)[]): LinkedNodes {
  const room = 1 + tokens.reduce((sum, token) => sum + (token?.length ?? 0), 0);
  const bytes = new Uint8Array(room);
  const children = new Int32Array(room);
  const siblings = new Int32Array(room);
  const ends = new Int32Array(room).fill(-1);
  const duplicates = new Map<number, number[]>();
  let count = 1;
  for (const [id, token] of tokens.entries()) {
    if (token === undefined || token.length === 0) continue;
    let node = 0;
    for (const byte of token) node = child(node, byte);
    if (ends[node]! < 0) ends[node] = id;
    else duplicates.set(node, [...(duplicates.get(node) ?? []), id]);
  }
  return { count, bytes, children, siblings, tokens: ends, duplicates };

  function child(parent: number, byte: number): number {
    let before = 0;
    let at = children[parent]!;
    while (at !== 0 && bytes[at]! < byte) {
      before = at;
      at = siblings[at]!;
    }
    if (at !== 0 && bytes[at] === byte) return at;
    const node = count++;
    bytes[node] = byte;
    siblings[node] = at;
    if (before === 0) children[parent] = node;
    else siblings[before] = node;
    return node;
  }
}

type FlatNodes = Pick<TokenTrie, "bytes" | "depths" | "tokens" | "ends" | "duplicates">;

/** Whether a byte is one that free text of every kind lets pass: printable ASCII other than quote and backslash. */
export function isPlainByte(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
}

function flatten(linked: LinkedNodes): FlatNodes {
  const size = linked.count - 1;
  const bytes = new Uint8Array(size);
  const depths = new Uint16Array(size);
  const tokens = new Int32Array(size);
  const ends = new Int32Array(size);
  const duplicates = new Map<number, readonly number[]>();
  const path: number[] = [];
  const pathPlaces: number[] = [];
  let place = 0;
  let node = linked.children[0]!;
  while (node !== 0 || path.length > 0) {
    if (node === 0) {
      ends[pathPlaces.pop()!] = place;
      node = linked.siblings[path.pop()!]!;
      continue;
    }
    bytes[place] = linked.bytes[node]!;
    depths[place] = path.length;
    tokens[place] = linked.tokens[node]!;
    const same = linked.duplicates.get(node);
    if (same !== undefined) duplicates.set(place, same);
    path.push(node);
    pathPlaces.push(place++);
    node = linked.children[node]!;
  }
  return { bytes, depths, tokens, ends, duplicates };
}

type TokenOrder = Pick<TokenTrie, "order" | "orderStarts" | "places" | "withoutBytes">;

function orderTokens({ tokens, duplicates }: FlatNodes, vocabularySize: number): TokenOrder {
  const order: number[] = [];
  const orderStarts = new Int32Array(tokens.length + 1);
  for (let node = 0; node < tokens.length; node++) {
    orderStarts[node] = order.length;
    if (tokens[node]! >= 0) order.push(tokens[node]!, ...(duplicates.get(node) ?? []));
  }
  orderStarts[tokens.length] = order.length;
  const places = new Int32Array(vocabularySize).fill(-1);
  for (const [place, token] of order.entries()) places[token] = place;
  const withoutBytes = Int32Array.from([...places.keys()].filter((token) => places[token]! < 0));
  return { order: Int32Array.from(order), orderStarts, places, withoutBytes };
}

function findPlain({ bytes, ends }: FlatNodes): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  for (let node = bytes.length - 1; node >= 0; node--) {
    let isPlain = isPlainByte(bytes[node]!);
    for (let child = node + 1; isPlain && child < ends[node]!; child = ends[child]!)
      isPlain = plain[child] === 1;
    plain[node] = isPlain ? 1 : 0;
  }
  return plain;
}

function tokensAlong(trie: FlatNodes, text: Uint8Array): number[] {
  const found: number[] = [];
  let from = 0;
  let to = trie.bytes.length;
  for (const byte of text) {
    while (from < to && trie.bytes[from]! !== byte) from = trie.ends[from]!;
    if (from >= to) return found;
    addTokens(trie, from, found);
    to = trie.ends[from]!;
    from++;
  }
  for (let node = from; node < to; node++) addTokens(trie, node, found);
  return found;
}

function addTokens(trie: FlatNodes, node: number, found: number[]): void {
  const token = trie.tokens[node]!;
  if (token >= 0) found.push(token, ...(trie.duplicates.get(node) ?? []));
}
