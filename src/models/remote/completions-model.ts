// A `Model` over raw completions of a server: the prompt is rendered here, the server continues text. So prefixes, grammars
// and formats work as with weights of one's own; probabilities are not asked for. A connection lost in the midst of an
// answer is taken up again where it broke.
import type { PromptPart, TemplateRenderer } from "../../formats/index.ts";
import { type Grammar, grammarAfter, parseGbnf, printGbnf } from "../../gbnf-builder/index.ts";
import { CallwrightError, isJsonObject, type JsonValue } from "../../vocabulary/index.ts";
import type { GenerateRequest, Model, ModelEvent, ModelInfo, SpanEnd } from "../model.ts";
import { askServer, lostAnswer } from "./ask-server.ts";
import { type CompletionEvent, completionDialect } from "./completion-dialects.ts";
import type { EndpointFacts } from "./endpoint-facts.ts";
import { readStream } from "./read-stream.ts";
import type { Replicas } from "./replicas.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";
import { createTokenEstimate } from "./token-estimate.ts";
import { watchSpan } from "./watch-span.ts";

export interface CompletionsModelOptions {
  readonly info: ModelInfo;
  readonly facts: EndpointFacts;
  readonly replicas: Replicas;
  readonly render: TemplateRenderer;
}

/** How far a span is, over all requests that it takes. */
interface SpanWriting {
  written: string;
  tokens: number;
  /** Connections lost without a character in between. */
  losses: number;
  /** Answers that were refused. */
  draws: number;
  isPrefilled: boolean;
  prompt?: CompletionEvent["prompt"];
}

/** Times that an answer is taken up again where it broke, without a character more in between. */
const mostLosses = 3;
/** Times that a server is asked again where it writes what must not stand there, or nothing. */
const mostDraws = 4;
/** Where a draw was refused, the next is freer. */
const redrawTemperature = 0.8;

