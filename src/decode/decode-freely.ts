// A turn whose grammar is off, by choice or since its model knows none: the reply is free text, read as a whole, repaired where that loses nothing (rung 2), and on
// a fault written again from the faulty value on (rung 3), where the model continues a text. As a lever it shows what the
// grammar is worth.
import {
  createTurnParser,
  type PromptPart,
  type ReasoningMarks,
  reasoningAtEnd,
  type TurnParserEvent,
} from "../formats/index.ts";
import { acceptsText } from "../gbnf-builder/index.ts";
import type { SpanEnd } from "../models/model.ts";
import { type CallFault, type InvalidAttempt, isJsonObject, type TurnEvent } from "../vocabulary/index.ts";
import { callKey, repeatedCallNotice } from "./call-key.ts";
import { generateFreeText } from "./free-text.ts";
import { createLiveProse, type LiveProse } from "./live-prose.ts";
import { type ReadReply, readReply } from "./read-reply.ts";
import {
  type Attempt,
  type AttemptOutcome,
  callSampling,
  mayGoBack,
  newCallId,
  type Turn,
  tokensLeft,
} from "./turn.ts";

export async function* decodeFreely(turn: Turn, attempt: Attempt): AsyncGenerator<TurnEvent, AttemptOutcome> {
  const opener = turn.formats[0].openers[0];
  const prefix: readonly PromptPart[] =
    attempt.mustCall && opener && turn.model.info.continuesPrefix
      ? [{ text: opener.text, special: opener.special }]
      : [];
  const head = prefix.map((part) => part.text).join("");
  const { marks } = turn.reasoning;
  const reasoning = marks === undefined ? {} : readReasoning(attempt, marks);
  const forbidden = new Map<number, string[]>();
  // A lever's turn is told as a whole; a model that knows no grammar is not made to keep its readers waiting. What comes of
  // asking again has said its prose before.
  const { enforcesGrammar } = turn.model.info;
  const prose = createLiveProse(!enforcesGrammar && !attempt.mustCall && turn.answer === undefined);
  // Without a grammar a reply is sampled as one, and nobody knows beforehand whether it is a call.
  const isText = !enforcesGrammar && !attempt.mustCall && turn.account.attempts === 1;
  const formats = attempt.callable.length > 0 ? turn.formats : [];
  let text = "";
  let forbiddenHere: readonly string[] = [];
  for (;;) {
    let ended: SpanEnd = "end-of-generation";
    const watcher = createTurnParser({ formats, ...reasoning, lenient: true });
    const isLast = createLastCallTest(turn.parallel);
    for (const event of watcher.push(head + text)) isLast(event);
    const events = generateFreeText(turn, attempt, {
      prefix: [...prefix, { text, special: false }],
      sampling: isText ? turn.profile.sampling.text : callSampling(turn),
      maxTokens: tokensLeft(turn),
      forbidden: forbiddenHere,
    });
    for await (const event of events) {
      yield* turn.account.count(event);
      if (event.type === "end") ended = event.reason;
      if (event.type !== "piece") continue;
      text += event.text;
      const read = watcher.push(event.text);
      for (const one of read) yield* prose.take(one);
      if (read.some(isLast)) break;
    }
    const reply = readReply({
      text: head + text,
      tools: attempt.callable,
      formats,
      ...reasoning,
      finish: ended === "length" || ended === "content-filter" ? "length" : "stop",
      parallel: turn.parallel,
      ...(turn.levers.repair ? {} : { repairs: { off: "all" as const } }),
    });
    const refused = reply.refused[0];
    if (!refused || ended === "length" || ended === "content-filter")
      return yield* deliver(turn, attempt, { reply, ended, prose });
    yield* prose.breakOff();
    const last: InvalidAttempt = {
      text: refused.text,
      faults: refused.faults,
      ...(refused.name === undefined ? {} : { name: refused.name }),
      ...(refused.input === undefined ? {} : { input: refused.input }),
    };
    turn.refused.push(last);
    yield { type: "call-refused", callId: newCallId(), faults: refused.faults };
    const fault = refused.faults[0];
    const part = fault?.keyword === "additionalProperties" ? "key" : "value";
    const place = fault && refused.locate?.(fault.pointer, part);
    // A free first attempt is not mended freely: what comes after it is under the grammar.
    const isDraft = turn.levers.grammar === "late";
    if (!place || place[0] < head.length || isDraft || !mayGoBack(turn))
      return { type: "refused", attempt: last };
    const offset = place[0] - head.length;
    const texts = forbidden.get(offset) ?? [];
    texts.push(text.slice(offset, place[1] - head.length));
    forbidden.set(offset, texts);
    forbiddenHere = texts;
    turn.account.startRetry(3, fault.pointer);
    text = text.slice(0, offset);
  }
}

/** Left out where it is not open in the prompt: an end without a start shows in the reply. */
function readReasoning(attempt: Attempt, marks: ReasoningMarks) {
  const isOpen = reasoningAtEnd(attempt.prompt, marks) === "open";
  return { reasoning: marks, ...(isOpen ? { insideReasoning: true } : {}) };
}

/**
 * Tells of each event whether what a model writes after it is not waited for: where one call is all that is wanted, any
 * call's end; else the end of one that was written before, with which it may go on for ever.
 */
function createLastCallTest(parallel: boolean): (event: TurnParserEvent) => boolean {
  const seen = new Set<string>();
  return (event) => {
    if (event.type !== "call-end") return event.type === "call-broken" && !parallel;
    const { name, input } = event;
    const key = isJsonObject(input) ? callKey({ name, input }) : event.inputText;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated || !parallel;
  };
}

function answerFaults({ answer }: Turn, text: string): readonly CallFault[] {
  if (answer === undefined) return [];
  if (answer.isJson || acceptsText(answer.grammar, text)) return answer.faults(text);
  return [
    { pointer: "", keyword: "grammar", expected: "a text of the answer's form", came: text.slice(0, 200) },
  ];
}

interface WholeReply {
  readonly reply: ReadReply;
  readonly ended: SpanEnd;
  readonly prose: LiveProse;
}

async function* deliver(
  turn: Turn,
  attempt: Attempt,
  { reply, ended, prose }: WholeReply,
): AsyncGenerator<TurnEvent, AttemptOutcome> {
  const isAnswer = ended !== "length" && ended !== "content-filter" && reply.calls.length === 0;
  const faults = isAnswer && !attempt.mustCall ? answerFaults(turn, reply.content ?? "") : [];
  if (faults.length > 0) {
    const refused = { text: reply.content ?? "", faults };
    turn.refused.push(refused);
    return { type: "refused", attempt: refused };
  }
  yield* prose.finish(reply);
  for (const repair of reply.repairs) yield { type: "call-repaired", ...repair };
  for (const call of reply.calls) {
    yield { type: "call-start", callId: call.id, name: call.name };
    yield { type: "call-delta", callId: call.id, text: JSON.stringify(call.input) };
    yield { type: "call-end", callId: call.id, name: call.name, input: call.input };
  }
  for (const call of reply.repeated) yield repeatedCallNotice(call.name);
  if (ended === "length" || ended === "content-filter") return { type: "finished", finish: ended };
  if (reply.calls.length > 0) return { type: "finished", finish: "calls" };
  if (!attempt.mustCall) return { type: "finished", finish: "stop" };
  return {
    type: "refused",
    attempt: {
      text: reply.content ?? "",
      faults: [{ pointer: "", keyword: "call", expected: "a tool call", came: "text without one" }],
    },
  };
}
