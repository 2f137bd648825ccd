// A conversation that brings far more than the window holds goes on, turn by turn.
import { describe, expect, test } from "vitest";
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Message, TurnEvent } from "../../src/vocabulary/index.ts";

const contextSize = 4096;
const reserve = 512;
const tools = [
  {
    name: "read_page",
    description: "Reads a page.",
    inputSchema: { type: "object", properties: { page: { type: "integer" } } },
  },
];

/** What a client sends at its n-th question: all earlier ones with their results of 3,000 tokens, and the next. */
function conversation(questions: number): readonly Message[] {
  const messages: Message[] = [{ role: "system", content: "You read pages." }];
  for (let at = 0; at < questions; at++) {
    const id = `call_${at}`;
    messages.push(
      { role: "user", content: `Question ${at}: what is on page ${at}?` },
      { role: "assistant", content: "", calls: [{ id, name: "read_page", input: { page: at } }] },
      { role: "tool", callId: id, name: "read_page", content: `page ${at} `.repeat(1_800).slice(0, 12_000) },
      { role: "assistant", content: `Page ${at} repeats itself.` },
    );
  }
  return messages;
}

async function ask(messages: readonly Message[]) {
  const model = createScriptedModel({ replies: ["Good."], info: { contextSize } });
  const profile = resolveProfile({ format: "hermes-json", openers: ["hermes-json"] });
  const events: TurnEvent[] = [];
  const request = { messages, tools, maxTokens: reserve };
  for await (const event of decodeTurn({ model, profile }, request)) events.push(event);
  const start = events.find((event) => event.type === "turn-start");
  return {
    prompt: (model.requests[0]?.prompt ?? []).map(({ text }) => text).join(""),
    droppedTokens: start?.cuts.find(({ part }) => part === "turns")?.tokens ?? 0,
    finish: events.find((event) => event.type === "turn-end")?.finish,
  };
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

describe("20 questions whose results have 3,000 tokens each, in a window of 4,096", () => {
  test("are all answered with the newest question whole, and only what follows the first new cut changes", async () => {
    let before: Awaited<ReturnType<typeof ask>> | undefined;
    let rounds = 0;
    for (let question = 1; question <= 20; question++) {
      const whole = conversation(question);
      // The request after the result has come, which is the fullest.
      const now = await ask(whole.slice(0, -1));
      expect(now.finish).toBe("stop");
      expect(Math.ceil(now.prompt.length / 4)).toBeLessThanOrEqual(contextSize - reserve);
      expect(now.prompt).toContain("You read pages.");
      expect(now.prompt).toContain(`Question ${question - 1}: what is on page ${question - 1}?`);
      expect(now.prompt).toContain(`returned:\npage ${question - 1} page ${question - 1} `);
      if (before !== undefined) {
        const same = commonLength(before.prompt, now.prompt);
        const dropped = now.droppedTokens > before.droppedTokens;
        rounds += dropped ? 1 : 0;
        // Without turns to drop, the first cut is in the result that was the newest one before.
        const lastResult = before.prompt.lastIndexOf("returned:");
        if (!dropped) expect(same).toBeGreaterThan(lastResult);
      }
      before = now;
    }
    // Each turn leaves some 110 tokens for good, and beside the newest result there is room for about 1,700: the first
    // turns have to go after some 15 turns, then a tenth of the window at once, which lasts for 3 turns.
    expect(rounds).toBeGreaterThan(0);
    expect(rounds).toBeLessThanOrEqual(3);
  });
});