export function createCompletionsModel({ info, facts, replicas, render }: CompletionsModelOptions): Model {
  const dialect = completionDialect(facts);
  const { engine, beginText } = facts.identity;
  const { specialTokens } = facts.behaviour;
  const estimate = createTokenEstimate();
  let isClosed = false;

  async function* generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    if (isClosed) throw new CallwrightError("request-invalid", `The model ${info.id} is closed.`);
    const { span, maxTokens } = request;
    const writing: SpanWriting = { written: "", tokens: 0, losses: 0, draws: 0, isPrefilled: false };
    for (;;) {
      const end = yield* writeOn(request, writing);
      if (end === "lost") continue;
      const isEmpty = span.type === "free" && span.nonEmpty === true && writing.written.trim() === "";
      const isRefused =
        end === "forbidden" || (end === "end-of-generation" && isEmpty && writing.draws === 0);
      writing.draws += 1;
      if (isRefused && writing.draws < mostDraws && writing.tokens < maxTokens) continue;
      yield { type: "end", reason: end === "forbidden" ? "impossible" : end };
      return;
    }
  }

  /** Asks a server to go on behind what is written; returns why it came to an end, or that its connection was lost. */
  async function* writeOn(
    request: GenerateRequest,
    writing: SpanWriting,
  ): AsyncGenerator<ModelEvent, SpanEnd | "forbidden" | "lost"> {
    // Servers take a bound of less than one for none.
    if (writing.tokens >= request.maxTokens) return "length";
    const before = writing.written;
    const watch = watchSpan(request, before);
    try {
      for await (const event of askReplicas(request, writing)) {
        yield* prefillEvents(request, writing, event);
        const { text: said = "", end: reason } = event;
        const counted = said === "" ? 0 : (event.tokens ?? 1);
        const taken = watch.take(said);
        const last = taken.over === undefined && reason !== undefined ? watch.finish(reason) : undefined;
        const text = taken.text + (last?.text ?? "");
        writing.tokens += counted;
        writing.written += text;
        if (text !== "" || counted > 0) yield { type: "piece", text, source: "sampled", tokens: counted };
        const over = taken.over ?? last?.over;
        if (over !== undefined) return over;
      }
      return "end-of-generation";
    } catch (error) {
      const isLost = error instanceof CallwrightError && error.code === "endpoint-lost";
      writing.losses = writing.written === before ? writing.losses + 1 : 1;
      if (!isLost || writing.losses > mostLosses) throw error;
      const text = `${error.message.replace(/; ask again\.$/, "")}: it is asked to go on where it broke.`;
      yield { type: "notice", code: "connection-resumed", text };
      return "lost";
    }
  }

  function askReplicas(request: GenerateRequest, writing: SpanWriting): AsyncGenerator<CompletionEvent> {
    const { prompt, prefix, span, sampling, seed, maxTokens, signal } = request;
    const { written, draws, tokens } = writing;
    const parts = [...prompt, ...prefix, { text: written, special: false }];
    const isRedraw = draws > 0 && span.forbidden !== undefined;
    const grammar = grammarText(grammarOf(request, written, draws));
    return replicas.ask({
      prompt: textOf(parts),
      ...(signal === undefined ? {} : { signal }),
      open: (server) =>
        ask(server, parts, {
          span,
          maxTokens: maxTokens - tokens,
          seed: seed + draws * 0x9e37,
          sampling: isRedraw ? { ...sampling, temperature: redrawTemperature } : sampling,
          ...(grammar === undefined ? {} : { grammar }),
          ...(signal === undefined ? {} : { signal }),
        }),
    });
  }

  /** How far the prompt is, and once that it is in: at the first word. */
  function* prefillEvents(
    request: GenerateRequest,
    writing: SpanWriting,
    { progress, prompt, text = "", end }: CompletionEvent,
  ): Generator<ModelEvent> {
    writing.prompt = prompt ?? writing.prompt;
    if (progress !== undefined) yield { type: "prefill-progress", ...progress };
    if (writing.isPrefilled || (text === "" && end === undefined)) return;
    writing.isPrefilled = true;
    if (writing.prompt !== undefined) {
      estimate.learn(textOf([...request.prompt, ...request.prefix]), writing.prompt.tokens);
    }
    yield prefillEnd(writing.prompt, request);
  }

  /** The grammar of what is still to be written. */
  function grammarOf({ span, prefix, consumed = 0 }: GenerateRequest, written: string, draws: number) {
    if (facts.behaviour.grammarField === undefined) return undefined;
    if (span.type === "free") return span.nonEmpty === true && draws > 0 ? someText : undefined;
    const read = textOf(prefix);
    const rest = grammarAfter(span.grammar, read.slice(read.length - consumed) + written);
    if (rest !== undefined) return rest;
    throw new CallwrightError("grammar-invalid", "The turn's text so far has left its grammar.");
  }

  async function* ask(
    server: ServerAddress,
    parts: readonly PromptPart[],
    request: Pick<GenerateRequest, "sampling" | "seed" | "maxTokens" | "span" | "signal"> & {
      readonly grammar?: string;
    },
  ): AsyncGenerator<CompletionEvent> {
    const { span, signal } = request;
    const aborted = signal === undefined ? {} : { signal };
    const body = dialect.body({
      ...request,
      prompt: await wirePrompt(server, parts, signal),
      specials: span.type === "free" ? span.specials : specialTokens,
    });
    let hasEnded = false;
    for await (const event of readStream(server, { url: dialect.address(server), body, ...aborted })) {
      const read = dialect.read(event);
      hasEnded ||= read.end !== undefined;
      yield read;
    }
    if (!hasEnded) throw lostAnswer(server, "it ended without an end");
  }

  /** The prompt as the server takes it, with what others wrote kept from becoming special tokens. */
  async function wirePrompt(
    server: ServerAddress,
    given: readonly PromptPart[],
    signal: AbortSignal | undefined,
  ): Promise<JsonValue> {
    const [first, ...others] = given.filter(({ text }) => text !== "");
    if (first === undefined) return "";
    const begins = facts.behaviour.addsBegin && beginText !== "" && first.text.startsWith(beginText);
    const parts = [begins ? { ...first, text: first.text.slice(beginText.length) } : first, ...others];
    const isTainted = ({ text, special }: PromptPart) =>
      !special && specialTokens.some((spelling) => text.includes(spelling));
    if (!parts.some(isTainted)) return textOf(parts);
    if (engine !== "llama-server") return parts.map((part) => plainly(part, specialTokens)).join("");
    const pieces: JsonValue[] = [];
    for (const part of parts) {
      if (!isTainted(part)) pieces.push(part.text);
      else pieces.push(...(await tokensOf(server, part.text, { signal, special: false })));
    }
    return pieces;
  }

  async function tokensOf(
    server: ServerAddress,
    content: string,
    { signal, special }: { readonly signal?: AbortSignal | undefined; readonly special: boolean },
  ): Promise<readonly JsonValue[]> {
    const answer = await askServer(server, {
      url: ownRoute(server, "/tokenize"),
      body:
        engine === "vllm"
          ? { model: facts.identity.model, prompt: content }
          : { content, parse_special: special },
      ...(signal === undefined ? {} : { signal }),
    });
    if (isJsonObject(answer) && Array.isArray(answer.tokens)) return answer.tokens;
    throw new CallwrightError("endpoint-invalid", `${server.url} does not count tokens at /tokenize.`);
  }

  async function countTokens(parts: readonly PromptPart[]): Promise<number> {
    const text = textOf(parts);
    if (engine !== "llama-server" && engine !== "vllm") return estimate.count(text);
    const counts = replicas.ask({
      prompt: "",
      open: async function* (server) {
        yield (await tokensOf(server, text, { special: true })).length;
      },
    });
    for await (const count of counts) return count;
    return estimate.count(text);
  }

  return {
    info,
    generate,
    score: async () => {
      throw new CallwrightError("model-unsupported", `${info.id} gives no probabilities over the net.`);
    },
    renderTemplate: render,
    countTokens,
    close: async () => {
      isClosed = true;
    },
  };
}

