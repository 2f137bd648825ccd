// A chat template that cannot be used is replaced by a plain transcript, and that is said.
import { describe, expect, test } from "vitest";
import { decodeTurn, foldTurn } from "../../src/decode/decode-turn.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { rendererOf } from "../formats/templates-for-test.ts";

async function ask(template: string | undefined) {
  const model = createScriptedModel({
    replies: ["Good morning!"],
    ...(template === undefined ? {} : { info: { template } }),
    renderTemplate: rendererOf(template ?? ""),
  });
  const request = { messages: [{ role: "user", content: "Hello?" } as const], tools: [] };
  const result = await foldTurn(decodeTurn({ model, profile: resolveProfile({}) }, request));
  const prompt = model.requests[0]?.prompt.map((part) => part.text).join("") ?? "";
  return { ...result, prompt };
}

describe("a template", () => {
  test.each<[string, string, RegExp]>([
    ["that cannot be parsed", "{% for message in messages %}{{ message.content", /\(.*cannot be read.*\)/],
    ["that raises", "{{ raise_exception('only for the chosen') }}", /\(only for the chosen\)/],
    ["that prints nothing of the messages", "Hello!", /\(it prints no messages\)/],
  ])("%s gives way to a plain transcript, with a notice that says why", async (_, template, why) => {
    const { text, notices, prompt } = await ask(template);
    expect(text).toBe("Good morning!");
    expect(notices).toEqual([{ code: "template-fallback", text: expect.stringMatching(why) }]);
    expect(prompt).toBe("User: Hello?\n\nAssistant:");
  });

  test("that works, or that is not there, needs no notice", async () => {
    const good = "{% for message in messages %}[{{ message.role }}] {{ message.content }}\n{% endfor %}";
    expect((await ask(good)).notices).toEqual([]);
    expect((await ask(undefined)).notices).toEqual([]);
  });
});
