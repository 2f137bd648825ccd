// A `Model` over one llama.cpp sequence. What is evaluated stays in the sequence; a request evaluates only what differs,
// then follows its span's guide: forced text in batches, everything else one choice at a time.
import type { PromptPart, TemplateInput, TemplateRenderer } from "../../formats/format.ts";
import { createTemplateRenderer } from "../../formats/index.ts";
import {
  anyCharacter,
  createGrammar,
  createMasks,
  createMatcher,
  type Grammar,
  type Matcher,
  type TokenMasks,
  zeroOrMore,
} from "../../gbnf-builder/index.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import type { Alternative, GenerateRequest, Model, ModelEvent, ModelInfo, ScoreRequest } from "../model.ts";
import { createFreeGuide } from "./free-guide.ts";
import { createGrammarGuide } from "./grammar-guide.ts";
import type { Guide } from "./guide.ts";
import type { LlamaRuntime, TokenFilter } from "./llama-runtime.ts";
import { createMatcherVocabulary, type MatcherVocabulary } from "./matcher-vocabulary.ts";
import { PieceText } from "./piece-text.ts";
import { matcherBytes, partTokens, promptTokens, textBytes } from "./prompt-tokens.ts";
import { type Candidate, candidatesWanted, sampleToken } from "./sample-token.ts";
import { scoreTexts } from "./score-texts.ts";
import { type KnownTurn, partsFrom, placePrefix, splitParts, type TurnPrefix } from "./turn-prefix.ts";

/** Tokens evaluated between two looks at the abort signal. */
const prefillChunk = 128;
const anyText: Grammar = createGrammar("text", { text: zeroOrMore(anyCharacter()) });
/** Bytes of masks kept for each grammar. */
const maskBytes = 8 << 20;
/** Candidates looked at when a text is scored. */
const scoredCandidates = 1024;

/** A model over an opened runtime, which it closes. */
export class LocalModel implements Model {
  readonly info: ModelInfo;
  readonly #runtime: LlamaRuntime;
  readonly #render: TemplateRenderer | undefined;
  readonly #vocabulary: MatcherVocabulary;
  readonly #grammars = new WeakMap<Grammar, { readonly matcher: Matcher; readonly masks: TokenMasks }>();
  readonly #promptTokens = new WeakMap<readonly PromptPart[], readonly number[]>();
  /** The prompt of the last request and the tokens of its turn, evaluated or not. */
  #known: KnownTurn = { prompt: [], turn: [] };
  /** The unfiltered candidates after the sequence's last token, where a score has just looked at them. */
  #looked: { readonly length: number; readonly candidates: readonly Candidate[] } | undefined;
  #busy: Promise<void> = Promise.resolve();

  /** `template` stands for the file's own where a profile replaces it. */
  constructor(
    runtime: LlamaRuntime,
    options: { readonly id: string; readonly path: string; readonly template?: string },
  ) {
    const template = options.template ?? runtime.template;
    this.#runtime = runtime;
    this.#render = template === undefined ? undefined : rendererOf(template, runtime);
    const { plain, control, userDefined } = runtime.vocabulary;
    this.#vocabulary = createMatcherVocabulary(runtime);
    this.info = {
      id: options.id,
      architecture: runtime.architecture,
      contextSize: runtime.contextSize,
      trainedContextSize: runtime.trainedContextSize,
      vocabularySize: plain.length,
      rollback: runtime.rollback,
      continuesPrefix: true,
      enforcesGrammar: true,
      givesProbabilities: true,
      ...(template === undefined ? {} : { template }),
      specialTokens: [...control.values(), ...userDefined.values()],
      path: options.path,
    };
  }

  renderTemplate(input: TemplateInput): string {
    if (this.#render === undefined) {
      throw new CallwrightError("model-unsupported", `${this.info.id} has no chat template (a base model).`);
    }
    return this.#render(input);
  }

  async countTokens(parts: readonly PromptPart[]): Promise<number> {
    return promptTokens(this.#runtime, parts).length;
  }

  async close(): Promise<void> {
    await this.#busy;
    await this.#runtime.close();
  }

  async *generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    const release = await this.#lock();
    try {
      yield* this.#generate(request);
    } finally {
      release();
    }
  }

