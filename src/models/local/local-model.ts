// A `Model` over llama.cpp's sequences: a request brings one of them to its prompt and prefix, then follows its span's
// guide, which says what is forced and what is a choice.
import type { PromptPart, TemplateInput, TemplateRenderer } from "../../formats/format.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import type { Alternative, GenerateRequest, Model, ModelEvent, ModelInfo, ScoreRequest } from "../model.ts";
import { DraftRecord, type DraftSource, draftTokens } from "./drafts.ts";
import type { LlamaRuntime } from "./llama-runtime.ts";
import { createMatcherVocabulary, type MatcherVocabulary } from "./matcher-vocabulary.ts";
import { createPenalties } from "./penalties.ts";
import { PieceText } from "./piece-text.ts";
import { prefillFromStore } from "./prefill-from-store.ts";
import type { PrefixStore } from "./prefix-store.ts";
import { matchTokens, partTokens, promptTokens } from "./prompt-tokens.ts";
import { type Candidate, candidatesWanted, sampleToken } from "./sample-token.ts";
import { scoreTexts } from "./score-texts.ts";
import { type HeldSlot, SequencePool, type Slot } from "./sequence-pool.ts";
import { type CreateSpanGuide, createSpanGuides } from "./span-guides.ts";
import { placePrefix } from "./turn-prefix.ts";

/** Candidates looked at when a text is scored. */
const scoredCandidates = 1024;
/** Fewer tokens than this are evaluated sooner than a file is looked for. */
const leastStored = 64;

/** What makes decoding faster and changes nothing of its result. Off: so that each can be measured. */
export interface SpeedLevers {
  /** Text that is certain is fed in one batch. Off: token by token. */
  readonly forcedRuns: boolean;
  /** Copied text is drafted and verified in one batch. */
  readonly drafts: boolean;
}

/** A model over an opened runtime, which it closes. */
export class LocalModel implements Model {
  readonly info: ModelInfo;
  readonly #runtime: LlamaRuntime;
  readonly #render: TemplateRenderer | undefined;
  readonly #vocabulary: MatcherVocabulary;
  readonly #createGuide: CreateSpanGuide;
  readonly #pool: SequencePool;
  readonly #drafts = new DraftRecord();
  readonly #speed: SpeedLevers;
  readonly #prefixes: PrefixStore | undefined;
  readonly #promptTokens = new WeakMap<readonly PromptPart[], readonly number[]>();
  readonly #stable = new WeakMap<readonly PromptPart[], readonly number[]>();
  #closing: Promise<void> | undefined;

  /** `template` is what is rendered: the file's own, or what a profile puts in its place. */
  constructor(
    runtime: LlamaRuntime,
    options: {
      readonly id: string;
      readonly path: string;
      readonly template?: { readonly text: string; readonly render: TemplateRenderer };
      readonly speed?: Partial<SpeedLevers>;
      /** Where states of prompt beginnings are kept; absent: nowhere. */
      readonly prefixes?: PrefixStore;
    },
  ) {
    const { template } = options;
    this.#runtime = runtime;
    this.#render = template?.render;
    const { plain, control, userDefined } = runtime.vocabulary;
    this.#vocabulary = createMatcherVocabulary(runtime);
    this.#pool = new SequencePool(runtime.sequences);
    this.#prefixes = options.prefixes;
    this.#speed = { forcedRuns: true, drafts: true, ...options.speed };
    this.#createGuide = createSpanGuides(runtime, this.#vocabulary);
    this.info = {
      id: options.id,
      architecture: runtime.architecture,
      contextSize: runtime.contextSize,
      trainedContextSize: runtime.trainedContextSize,
      vocabularySize: plain.length,
      sequences: runtime.sequences.length,
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
    this.#closing ??= this.#pool.close().then(() => this.#runtime.close());
    return this.#closing;
  }

  async *generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    const held = await this.#acquire(request);
    try {
      yield* this.#generate(request, held.slot);
    } finally {
      held.release();
    }
  }

  #acquire(request: GenerateRequest | ScoreRequest): Promise<HeldSlot> {
    const tokens = this.#tokensOf(request.prompt);
    const stored = (): number => {
      if (!("stablePrefix" in request) || this.#prefixes === undefined) return 0;
      const stable = this.#stablePrefix(request, tokens);
      return this.#prefixes.has(stable) ? stable.length : 0;
    };
    return this.#pool.acquire({ tokens, stored, signal: request.signal });
  }

