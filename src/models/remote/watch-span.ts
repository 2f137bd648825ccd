// Reads what a server writes against the rules of its span: text that leaves the grammar is not passed on, and a refused
// value is noticed before any of it is. So nothing rests on a server's word that it enforces a grammar.
import { createMatcher, DEAD, type Grammar, type Matcher } from "../../gbnf-builder/index.ts";
import type { GenerateRequest, SpanEnd } from "../model.ts";

export interface WatchedText {
  /** What may be passed on. */
  readonly text: string;
  /** Why nothing of what follows may be; `forbidden`: the text begins with one that must not stand here. */
  readonly over?: SpanEnd | "forbidden";
}

export interface SpanWatch {
  take(text: string): WatchedText;
  /** The server has ended by itself, or by its limit. */
  finish(reason: SpanEnd): WatchedText;
}

/** `written`: what of the span has been passed on already, after which the text goes on. */
export function watchSpan(request: GenerateRequest, written: string): SpanWatch {
  const grammar = createGrammarWatch(request, written);
  const hold = createForbiddenHold(request.span.forbidden?.texts ?? [], written);
  return {
    take(text) {
      const { allowed, over } = grammar.take(text);
      const held = hold.take(allowed);
      if (held.over !== undefined || over === undefined) return held;
      const last = hold.finish();
      return { text: held.text + last.text, over: last.over ?? over };
    },
    finish(reason) {
      const last = hold.finish();
      return { text: last.text, over: last.over ?? grammar.endsAs(reason) };
    },
  };
}

const matchers = new WeakMap<Grammar, Matcher>();

function createGrammarWatch({ span, prefix, consumed = 0 }: GenerateRequest, written: string) {
  if (span.type === "free") {
    return {
      take: (text: string) => ({ allowed: text, over: undefined }),
      endsAs: (reason: SpanEnd): SpanEnd => reason,
    };
  }
  const matcher = matchers.get(span.grammar) ?? createMatcher(span.grammar);
  matchers.set(span.grammar, matcher);
  const bytes = new TextEncoder();
  const read = prefix.map((part) => part.text).join("");
  let state = matcher.advance(matcher.start, bytes.encode(read.slice(read.length - consumed) + written));
  return {
    take(text: string): { allowed: string; over: SpanEnd | undefined } {
      let allowed = "";
      for (const character of text) {
        const next = matcher.advance(state, bytes.encode(character));
        if (next === DEAD) return { allowed, over: matcher.isAccepting(state) ? "accepted" : "impossible" };
        state = next;
        allowed += character;
        if (matcher.isAccepting(state) && !matcher.canContinue(state)) return { allowed, over: "accepted" };
      }
      return { allowed, over: undefined };
    },
    /** A server that stops in the midst of a call has not followed the grammar. */
    endsAs(reason: SpanEnd): SpanEnd {
      if (reason !== "end-of-generation") return reason;
      return matcher.isAccepting(state) ? "accepted" : "impossible";
    },
  };
}

/** Keeps the text back while it may still become a forbidden one. */
function createForbiddenHold(texts: readonly string[], written: string) {
  let value = written;
  let held = "";

  function judge(isOver: boolean): WatchedText {
    const isRefused = texts.some((text) => isWhole(text, value, isOver));
    if (isRefused) return { text: "", over: "forbidden" };
    if (!isOver && texts.some((text) => text.startsWith(value))) return { text: "" };
    const text = held;
    held = "";
    return { text };
  }

  return {
    take(text: string): WatchedText {
      value += text;
      held += text;
      return judge(false);
    },
    finish: () => judge(true),
  };
}

/** Whether a value begins with this text and it is over there: only a number may go on and be another one. */
function isWhole(text: string, value: string, isOver: boolean): boolean {
  if (!value.startsWith(text)) return false;
  const next = value[text.length];
  if (!/[\d.eE]$/.test(text)) return true;
  return next === undefined ? isOver : !/[\d.eE]/.test(next);
}
