// A turn without a conversation: a text is gone on with as it stands. No template, no tools, no reasoning, and nothing is cut.
import type { ModelEvent } from "../models/model.ts";
import { CallwrightError, type FinishReason, isAborted, type TurnEvent } from "../vocabulary/index.ts";
import { type AnswerRule, answerRule } from "./answer-form.ts";
import { toolCompileOptions } from "./check-tools.ts";
import { stopAtTexts } from "./stop-texts.ts";
import { alternativesWanted, createTokenChances } from "./text-tokens.ts";
import { TurnAccount } from "./turn-account.ts";
import { takeTurnPlace } from "./turn-places.ts";
import type { DecodeContext, TurnRequest } from "./turn-request.ts";

export type RawRequest = TurnRequest & { readonly rawPrompt: string };

/** Ends in one `turn-end`. Throws `CallwrightError` `context-overflow` or `request-invalid` before anything is decoded. */
export async function* decodeRaw(context: DecodeContext, request: RawRequest): AsyncGenerator<TurnEvent> {
  const { model, profile } = context;
  if (request.logprobs !== undefined && !model.info.givesProbabilities) {
    throw new CallwrightError(
      "request-invalid",
      `${model.info.id} gives no probabilities: leave logprobs out.`,
    );
  }
  const prompt = [{ text: request.rawPrompt, special: true }];
  const { contextSize } = model.info;
  const size = await model.countTokens(prompt);
  const room = contextSize - 1 - size;
  if (room < 1) {
    throw new CallwrightError(
      "context-overflow",
      `The prompt takes ${size} tokens of a window of ${contextSize}: shorten it.`,
      { details: { prompt: size, window: contextSize } },
    );
  }
  const { answer } = request;
  const rule = answer === undefined ? undefined : answerRule(answer, toolCompileOptions(profile));
  const account = new TurnAccount();
  const maxTokens = Math.min(request.maxTokens ?? profile.context.reserve, room);
  const budget = { system: 0, tools: 0, history: size, reply: room };
  yield { type: "turn-start", profile: profile.name, format: "raw", tools: [], budget, cuts: [] };
  let finish: FinishReason;
  let stopText: string | undefined;
  try {
    const written = write(context, { ...request, maxTokens }, { account, rule });
    const ended = yield* stopAtTexts(written, request.stop ?? []);
    finish = ended.type === "stopped" ? "stop" : ended.outcome;
    if (ended.type === "stopped") stopText = ended.text;
  } catch (error) {
    if (!isAborted(error)) throw error;
    finish = "aborted";
  }
  const usage = account.usage();
  yield { type: "turn-end", finish, usage, ...(stopText === undefined ? {} : { stopText }) };
}

interface RawWriting {
  readonly account: TurnAccount;
  readonly rule: AnswerRule | undefined;
}

async function* write(
  context: DecodeContext,
  request: RawRequest & { readonly maxTokens: number },
  writing: RawWriting,
): AsyncGenerator<TurnEvent, FinishReason> {
  const leave = await takeTurnPlace(context.model, request.signal);
  try {
    return yield* writeInPlace(context, request, writing);
  } finally {
    leave();
  }
}

async function* writeInPlace(
  { model, profile }: DecodeContext,
  request: RawRequest & { readonly maxTokens: number },
  { account, rule }: RawWriting,
): AsyncGenerator<TurnEvent, FinishReason> {
  const { sampling = {}, logprobs } = request;
  const chances = createTokenChances(logprobs);
  const alternatives = alternativesWanted(logprobs);
  const events: AsyncIterable<ModelEvent> = model.generate({
    prompt: [{ text: request.rawPrompt, special: true }],
    prefix: [],
    span: rule ? { type: "constrained", grammar: rule.grammar } : { type: "free", specials: [] },
    sampling: { ...profile.sampling.text, ...sampling },
    seed: request.seed ?? 0,
    maxTokens: request.maxTokens,
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  let finish: FinishReason = "stop";
  let text = "";
  for await (const event of events) {
    yield* account.count(event);
    if (event.type === "end" && event.reason === "length") finish = "length";
    if (event.type !== "piece" || event.text === "") continue;
    if (text === "") yield { type: "text-start" };
    text += event.text;
    chances.take(event);
    yield* chances.before([{ type: "text-delta", text: event.text }]);
  }
  if (text !== "") yield { type: "text-end" };
  const faults = finish === "stop" ? (rule?.faults(text) ?? []) : [];
  if (faults.length === 0) return finish;
  yield { type: "call-invalid", attempts: [{ text, faults }] };
  return "invalid";
}
