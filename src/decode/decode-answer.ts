// An answer that has to have a form, of a turn in which a call may come instead: one grammar allows the form, the beginnings of
// the calls, and reasoning that the model opens by itself (U-015, U-129). What came of it decides how the turn goes on.
import { composeGrammar } from "../formats/compose-grammar.ts";
import { bareMarks, type PromptPart } from "../formats/index.ts";
import type { Expression, Grammar } from "../gbnf-builder/index.ts";
import type { SpanEnd } from "../models/model.ts";
import type { CallFault, InvalidAttempt, TurnEvent } from "../vocabulary/index.ts";
import type { AnswerRule } from "./answer-form.ts";
import { type CallBeginning, callBeginnings } from "./decide-opening.ts";
import type { ProseOutcome } from "./decode-prose.ts";
import { alternativesWanted, createTokenChances } from "./text-tokens.ts";
import { type Attempt, attemptSeed, type Turn, tokensLeft } from "./turn.ts";
import { openedCalls, reasoningEvents, type Writing } from "./writing.ts";

export type AnswerOutcome = ProseOutcome | { readonly type: "refused"; readonly attempt: InvalidAttempt };

/** Line breaks that models put between reasoning and answer. */
const mostBreaks = 2;

export async function* decodeAnswer(
  turn: Turn,
  attempt: Attempt,
  { written, parser, rule, forbidOpeners }: Writing & { rule: AnswerRule; forbidOpeners: boolean },
): AsyncGenerator<TurnEvent, AnswerOutcome> {
  const beginnings = forbidOpeners || attempt.callable.length === 0 ? [] : beginningsOf(turn, attempt);
  const reasoning = mayReason(turn) ? (turn.reasoning.marks?.start.trim() ?? "") : "";
  const others = [...beginnings.map(({ text }) => text), ...(reasoning === "" ? [] : [reasoning])];
  const { givesProbabilities, enforcesGrammar } = turn.model.info;
  const isShown = rule.isExact && enforcesGrammar;
  const chances = createTokenChances(givesProbabilities ? turn.logprobs : undefined);
  const alternatives = alternativesWanted(turn.logprobs);
  let text = "";
  let said = 0;
  let ended: SpanEnd = "end-of-generation";
  yield* reasoningEvents(parser.finish());
  cutBehindReasoning(turn, written);
  const say = function* (upTo: number): Generator<TurnEvent> {
    if (upTo <= said) return;
    if (said === 0) yield { type: "text-start" };
    yield* chances.before([{ type: "text-delta", text: text.slice(said, upTo) }]);
    said = upTo;
  };
  const events = turn.model.generate({
    prompt: attempt.prompt,
    ...(attempt.stablePrefix ? { stablePrefix: attempt.stablePrefix } : {}),
    prefix: [...written],
    consumed: 0,
    span: { type: "constrained", grammar: union(turn, rule, others) },
    sampling: turn.profile.sampling.text,
    seed: attemptSeed(turn),
    maxTokens: tokensLeft(turn),
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(turn.signal ? { signal: turn.signal } : {}),
  });
  for await (const event of events) {
    yield* turn.account.count(event);
    if (event.type === "end") ended = event.reason;
    if (event.type !== "piece") continue;
    text += event.text;
    if (rule.isJson && said === 0) text = text.trimStart();
    if (text !== "") chances.take(event);
    const opened = beginnings.find((beginning) => text.startsWith(beginning.text));
    if (opened !== undefined) return { type: "opened", opened: openedAt(turn, opened, written) };
    if (reasoning !== "" && text.startsWith(reasoning)) {
      yield* reasoningEvents(parser.push(text));
      written.push({ text, special: true });
      return { type: "reasoning" };
    }
    const isUndecided = others.some((other) => other.startsWith(text));
    if (isShown && !isUndecided) yield* say(text.length);
  }
  if (ended === "length") {
    if (isShown) yield* say(text.length);
    if (said > 0) yield { type: "text-end" };
    return { type: "ended", finish: "length" };
  }
  const faults = ended === "impossible" ? [impossible(text)] : rule.faults(text);
  if (faults.length > 0) {
    if (said > 0) yield { type: "text-end" };
    const refused = { text, faults };
    turn.refused.push(refused);
    return { type: "refused", attempt: refused };
  }
  yield* say(text.length);
  if (said > 0) yield { type: "text-end" };
  return { type: "ended", finish: "stop" };
}

/** Reasoning that is over, or switched off, does not begin again. */
function mayReason({ reasoning, account }: Turn): boolean {
  return reasoning.marks !== undefined && reasoning.mode !== "off" && account.reasoningTokens === 0;
}

/** Marks that only calls have are told by themselves; where an answer may begin like a call, the tool's name tells. */
function beginningsOf(turn: Turn, attempt: Attempt): readonly CallBeginning[] {
  const certain = turn.formats
    .flatMap(({ openers }) => openers)
    .filter(({ strength }) => strength === "certain")
    .map((opener) => ({ opener, text: opener.text }));
  const likely = callBeginnings(turn, attempt).filter(({ opener }) => opener.strength === "likely");
  return [...certain, ...likely];
}

/** A piece in which the reasoning ended may hold the answer's beginning, which is to be written under its grammar. */
function cutBehindReasoning({ reasoning }: Turn, written: PromptPart[]): void {
  const end = reasoning.marks === undefined ? "" : bareMarks(reasoning.marks).end;
  const last = written.at(-1);
  if (end === "" || last === undefined) return;
  const at = last.text.lastIndexOf(end);
  const tail = at === -1 ? "" : last.text.slice(at + end.length);
  if (tail.trim() === "") return;
  written[written.length - 1] = { ...last, text: last.text.slice(0, at + end.length) };
}

function openedAt(turn: Turn, { opener, text }: CallBeginning, written: readonly PromptPart[]) {
  const format = turn.formats.find(({ openers }) => openers.includes(opener)) ?? turn.formats[0];
  const prefix = [...written, { text: text.slice(0, opener.text.length), special: opener.special }];
  return openedCalls(turn, { format, opener, offset: opener.text.length }, prefix);
}

function impossible(text: string): CallFault {
  return {
    pointer: "",
    keyword: "grammar",
    expected: "a text of the answer's form",
    came: text.slice(0, 200),
  };
}

const unions = new WeakMap<Grammar, Map<string, Grammar>>();

/** The answer, after a few line breaks, or one of the other beginnings. Kept, so that its masks are built once. */
function union(turn: Turn, rule: AnswerRule, others: readonly string[]): Grammar {
  const known = unions.get(rule.grammar) ?? new Map<string, Grammar>();
  unions.set(rule.grammar, known);
  const key = JSON.stringify(others);
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = makeUnion(rule, others, turn.model.info.controlTokens);
  known.set(key, made);
  return made;
}

function makeUnion(
  { grammar: answer, isJson }: AnswerRule,
  others: readonly string[],
  specialTokens: readonly string[],
): Grammar {
  // No rule of a grammar that a request brings can have this name.
  const root = "answer or call";
  const breaks: Expression = {
    type: "repeat",
    item: { type: "literal", text: "\n" },
    min: 0,
    max: isJson ? mostBreaks : 0,
  };
  const options: Expression[] = [
    { type: "rule", name: answer.root },
    ...others.map((text): Expression => ({ type: "literal", text })),
  ];
  const pieces: Grammar = {
    root,
    rules: new Map([
      [
        root,
        {
          type: "sequence",
          items: [breaks, options.length === 1 ? options[0]! : { type: "choice", options }],
        },
      ],
    ]),
  };
  return composeGrammar({ pieces, root, rules: answer.rules, specialTokens });
}
