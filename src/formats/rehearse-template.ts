// Renders what choosing a format and a long run ask of a template, to see that it comes back from each.
// Does not judge what is written; where it runs, and what happens when it never returns, is its caller's matter.
import type { JsonObject } from "../vocabulary/index.ts";
import type { TemplateInput, TemplateRenderer } from "./format.ts";
import { probeTemplate, writtenByTemplate } from "./probe-template.ts";
import { valueProbes } from "./value-kinds.ts";

/** Rounds of the long conversation, each a question, a call, its result and an answer. */
const rounds = 12;

/** Renders the conversations of the probe and a long one. What the template raises is no matter here. */
export function rehearseTemplate(render: TemplateRenderer): void {
  const traits = probeTemplate(render);
  for (const input of Object.values(valueProbes)) {
    writtenByTemplate({ name: "rehearsed", input }, traits, render);
  }
  const form = traits.calls === "string" ? "string" : "object";
  for (const messages of [longTalk(), longRun(form)]) {
    try {
      render({ messages, addGenerationPrompt: true } satisfies TemplateInput);
    } catch {
      // A template may refuse a conversation; that is found out, and told, where it matters.
    }
  }
}

function longTalk(): readonly JsonObject[] {
  return Array.from({ length: rounds * 2 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index} ${"Some words of a longer text. ".repeat(20)}`,
  }));
}

function longRun(form: "object" | "string"): readonly JsonObject[] {
  return Array.from({ length: rounds }, (_, round): readonly JsonObject[] => {
    const id = `round${String(round).padStart(4, "0")}`;
    const input: JsonObject = { round, text: "word ".repeat(50) };
    const call: JsonObject = {
      id,
      type: "function",
      function: { name: "rehearsed", arguments: form === "string" ? JSON.stringify(input) : input },
    };
    return [
      { role: "user", content: `Question ${round}` },
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", name: "rehearsed", tool_call_id: id, content: "line of a result\n".repeat(40) },
      { role: "assistant", content: `Answer ${round}` },
    ];
  }).flat();
}
