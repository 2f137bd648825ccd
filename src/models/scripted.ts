// A model without weights: its replies are given as texts, one per turn, for tests of everything above a model.
// It obeys prefixes and spans; what the texts mean it does not know.
import type { PromptPart, TemplateInput } from "../formats/format.ts";
import { createMatcher } from "../gbnf-builder/index.ts";
import { CallwrightError, throwIfAborted } from "../vocabulary/index.ts";
import type {
  Alternative,
  GenerateRequest,
  Model,
  ModelEvent,
  ModelInfo,
  ScoreRequest,
  Span,
} from "./model.ts";

/** One turn's text, or its successive attempts where the turn is decoded again from some place. */
export type ScriptedReply = string | { readonly attempts: readonly string[]; readonly cutByLength?: boolean };

export interface ScriptedModelOptions {
  readonly replies: readonly ScriptedReply[];
  /** Characters of one piece, which counts as one token. Default 4. */
  readonly pieceLength?: number;
  readonly info?: Partial<ModelInfo>;
  /** Replaces the plain rendering of `renderTemplate`. */
  readonly renderTemplate?: (input: TemplateInput) => string;
  /** Natural logarithm of a continuation's probability; by default what the script says next is near 0, all else -20. */
  readonly score?: (continuation: string) => number;
}

export interface ScriptedModel extends Model {
  /** What was asked so far, oldest first. */
  readonly requests: readonly GenerateRequest[];
}

/**
 * Makes a model that answers the n-th new prompt with the n-th reply.
 * A reply goes on where the prefix ends; asked again for the same place, with texts forbidden,
 * or for a prefix that only the next attempt has, it turns to the next attempt.
 * A constrained span ends where its grammar allows nothing more; text that leaves the grammar is given all the same.
 */
export function createScriptedModel(options: ScriptedModelOptions): ScriptedModel {
  const pieceLength = options.pieceLength ?? 4;
  const info: ModelInfo = { ...defaultInfo, ...options.info };
  const script = createScript(options.replies);
  const requests: GenerateRequest[] = [];
  const countText = (text: string) => Math.ceil(text.length / pieceLength);
  return {
    info,
    requests,
    generate: async function* (request) {
      requests.push(request);
      yield* prefill(request, info, countText);
      const next = script.next(request);
      yield* speak(request, next, { pieceLength, info });
    },
    score: async (request: ScoreRequest) => {
      const coming = script.peek(textOf(request.prompt), textOf(request.prefix));
      const score = options.score ?? ((text: string) => (coming.startsWith(text) ? -0.01 : -20));
      return request.continuations.map((parts) => score(textOf([parts])));
    },
    renderTemplate: options.renderTemplate ?? renderPlainly,
    countTokens: async (parts) => countText(textOf(parts)),
    close: async () => {},
  };
}

const defaultInfo: ModelInfo = {
  id: "scripted",
  architecture: "scripted",
  contextSize: 8192,
  vocabularySize: 0,
  rollback: "any",
  continuesPrefix: true,
  enforcesGrammar: true,
  givesProbabilities: false,
  specialTokens: [],
  controlTokens: [],
};

interface Coming {
  readonly text: string;
  readonly isCut: boolean;
}

/** Where the script stands: which reply, which attempt, and which places were asked for already. */
function createScript(replies: readonly ScriptedReply[]) {
  let prompt: string | undefined;
  let at = -1;
  let attempt = 0;
  let asked = new Set<string>();

  const textAt = (reply: number, number: number): string | undefined => {
    const found = replies[reply];
    return typeof found === "string" ? (number === 0 ? found : undefined) : found?.attempts[number];
  };
  const after = (text: string, prefix: string) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
  const startReply = (newPrompt: string) => {
    prompt = newPrompt;
    at += 1;
    attempt = 0;
    asked = new Set();
  };

  /** Whether the turn was decided to go on as the next attempt does, not as the present one. */
  const leavesScript = (prefix: string) =>
    textAt(at, attempt)?.startsWith(prefix) === false && textAt(at, attempt + 1)?.startsWith(prefix) === true;

  return {
    next(request: GenerateRequest): Coming {
      const newPrompt = textOf(request.prompt);
      const prefix = textOf(request.prefix);
      const isForbidden = request.span.forbidden !== undefined;
      if (newPrompt !== prompt || (prefix === "" && asked.has(""))) startReply(newPrompt);
      else if (isForbidden || asked.has(prefix) || leavesScript(prefix)) attempt += 1;
      asked.add(prefix);
      const text = textAt(at, attempt);
      if (text === undefined) {
        throw new CallwrightError(
          "request-invalid",
          `The scripted model has no text for reply ${at + 1}, attempt ${attempt + 1}.`,
        );
      }
      const reply = replies[at];
      const isCut = typeof reply === "object" && reply.cutByLength === true;
      return { text: after(text, prefix) ?? text, isCut };
    },
    peek(newPrompt: string, prefix: string): string {
      const isNew = newPrompt !== prompt || (prefix === "" && asked.has(""));
      const text = (isNew ? textAt(at + 1, 0) : textAt(at, attempt)) ?? "";
      return after(text, prefix) ?? text;
    },
  };
}