/** At least one character that is not white space. */
const someText = parseGbnf("root ::= [ \\t\\n]* [^ \\t\\n] [^\\x00]*");

const printed = new WeakMap<Grammar, string>();

function grammarText(grammar: Grammar | undefined): string | undefined {
  if (grammar === undefined) return undefined;
  const text = printed.get(grammar) ?? printGbnf(grammar);
  printed.set(grammar, text);
  return text;
}

function prefillEnd(prompt: CompletionEvent["prompt"], request: GenerateRequest): ModelEvent {
  const { tokens = 0, cached = 0, milliseconds = 0 } = prompt ?? {};
  const [promptLength, prefixLength] = [textOf(request.prompt).length, textOf(request.prefix).length];
  const share = promptLength / Math.max(1, promptLength + prefixLength);
  const evaluated = tokens - cached;
  // The server does not tell prompt and prefix apart.
  const ofPrompt = Math.min(evaluated, Math.max(0, Math.round(tokens * share) - cached));
  return { type: "prefill-end", reused: cached, loaded: 0, evaluated, ofPrompt, milliseconds };
}

/** Breaks the spelling of special tokens in a text that is not to hold any, with a character that takes no room. */
function plainly({ text, special }: PromptPart, spellings: readonly string[]): string {
  if (special) return text;
  return spellings.reduce(
    (plain, spelling) => plain.replaceAll(spelling, `${spelling.slice(0, 1)}\u200b${spelling.slice(1)}`),
    text,
  );
}

function textOf(parts: readonly PromptPart[]): string {
  return parts.map((part) => part.text).join("");
}
