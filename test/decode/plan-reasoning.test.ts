import { describe, expect, it } from "vitest";
import { planReasoning, type ReasoningRequest } from "../../src/decode/plan-reasoning.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import type { Message } from "../../src/vocabulary/index.ts";

const marks = { start: "<think>\n", end: "\n</think>\n\n" };
const words = { on: "/think", off: "/no_think" };
const effort = { variable: "reasoning_effort", low: "low", medium: "medium", high: "xhigh" };
const hello: readonly Message[] = [{ role: "user", content: "Hello" }];

function plan(
  reasoning: NonNullable<PartialProfile["reasoning"]>,
  request: ReasoningRequest = {},
  messages = hello,
) {
  return planReasoning(resolveProfile({ reasoning: { marks, ...reasoning } }), request, messages);
}

describe("planReasoning", () => {
  it("sets the template's variable to the profile's mode, and leaves it alone where the model decides", () => {
    const its = { variable: "enable_thinking" };
    expect(plan({ switch: its, mode: "on" }).variables).toEqual({ enable_thinking: true });
    expect(plan({ switch: its, mode: "off" }).variables).toEqual({ enable_thinking: false });
    expect(plan({ switch: its, mode: "auto" }).variables).toEqual({});
  });

  it("lets the request win over words, and words over the profile", () => {
    const its = { variable: "thinking", words };
    const asked: readonly Message[] = [{ role: "user", content: "Hello /no_think" }];
    expect(plan({ switch: its, mode: "on" }, {}, asked)).toMatchObject({
      mode: "off",
      variables: { thinking: false },
    });
    expect(plan({ switch: its, mode: "off" }, { mode: "on" }, asked)).toMatchObject({
      mode: "on",
      variables: { thinking: true },
    });
  });

  it.each<[text: string, mode: "on" | "off"]>([
    ["/no_think", "off"],
    ["please /think.", "on"],
    ["/no_think no, /think", "on"],
    ["open a/think", "off"],
    ["see /thinking and /think/notes.txt", "off"],
  ])("reads a word only where it stands on its own: %s", (content, mode) => {
    expect(plan({ switch: { words }, mode: "off" }, {}, [{ role: "user", content }]).mode).toBe(mode);
  });

  it("takes the newest word of system text and user, not what tools or the model wrote", () => {
    const messages: readonly Message[] = [
      { role: "system", content: "/no_think" },
      { role: "user", content: "Go on. /think" },
      { role: "assistant", content: "/no_think" },
      { role: "tool", callId: "c1", name: "read", content: "/no_think" },
      { role: "user", content: "And now?" },
    ];
    expect(plan({ switch: { words }, mode: "off" }, {}, messages).mode).toBe("on");
  });

  it("says the word itself where that is the only switch and nobody else has said it", () => {
    expect(plan({ switch: { words }, mode: "off" }).words).toBe("/no_think");
    expect(plan({ switch: { words }, mode: "auto" }).words).toBe("");
    const said: readonly Message[] = [{ role: "system", content: "Be brief. /no_think" }];
    expect(plan({ switch: { words }, mode: "off" }, {}, said).words).toBe("");
    expect(plan({ switch: { variable: "enable_thinking", words }, mode: "off" }).words).toBe("");
  });

  it("passes the effort on in the model's own terms, or says that it cannot", () => {
    expect(plan({ switch: { effort } }, { effort: "high" })).toMatchObject({
      variables: { reasoning_effort: "xhigh" },
      unmet: [],
    });
    expect(plan({ switch: { effort }, effort: "low" }).variables).toEqual({ reasoning_effort: "low" });
    expect(plan({}, { effort: "high" }).unmet).toHaveLength(1);
  });

  it("asks templates to show all past reasoning where it is kept", () => {
    expect(plan({ history: "keep" }).variables).toMatchObject({
      preserve_thinking: true,
      truncate_history_thinking: false,
    });
    expect(plan({ history: "drop" }).variables).toEqual({});
  });

  it("is off, and says so, where the model does not reason", () => {
    const profile = resolveProfile({});
    expect(planReasoning(profile, { mode: "on" }, hello)).toMatchObject({
      mode: "off",
      unmet: ["This model does not reason."],
    });
  });
});