function* prefill(
  request: GenerateRequest,
  info: ModelInfo,
  countText: (text: string) => number,
): Generator<ModelEvent> {
  const ofPrompt = countText(textOf(request.prompt));
  const evaluated = ofPrompt + countText(textOf(request.prefix));
  if (evaluated >= info.contextSize) {
    throw new CallwrightError(
      "context-overflow",
      `The prompt takes ${evaluated} tokens of a window of ${info.contextSize}: shorten it.`,
      { details: { prompt: evaluated, window: info.contextSize } },
    );
  }
  yield { type: "prefill-progress", done: evaluated, total: evaluated };
  yield { type: "prefill-end", reused: 0, loaded: 0, evaluated, ofPrompt, milliseconds: 0 };
}

async function* speak(
  request: GenerateRequest,
  coming: Coming,
  { pieceLength, info }: { readonly pieceLength: number; readonly info: ModelInfo },
): AsyncGenerator<ModelEvent> {
  const end = spanEnd(request, coming.text);
  const pieces = splitPieces(coming.text.slice(0, end.length), pieceLength);
  for (const [index, text] of pieces.entries()) {
    await Promise.resolve();
    throwIfAborted(request.signal);
    if (index >= request.maxTokens) {
      yield { type: "end", reason: "length" };
      return;
    }
    const isTold = info.givesProbabilities && request.alternatives !== undefined;
    const told = isTold ? { alternatives: alternativesTo(text).slice(0, request.alternatives) } : {};
    yield { type: "piece", text, source: "sampled", tokens: 1, ...told };
  }
  if (end.isAccepted) yield { type: "end", reason: "accepted" };
  else yield { type: "end", reason: coming.isCut ? "length" : "end-of-generation" };
}

/** What the script says is likely, and one other text is not impossible. */
function alternativesTo(text: string): readonly Alternative[] {
  return [
    { text, probability: 0.75 },
    { text: "?", probability: 0.25 },
  ];
}

/** How much of the text belongs to the span: up to where its grammar allows nothing more. */
function spanEnd(request: GenerateRequest, text: string): { length: number; isAccepted: boolean } {
  const whole = { length: text.length, isAccepted: false };
  if (request.span.type === "free") return whole;
  const walk = walkGrammar(request.span, textOf(request.prefix), request.consumed ?? 0);
  if (walk === undefined) return whole;
  let length = 0;
  for (const character of text) {
    if (walk.isOver()) return { length, isAccepted: true };
    if (!walk.advance(character)) return whole;
    length += character.length;
  }
  return { length, isAccepted: walk.isOver() };
}

function walkGrammar(span: Span & { type: "constrained" }, prefix: string, consumed: number) {
  const matcher = createMatcher(span.grammar);
  const bytes = new TextEncoder();
  const read = consumed === 0 ? "" : prefix.slice(-consumed);
  let state = matcher.advance(matcher.start, bytes.encode(read));
  if (state < 0) return undefined;
  return {
    isOver: () => matcher.isAccepting(state) && !matcher.canContinue(state),
    advance: (character: string) => {
      state = matcher.advance(state, bytes.encode(character));
      return state >= 0;
    },
  };
}

/** Pieces of whole characters, `length` of them each. */
function splitPieces(text: string, length: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += length) {
    pieces.push(characters.slice(at, at + length).join(""));
  }
  return pieces;
}

/** Messages one after another, each between marks that name its role. */
function renderPlainly(input: TemplateInput): string {
  const tools = input.tools === undefined ? "" : `<tools>${JSON.stringify(input.tools)}</tools>\n`;
  const messages = input.messages.map((message) => {
    const { role, content, ...rest } = message;
    const more = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
    return `<${role}>${content ?? ""}${more}</${role}>\n`;
  });
  return `${tools}${messages.join("")}${input.addGenerationPrompt ? "<assistant>" : ""}`;
}

function textOf(parts: readonly PromptPart[]): string {
  return parts.map((part) => part.text).join("");
}
