// Finds out what a chat template does, by rendering small conversations with telling words in them.
// Never throws: what a template raises is part of the finding.
import type { JsonObject, JsonValue } from "../vocabulary/index.ts";
import type { TemplateInput, TemplateRenderer, TemplateTraits } from "./format.ts";

/** The call that past calls are probed with. */
export const probeCall = { name: "probe_tool_qx", input: { place_qx: "Value-qx" } } as const;

const secondCall = { name: "probe_tool_qx", input: { place_qx: "Second-qx" } } as const;
const words = {
  description: "Description-qx",
  system: "System-qx",
  first: "First-qx",
  next: "Next-qx",
  result: "Result-qx",
};
const tools: readonly JsonObject[] = [
  {
    type: "function",
    function: {
      name: probeCall.name,
      description: words.description,
      parameters: { type: "object", properties: { place_qx: { type: "string" } }, required: ["place_qx"] },
    },
  },
];
const user: JsonObject = { role: "user", content: words.first };
const nextUser: JsonObject = { role: "user", content: words.next };
const assistant: JsonObject = { role: "assistant", content: words.next };
const toolResult: JsonObject = {
  role: "tool",
  name: probeCall.name,
  tool_call_id: "callqx001",
  content: words.result,
};
/** A role that no template knows. One that prints it all the same only echoes roles, and without tools of its own its model has not learnt them. */
const strangeRole = "roleqx";
const reasoningStarts = /(?:<think>|\[THINK\]|<\|channel>thought)\s*$/;

type ArgumentForm = "object" | "string";

/** What the template does. Two or three dozen renders of a few lines each. */
export function probeTemplate(render: TemplateRenderer): TemplateTraits {
  const faults = new Set<string>();

  function tryRender(messages: readonly JsonObject[], more: Partial<TemplateInput> = {}): string {
    try {
      return render({ messages, addGenerationPrompt: false, ...more });
    } catch (error) {
      faults.add(error instanceof Error ? error.message : String(error));
      return "";
    }
  }

  function shows(
    messages: readonly JsonObject[],
    texts: readonly string[],
    more?: Partial<TemplateInput>,
  ): boolean {
    const rendered = tryRender(messages, more);
    return texts.every((text) => rendered.includes(text));
  }

  function showsResult(messages: readonly JsonObject[]): boolean {
    const known = tryRender([...messages, toolResult], { tools });
    const strange = tryRender([...messages, { ...toolResult, role: strangeRole }], { tools });
    const isEcho = strange.includes(strangeRole) && strange.includes(words.result);
    return known.includes(words.result) && (showsTools || !isEcho);
  }

  function findCalls(): { form: ArgumentForm; content: JsonValue; text: string } | undefined {
    for (const form of ["object", "string"] as const) {
      for (const content of ["", null]) {
        const text = callTextOf(form, content);
        if (text !== undefined && showsCall(text)) return { form, content, text };
      }
    }
    return undefined;
  }

  /** What stands in the place of an assistant's text when there is a call instead. */
  function callTextOf(form: ArgumentForm, content: JsonValue): string | undefined {
    const withText = tryRender([user, assistant], { tools });
    const withCall = tryRender([user, callMessage(form, content, [probeCall])], { tools });
    const at = withText.lastIndexOf(words.next);
    if (at === -1 || withCall === "") return undefined;
    const head = withText.slice(0, at).trimEnd();
    const tail = withText.slice(at + words.next.length);
    if (!withCall.startsWith(head)) return undefined;
    const end = tail !== "" && withCall.endsWith(tail) ? withCall.length - tail.length : withCall.length;
    return withCall.slice(head.length, end).trim();
  }

  const toolTexts = [probeCall.name, words.description, "place_qx"];
  const showsTools = shows([user], toolTexts, { tools, addGenerationPrompt: true });
  const calls = findCalls();
  const asked = callMessage(calls?.form ?? "object", calls?.content ?? "", [probeCall]);
  const askedTwice = callMessage(calls?.form ?? "object", calls?.content ?? "", [probeCall, secondCall]);
  const before = tryRender([user]);
  const prompt = tryRender([user], { addGenerationPrompt: true });
  const switched = [true, false].map((enable_thinking) =>
    tryRender([user], { addGenerationPrompt: true, variables: { enable_thinking } }),
  );
  return {
    user: prompt.includes(words.first),
    showsTools,
    system: shows([{ role: "system", content: words.system }, user], [words.system, words.first]),
    userAfterUser: shows([user, nextUser], [words.first, words.next]),
    calls: calls?.form ?? "none",
    severalCalls:
      calls !== undefined &&
      shows([user, askedTwice], [probeCall.input.place_qx, secondCall.input.place_qx], { tools }),
    results: calls !== undefined && showsResult([user, asked]),
    resultsAfterText: showsResult([user, assistant]),
    ...(calls === undefined ? {} : { callText: calls.text }),
    opensReasoning: reasoningStarts.test(prompt.startsWith(before) ? prompt.slice(before.length) : prompt),
    reasoningSwitch: switched[0] !== switched[1],
    faults: [...faults],
  };
}

function callMessage(
  form: ArgumentForm,
  content: JsonValue,
  calls: readonly { readonly name: string; readonly input: JsonObject }[],
): JsonObject {
  return {
    role: "assistant",
    content,
    tool_calls: calls.map(({ name, input }, index) => ({
      id: `callqx00${index + 1}`,
      type: "function",
      function: { name, arguments: form === "string" ? JSON.stringify(input) : input },
    })),
  };
}

/** Whether a past call is there with its arguments as they are, and not as a string inside a string. */
function showsCall(text: string): boolean {
  const { name, input } = probeCall;
  return (
    text.includes(name) && text.includes("place_qx") && text.includes(input.place_qx) && !text.includes('\\"')
  );
}
