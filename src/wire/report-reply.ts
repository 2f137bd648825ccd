// What the field `callwright` of a reply says: what was enforced and what was not, what was cut and left out, what it cost.
// The same in every API.
import { emptyUsage, type JsonObject, type Usage } from "../vocabulary/index.ts";
import { callsOf, type Reply } from "./collect-reply.ts";
import type { Notice, WireRequest } from "./wire-api.ts";

export function reportReply(
  replies: readonly Reply[],
  { notices, waitMilliseconds: wait }: Pick<WireRequest, "notices" | "waitMilliseconds">,
): JsonObject {
  const [first] = replies;
  const start = first?.start;
  const said = [...notices, ...replies.flatMap((reply) => reply.notices)];
  const residuals = said.filter(({ code }) => code === "schema-residual");
  const { tokens, attempts, milliseconds } = sumUsage(replies);
  const confidence = replies.flatMap(callsOf).flatMap((call) => {
    return call.confidence === undefined ? [] : [[call.id, call.confidence] as const];
  });
  return {
    ...(start === undefined ? {} : { profile: start.profile, format: start.format }),
    enforced: { tools: start?.tools ?? [], residuals: residuals.map(({ text }) => text) },
    budget: { ...start?.budget },
    cuts: (start?.cuts ?? []).map((cut) => ({ ...cut })),
    notices: withoutRepeats(said.filter((notice) => !residuals.includes(notice))),
    repairs: replies.flatMap(({ repairs }) => repairs.map((repair) => ({ ...repair }))),
    retries: replies.flatMap(({ retries }) => retries.map((retry) => ({ ...retry }))),
    attempts,
    tokens: { ...tokens },
    milliseconds: { ...milliseconds, ...(wait === undefined ? {} : { wait }) },
    ...(confidence.length === 0 ? {} : { confidence: Object.fromEntries(confidence) }),
    ...invalidOf(replies),
  };
}

/** The whole request's usage: its prompt counts once, since the later choices found it evaluated. */
export function sumUsage(replies: readonly Reply[]): Usage {
  const [first = emptyUsage, ...rest] = replies.map(({ usage }) => usage);
  return rest.reduce(
    (sum, usage) => ({
      tokens: {
        ...sum.tokens,
        forced: sum.tokens.forced + usage.tokens.forced,
        drafted: sum.tokens.drafted + usage.tokens.drafted,
        sampled: sum.tokens.sampled + usage.tokens.sampled,
        reasoning: sum.tokens.reasoning + usage.tokens.reasoning,
      },
      attempts: sum.attempts + usage.attempts,
      milliseconds: {
        template: sum.milliseconds.template + usage.milliseconds.template,
        prefill: sum.milliseconds.prefill + usage.milliseconds.prefill,
        decode: sum.milliseconds.decode + usage.milliseconds.decode,
        total: sum.milliseconds.total + usage.milliseconds.total,
      },
    }),
    first,
  );
}

/** Tokens as every API counts them. */
export function countUsage({ tokens }: Usage) {
  const cached = tokens.reused + tokens.loaded;
  const prompt = cached + tokens.prefilled;
  const completion = tokens.forced + tokens.drafted + tokens.sampled;
  return { prompt, cached, completion, reasoning: tokens.reasoning, total: prompt + completion };
}

function invalidOf(replies: readonly Reply[]): JsonObject {
  const attempts = replies.flatMap(({ invalid = [] }) => invalid);
  if (attempts.length === 0) return {};
  return {
    invalid: attempts.map(({ text, name, faults }) => ({
      text,
      ...(name === undefined ? {} : { name }),
      faults: faults.map((fault) => ({ ...fault })),
    })),
  };
}

function withoutRepeats(notices: readonly Notice[]): JsonObject[] {
  const seen = new Map(notices.map((notice) => [`${notice.code} ${notice.text}`, notice]));
  return [...seen.values()].map(({ code, text }) => ({ code, text }));
}