  async *#generate(request: GenerateRequest, slot: Slot): AsyncGenerator<ModelEvent> {
    const prompt = this.#tokensOf(request.prompt);
    const place = placePrefix(this.#runtime, slot.known, { prompt, prefix: request.prefix });
    const turn = [...place.turn];
    slot.known = { prompt, turn };
    const { sequence } = slot;
    sequence.want([...prompt, ...turn]);
    yield* this.#prefill(request, slot);

    const guide = this.#createGuide(request, place);
    const penalties = createPenalties(request, turn);
    const take = (token: number): void => {
      turn.push(token);
      penalties?.take(token);
      sequence.push(token);
      guide.take(token);
    };
    const text = new PieceText(place.remainderBytes);
    let written = request.prefix.map((part) => part.text).join("");
    const source = penalties === undefined ? this.#draftSource(request) : undefined;
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
        for (const token of tokens) {
          if (!this.#speed.forcedRuns) await sequence.look({ candidates: 1, signal: request.signal });
          take(token);
        }
        added += tokens.length;
        const piece = text.take(tokens.map((token) => this.#vocabulary.spellingOf(token)));
        written += piece;
        yield { type: "piece", text: piece, source: "forced", tokens: tokens.length };
        continue;
      }
      const proposed = source !== undefined && this.#drafts.pays ? draftTokens(source, written) : [];
      const along = proposed.length === 0 ? [] : guide.along(proposed.slice(0, limit - added - 1));
      const draft = proposed.slice(0, along.length);
      const look = {
        candidates: candidatesWanted(request.sampling) + (penalties?.more ?? 0),
        signal: request.signal,
      };
      const seen =
        draft.length === 0
          ? [await sequence.look({ ...look, filter: step.filter })]
          : await sequence.lookAlong(draft, { ...look, filters: [step.filter, ...along] });
      let accepted = 0;
      for (const [index, candidates] of seen.entries()) {
        const chosen = sampleToken(penalties?.apply(candidates) ?? candidates, request.sampling, {
          seed: request.seed,
          position: sequence.length,
        });
        if (chosen === undefined || this.#runtime.endTokens.has(chosen.token)) {
          this.#drafts.add(draft.length, accepted);
          yield { type: "end", reason: endReason(request, chosen) };
          return;
        }
        const isDrafted = chosen.token === draft[index];
        take(chosen.token);
        added += 1;
        const piece = text.take([this.#vocabulary.spellingOf(chosen.token)]);
        written += piece;
        yield {
          type: "piece",
          text: piece,
          source: isDrafted ? "drafted" : "sampled",
          tokens: 1,
          ...(request.alternatives
            ? { alternatives: this.#alternatives(candidates, request.alternatives) }
            : {}),
        };
        if (!isDrafted) break;
        accepted += 1;
      }
      this.#drafts.add(draft.length, accepted);
    }
  }

  /** What drafts are copied from; undefined where there are to be none. */
  #draftSource({ prompt, span }: GenerateRequest): DraftSource | undefined {
    if (!this.#speed.drafts || this.#runtime.rollback !== "any") return undefined;
    return {
      conversation: prompt.map((part) => part.text).join(""),
      inValue: span.type === "constrained",
      tokenize: (text) => this.#runtime.tokenize(text, false),
    };
  }

  /** Evaluates what is missing; a beginning that other requests share is read from its file, or written into one. */
  #prefill(request: GenerateRequest, { sequence }: Slot): AsyncGenerator<ModelEvent> {
    const prompt = this.#tokensOf(request.prompt);
    const { signal } = request;
    const options = { promptLength: prompt.length, isShared: () => this.#pool.isShared, signal };
    const store = this.#prefixes;
    if (store === undefined || prompt.length - sequence.agreed < leastStored)
      return sequence.prefill(options);
    const stable = this.#stablePrefix(request, prompt);
    if (stable.length - sequence.agreed < leastStored) return sequence.prefill(options);
    return prefillFromStore({ sequence, store, stable, options });
  }

  /** The tokens of the prompt that other requests share, as far as whole tokens do. */
  #stablePrefix({ prompt, stablePrefix }: GenerateRequest, tokens: readonly number[]): readonly number[] {
    const known = this.#stable.get(prompt);
    if (known !== undefined) return known;
    const text = prompt.map((part) => part.text).join("");
    const shared = Buffer.from(text.slice(0, stablePrefix?.() ?? 0), "utf8");
    const begin = this.#runtime.beginToken !== undefined && tokens[0] === this.#runtime.beginToken ? 1 : 0;
    const spelled = matchTokens(this.#runtime, tokens.slice(begin), shared).tokens;
    const stable = tokens.slice(0, spelled === 0 ? 0 : begin + spelled);
    this.#stable.set(prompt, stable);
    return stable;
  }

  async score(request: ScoreRequest): Promise<readonly number[]> {
    const { slot, release } = await this.#acquire(request);
    try {
      const prompt = this.#tokensOf(request.prompt);
      const place = placePrefix(this.#runtime, slot.known, { prompt, prefix: request.prefix });
      const turn = [...place.turn, ...partTokens(this.#runtime, place.remainderParts)];
      slot.known = { prompt, turn };
      const { sequence } = slot;
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
