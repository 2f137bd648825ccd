// A `Model` over one llama.cpp sequence: a request brings the sequence to its prompt and prefix, then follows its span's
// guide, which says what is forced and what is a choice.
import type { PromptPart, TemplateInput, TemplateRenderer } from "../../formats/format.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import type { Alternative, GenerateRequest, Model, ModelEvent, ModelInfo, ScoreRequest } from "../model.ts";
import type { LlamaRuntime } from "./llama-runtime.ts";
import { createMatcherVocabulary, type MatcherVocabulary } from "./matcher-vocabulary.ts";
import { Mutex } from "./mutex.ts";
import { createPenalties } from "./penalties.ts";
import { PieceText } from "./piece-text.ts";
import { partTokens, promptTokens } from "./prompt-tokens.ts";
import { type Candidate, candidatesWanted, sampleToken } from "./sample-token.ts";
import { scoreTexts } from "./score-texts.ts";
import { type CreateSpanGuide, createSpanGuides } from "./span-guides.ts";
import { TokenSequence } from "./token-sequence.ts";
import { type KnownTurn, placePrefix } from "./turn-prefix.ts";

/** Candidates looked at when a text is scored. */
const scoredCandidates = 1024;

/** A model over an opened runtime, which it closes. */
export class LocalModel implements Model {
  readonly info: ModelInfo;
  readonly #runtime: LlamaRuntime;
  readonly #render: TemplateRenderer | undefined;
  readonly #vocabulary: MatcherVocabulary;
  readonly #sequence: TokenSequence;
  readonly #createGuide: CreateSpanGuide;
  readonly #mutex = new Mutex();
  readonly #promptTokens = new WeakMap<readonly PromptPart[], readonly number[]>();
  /** The prompt of the last request and the tokens of its turn, evaluated or not. */
  #known: KnownTurn = { prompt: [], turn: [] };
  #closing: Promise<void> | undefined;

  /** `template` is what is rendered: the file's own, or what a profile puts in its place. */
  constructor(
    runtime: LlamaRuntime,
    options: {
      readonly id: string;
      readonly path: string;
      readonly template?: { readonly text: string; readonly render: TemplateRenderer };
    },
  ) {
    const { template } = options;
    this.#runtime = runtime;
    this.#render = template?.render;
    const { plain, control, userDefined } = runtime.vocabulary;
    this.#vocabulary = createMatcherVocabulary(runtime);
    this.#sequence = new TokenSequence(runtime);
    this.#createGuide = createSpanGuides(runtime, this.#vocabulary);
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
      ...(template === undefined ? {} : { template: template.text }),
      specialTokens: [...control.values(), ...userDefined.values()],
      controlTokens: [...control.values()],
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

  close(): Promise<void> {
    this.#closing ??= this.#mutex.close().then(() => this.#runtime.close());
    return this.#closing;
  }

  async *generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    const release = await this.#mutex.acquire(request.signal);
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
    const sequence = this.#sequence;
    sequence.want([...prompt, ...turn]);
    yield* sequence.prefill(prompt.length, request.signal);

    const guide = this.#createGuide(request, place);
    const penalties = createPenalties(request, turn);
    const take = (token: number): void => {
      turn.push(token);
      penalties?.take(token);
      sequence.push(token);
      guide.take(token);
    };
    const text = new PieceText(place.remainderBytes);
    const limit = Math.min(request.maxTokens, sequence.room);
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
        for (const token of tokens) take(token);
        added += tokens.length;
        const written = text.take(tokens.map((token) => this.#vocabulary.spellingOf(token)));
        yield { type: "piece", text: written, source: "forced", tokens: tokens.length };
        continue;
      }
      const candidates = await sequence.look({
        candidates: candidatesWanted(request.sampling) + (penalties?.more ?? 0),
        filter: step.filter,
        signal: request.signal,
      });
      const chosen = sampleToken(penalties?.apply(candidates) ?? candidates, request.sampling, {
        seed: request.seed,
        position: sequence.length,
      });
      if (chosen === undefined || this.#runtime.endTokens.has(chosen.token)) {
        yield { type: "end", reason: endReason(request, chosen) };
        return;
      }
      take(chosen.token);
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
    const release = await this.#mutex.acquire(request.signal);
    try {
      const prompt = this.#tokensOf(request.prompt);
      const place = placePrefix(this.#runtime, this.#known, { prompt, prefix: request.prefix });
      const turn = [...place.turn, ...partTokens(this.#runtime, place.remainderParts)];
      this.#known = { prompt, turn };
      const sequence = this.#sequence;
      sequence.want([...prompt, ...turn]);
      const { length } = sequence;
      const options = { candidates: scoredCandidates, signal: request.signal };
      const first = await sequence.look(options);
      const continuations = request.continuations.map((part) => partTokens(this.#runtime, [part]));
      const scores = await scoreTexts(continuations, first, {
        extend: (depth, tokens) => sequence.follow(length + depth, tokens, options),
      });
      await sequence.returnTo(length, first);
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

  #alternatives(candidates: readonly Candidate[], count: number): readonly Alternative[] {
    return candidates.slice(0, count).map(({ token, probability }) => ({
      text: Buffer.from(this.#vocabulary.spellingOf(token)).toString("utf8"),
      probability,
    }));
  }
}

function endReason(
  request: GenerateRequest,
  chosen: Candidate | undefined,
): "accepted" | "end-of-generation" | "impossible" {
  if (chosen === undefined) return "impossible";
  return request.span.type === "constrained" ? "accepted" : "end-of-generation";
}
