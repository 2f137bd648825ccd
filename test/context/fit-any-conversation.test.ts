// What holds for the fitting of every conversation, whatever its turns and sizes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitContext } from "../../src/context/fit-context.ts";
import type { Call, Message } from "../../src/vocabulary/index.ts";

const room = 1_000;
const count = async (text: string) => Math.ceil(text.length / 4);
const measure = async (messages: readonly Message[]) => {
  let tokens = 0;
  for (const message of messages) {
    const calls = message.role === "assistant" ? JSON.stringify(message.calls ?? []) : "";
    tokens += 5 + (await count(message.content + calls));
  }
  return tokens;
};

/** Turns of a conversation by their sizes in tokens: a question, the results of each round of calls, an answer. */
const turns = fc.array(
  fc.record({
    question: fc.integer({ min: 1, max: 150 }),
    rounds: fc.array(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 3 }), {
      maxLength: 4,
    }),
    answer: fc.integer({ min: 1, max: 150 }),
    rule: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

type Turn = typeof turns extends fc.Arbitrary<(infer T)[]> ? T : never;

function write(list: readonly Turn[]): readonly Message[] {
  const messages: Message[] = [{ role: "system", content: "You help." }];
  const text = (tokens: number) => `${messages.length} `.repeat(tokens * 4).slice(0, tokens * 4);
  for (const { question, rounds, answer, rule } of list) {
    messages.push({ role: "user", content: text(question) });
    if (rule) messages.push({ role: "system", content: `Rule ${messages.length}.` });
    for (const sizes of rounds) {
      const calls = sizes.map(
        (_, at): Call => ({ id: `c${messages.length}-${at}`, name: "read", input: {} }),
      );
      messages.push({ role: "assistant", content: "", calls });
      for (const [at, size] of sizes.entries()) {
        const callId = calls[at]?.id ?? "";
        messages.push({ role: "tool", callId, name: "read", content: text(size) });
      }
    }
    messages.push({ role: "assistant", content: text(answer) });
  }
  return messages;
}

test("it fits, what must stay stays, every call keeps its result, and what was saved is told as measured", async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (list) => {
      const messages = write(list);
      for (let end = 2; end <= messages.length; end++) {
        if (messages[end]?.role !== "assistant") continue;
        const asked = messages.slice(0, end);
        const fitted = await fitContext({
          messages: asked,
          room,
          history: "drop",
          preview: 30,
          resultLimit: 400,
          count,
          measure,
        });
        expect(await measure(fitted.messages)).toBeLessThanOrEqual(room);
        const saved = fitted.cuts.reduce((sum, cut) => sum + cut.tokens, 0);
        expect(saved).toBe((await measure(asked)) - (await measure(fitted.messages)));
        const untouchable = asked.filter(({ role }) => role === "system");
        const newest = asked.findLast(({ role }) => role === "user");
        expect(fitted.messages).toEqual(expect.arrayContaining([...untouchable, newest]));
        const calls = fitted.messages.flatMap((message) =>
          message.role === "assistant" ? (message.calls ?? []) : [],
        );
        const results = fitted.messages.flatMap((message) =>
          message.role === "tool" ? [message.callId] : [],
        );
        expect(results).toEqual(calls.map(({ id }) => id));
      }
    }),
    { numRuns: 60, seed: 7 },
  );
});
