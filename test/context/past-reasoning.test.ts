import { describe, expect, it } from "vitest";
import { keepReasoning } from "../../src/context/past-reasoning.ts";
import type { Message } from "../../src/vocabulary/index.ts";

const call = { id: "c1", name: "add", input: { a: 1 } };
const conversation: readonly Message[] = [
  { role: "user", content: "One?" },
  { role: "assistant", content: "1", reasoning: "first" },
  { role: "user", content: "Two?" },
  { role: "assistant", content: "", reasoning: "second", calls: [call] },
  { role: "tool", callId: "c1", name: "add", content: "2" },
  { role: "assistant", content: "2", reasoning: "third" },
];

describe("keepReasoning", () => {
  it.each([
    ["drop", []],
    ["keep-in-tool-loop", ["second", "third"]],
    ["keep", ["first", "second", "third"]],
  ] as const)("%s shows %j", (policy, shown) => {
    const kept = keepReasoning(conversation, policy);
    expect(
      kept.flatMap((message) => (message.role === "assistant" ? (message.reasoning ?? []) : [])),
    ).toEqual(shown);
    expect(kept.map((message) => message.content)).toEqual(conversation.map((message) => message.content));
  });

  it("leaves no key behind, so that a template sees no empty reasoning", () => {
    expect(keepReasoning(conversation, "drop")[1]).toEqual({ role: "assistant", content: "1" });
  });
});