  async *#generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    const prompt = this.#tokensOf(request.prompt);
    const place = placePrefix(this.#runtime, this.#known, { prompt, prefix: request.prefix });
    const turn = [...place.turn];
    this.#known = { prompt, turn };
    yield* this.#prefill(prompt, turn, request.signal);

    const guide = this.#guide(request, place);
    const text = new PieceText(place.remainderBytes);
    const limit = Math.min(request.maxTokens, this.#room(prompt.length + turn.length));
    let added = 0;
    for (;;) {
      const step = guide.next();
      if (step.type === "end") {
        yield { type: "end", reason: step.reason };
        return;
      }
      if (added >= limit) {
        yield { type: "end", reason: "length" };
        return;
      }
      if (step.type === "feed") {
        const tokens = step.tokens.slice(0, limit - added);
        for (const token of tokens) {
          turn.push(token);
          guide.take(token);
        }
        added += tokens.length;
        const written = text.take(tokens.map((token) => this.#vocabulary.spellingOf(token)));
        yield { type: "piece", text: written, source: "forced", tokens: tokens.length };
        continue;
      }
      const candidates = await this.#look([...prompt, ...turn], step.filter, request);
      const chosen = sampleToken(candidates, request.sampling, {
        seed: request.seed,
        position: prompt.length + turn.length,
      });
      if (chosen === undefined || this.#runtime.endTokens.has(chosen.token)) {
        yield { type: "end", reason: endReason(request, chosen) };
        return;
      }
      turn.push(chosen.token);
      guide.take(chosen.token);
      added += 1;
      yield {
        type: "piece",
        text: text.take([this.#vocabulary.spellingOf(chosen.token)]),
        source: "sampled",
        tokens: 1,
        ...(request.alternatives
          ? { alternatives: this.#alternatives(candidates, request.alternatives) }
          : {}),
      };
    }
  }

  async score(request: ScoreRequest): Promise<readonly number[]> {
    const release = await this.#lock();
    try {
      const prompt = this.#tokensOf(request.prompt);
      const place = placePrefix(this.#runtime, this.#known, { prompt, prefix: request.prefix });
      const turn = [...place.turn, ...partTokens(this.#runtime, place.remainderParts)];
      this.#known = { prompt, turn };
      const base = [...prompt, ...turn];
      const sampling = { temperature: 1, topK: scoredCandidates, topP: 1, minP: 0 };
      const first = await this.#look(base, undefined, {
        sampling,
        ...(request.signal ? { signal: request.signal } : {}),
      });
      const sequences = request.continuations.map((part) => partTokens(this.#runtime, [part]));
      const scores = await scoreTexts(sequences, first, {
        extend: async (depth, tokens) => {
          throwIfAborted(request.signal);
          await this.#runtime.truncate(base.length + depth);
          const positions = tokens.map((_, index) => index);
          return this.#runtime.appendAndLook(tokens, { positions, candidates: scoredCandidates });
        },
      });
      await this.#runtime.truncate(base.length);
      this.#looked = { length: base.length, candidates: first };
      return scores;
    } finally {
      release();
    }
  }

  #tokensOf(parts: readonly PromptPart[]): readonly number[] {
    const known = this.#promptTokens.get(parts);
    if (known) return known;
    const tokens = promptTokens(this.#runtime, parts);
    this.#promptTokens.set(parts, tokens);
    return tokens;
  }

  /** Brings the sequence to the given tokens, but for the last one, which is evaluated where its successor is looked for. */
  async *#prefill(
    prompt: readonly number[],
    turn: readonly number[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ModelEvent> {
    const tokens = [...prompt, ...turn];
    const started = performance.now();
    if (tokens.length + 1 >= this.#runtime.contextSize) {
      throw new CallwrightError(
        "context-overflow",
        `The prompt has ${tokens.length} tokens and the window ${this.#runtime.contextSize}. Shorten it${this.#runtime.mayGrow ? " or give a larger --ctx" : ""}.`,
        { details: { needed: tokens.length + 1, available: this.#runtime.contextSize } },
      );
    }
    throwIfAborted(signal);
    const shared = commonLength(this.#runtime.tokens, tokens);
    const end = tokens.length - 1;
    if (shared < this.#runtime.tokens.length && shared < tokens.length) {
      await this.#runtime.truncate(shared);
      this.#looked = undefined;
    }
    // A model that can only return to a checkpoint may have had to go further back than was asked. The last token is
    // evaluated again in any case, since only that tells what may follow it.
    const reused = Math.min(shared, this.#runtime.tokens.length, end);
    for (let at = reused; at < end; at += prefillChunk) {
      yield { type: "prefill-progress", done: at - reused, total: end - reused };
      await this.#runtime.append(tokens.slice(at, Math.min(end, at + prefillChunk)));
      throwIfAborted(signal);
    }
    yield {
      type: "prefill-end",
      reused,
      loaded: 0,
      evaluated: tokens.length - reused,
      ofPrompt: Math.max(0, prompt.length - reused),
      milliseconds: performance.now() - started,
    };
  }

  #guide(request: GenerateRequest, place: TurnPrefix): Guide {
    const { span } = request;
    if (span.type === "free" && !span.forbidden) {
      return createFreeGuide(this.#runtime, {
        specials: span.specials,
        remainder: partTokens(this.#runtime, place.remainderParts),
        nonEmpty: span.nonEmpty ?? false,
      });
    }
    // Free text that must not begin in some ways is text of a grammar that allows all others.
    const { matcher, masks } = this.#compiled(span.type === "free" ? anyText : span.grammar);
    const consumed = span.type === "free" ? 0 : (request.consumed ?? 0);
    const [beforeGrammar, inGrammar] = splitParts(request.prefix, consumed);
    const beforeBytes = textBytes(beforeGrammar).length;
    const decided = matcherBytes(this.#runtime, place.remainderParts);
    const decidedInGrammar = matcherBytes(this.#runtime, partsFrom(inGrammar, place.readBytes - beforeBytes));
    const all = matcherBytes(this.#runtime, inGrammar);
    return createGrammarGuide({
      matcher,
      masks,
      trie: this.#vocabulary.trie,
      bytesOf: this.#vocabulary.bytesOf,
      tokenize: this.#vocabulary.tokenize,
      decided,
      before: decided.length - decidedInGrammar.length,
      read: all.subarray(0, all.length - decidedInGrammar.length),
      ...(span.forbidden ? { forbidden: span.forbidden } : {}),
    });
  }

  #compiled(grammar: Grammar): { readonly matcher: Matcher; readonly masks: TokenMasks } {
    const known = this.#grammars.get(grammar);
    if (known) return known;
    const matcher = createMatcher(grammar);
    const compiled = {
      matcher,
      masks: createMasks(matcher, this.#vocabulary.trie, { cacheBytes: maskBytes }),
    };
    this.#grammars.set(grammar, compiled);
    return compiled;
  }

  /** The likeliest tokens after the given ones, of which the sequence lacks at least the last. */
  async #look(
    tokens: readonly number[],
    filter: TokenFilter | undefined,
    request: { readonly sampling: GenerateRequest["sampling"]; readonly signal?: AbortSignal },
  ): Promise<readonly Candidate[]> {
    throwIfAborted(request.signal);
    const wanted = candidatesWanted(request.sampling);
    const looked = this.#looked;
    if (looked && filter?.side !== "allowed" && looked.length === tokens.length) {
      const refused = new Set([
        ...(filter?.ids ?? []),
        ...(filter?.mayEnd === false ? this.#runtime.endTokens : []),
      ]);
      const kept = looked.candidates.filter((candidate) => !refused.has(candidate.token)).slice(0, wanted);
      if (kept.length > 0) return kept;
    }
    this.#looked = undefined;
    const shared = Math.min(commonLength(this.#runtime.tokens, tokens), tokens.length - 1);
    await this.#runtime.truncate(shared);
    const fed = tokens.slice(Math.min(shared, this.#runtime.tokens.length));
    for (let at = 0; at + prefillChunk < fed.length; ) {
      await this.#runtime.append(fed.splice(at, prefillChunk));
      throwIfAborted(request.signal);
    }
    const [candidates] = await this.#runtime.appendAndLook(fed, {
      positions: [fed.length - 1],
      candidates: wanted,
      ...(filter ? { filter } : {}),
    });
    return candidates ?? [];
  }

  #alternatives(candidates: readonly Candidate[], count: number): readonly Alternative[] {
    return candidates.slice(0, count).map(({ token, probability }) => ({
      text: Buffer.from(this.#vocabulary.spellingOf(token)).toString("utf8"),
      probability,
    }));
  }

  /** Tokens that still fit behind `length`. */
  #room(length: number): number {
    return Math.max(0, this.#runtime.contextSize - 1 - length);
  }

  async #lock(): Promise<() => void> {
    const before = this.#busy;
    let release = (): void => {};
    this.#busy = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

function rendererOf(template: string, runtime: LlamaRuntime): TemplateRenderer {
  const { beginText, endText, templateEngine: engine } = runtime;
  return createTemplateRenderer({
    template,
    beginText,
    endText,
    date: new Date(),
    ...(engine ? { engine } : {}),
  });
}

function endReason(
  request: GenerateRequest,
  chosen: Candidate | undefined,
): "accepted" | "end-of-generation" | "impossible" {
  if (chosen === undefined) return "impossible";
  return request.span.type === "constrained" ? "accepted" : "end-of-generation";
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length++;
  return length;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CallwrightError("aborted", "Aborted.", { cause: signal.reason });
}
