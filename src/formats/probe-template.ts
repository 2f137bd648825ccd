// Finds out what a chat template does, by rendering small conversations with telling words in them.
// Never throws: what a template raises is part of the finding.
import type { JsonObject, JsonValue } from "../vocabulary/index.ts";
import type { TemplateInput, TemplateRenderer, TemplateTraits } from "./format.ts";

/** The call that past calls are probed with. */
export const probeCall: ProbeCall = { name: "probe_tool_qx", input: { place_qx: "Value-qx" } };

export interface ProbeCall {
  readonly name: string;
  readonly input: JsonObject;
}

const secondCall: ProbeCall = { name: "probe_tool_qx", input: { place_qx: "Second-qx" } };
const words = {
  description: "Description-qx",
  system: "System-qx",
  first: "First-qx",
  next: "Next-qx",
  result: "Result-qx",
  secondResult: "Last-qx",
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
const laterSystem: JsonObject = { role: "system", content: words.system };
const assistant: JsonObject = { role: "assistant", content: words.next };
const callIds = ["callqx001", "callqx002"];
const toolResult: JsonObject = {
  role: "tool",
  name: probeCall.name,
  tool_call_id: "callqx001",
  content: words.result,
};
const secondResult: JsonObject = { ...toolResult, tool_call_id: "callqx002", content: words.secondResult };
/** Templates read past reasoning under one name or the other. */
const reasoning: JsonObject = { reasoning_content: "Reason-qx", thinking: "Reason-qx" };
/** A role that no template knows. One that prints it all the same only echoes roles, and without tools of its own its model has not learnt them. */
const strangeRole = "roleqx";
const reasoningStarts = /(?:<think>|\[THINK\]|<\|channel>thought)\s*$/;

/** How a past call has to be handed to the template. */
interface CallForm {
  readonly arguments: "object" | "string";
  /** The content of a turn that says nothing beside its calls. */
  readonly emptyContent: "" | null;
}

const commonForm: CallForm = { arguments: "object", emptyContent: "" };
const callForms: readonly CallForm[] = [
  commonForm,
  { arguments: "object", emptyContent: null },
  { arguments: "string", emptyContent: "" },
  { arguments: "string", emptyContent: null },
];

/** What the template does. Three or four dozen renders of a few lines each. */
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

  const toolTexts = [probeCall.name, words.description, "place_qx"];
  const showsTools = shows([user], toolTexts, { tools, addGenerationPrompt: true });
  const calls = findCallForm(tryRender);
  const form = calls?.form ?? commonForm;
  const asked = callMessage(form, [probeCall]);
  const askedTwice = callMessage(form, [probeCall, secondCall]);
  const valuesOfBoth = [probeCall, secondCall].map(({ input }) => String(input.place_qx));
  const speaking = { ...asked, content: words.next };
  const results = calls !== undefined && showsResult([user, asked]);
  const before = tryRender([user]);
  const prompt = tryRender([user], { addGenerationPrompt: true });
  const switched = [true, false].map((enable_thinking) =>
    tryRender([user], { addGenerationPrompt: true, variables: { enable_thinking } }),
  );
  return {
    user: prompt.includes(words.first),
    showsTools,
    system: shows([{ role: "system", content: words.system }, user], [words.system, words.first]),
    laterSystem: shows([user, assistant, laterSystem, user], [words.system, words.first]),
    userAfterUser: shows([user, nextUser], [words.first, words.next]),
    calls: calls?.form.arguments ?? "none",
    emptyContent: form.emptyContent,
    textWithCalls:
      calls !== undefined && shows([user, speaking], [words.next, valuesOfBoth[0] ?? ""], { tools }),
    reasoningWithText: shows([user, { ...speaking, ...reasoning }], [words.next], { tools }),
    severalCalls:
      calls !== undefined &&
      shows([user, askedTwice], valuesOfBoth, { tools }) &&
      (!results ||
        shows([user, askedTwice, toolResult, secondResult], [words.result, words.secondResult], { tools })),
    results,
    resultsAfterText: showsResult([user, assistant]),
    ...(calls === undefined ? {} : { callText: calls.text }),
    opensReasoning: reasoningStarts.test(prompt.startsWith(before) ? prompt.slice(before.length) : prompt),
    reasoningSwitch: switched[0] !== switched[1],
    faults: [...faults],
  };
}

/** A call as the template writes it, between the assistant's mark and the end of its turn; undefined where it is lost. */
export function writtenByTemplate(
  call: ProbeCall,
  traits: TemplateTraits,
  render: TemplateRenderer,
): string | undefined {
  if (traits.calls === "none") return undefined;
  const form: CallForm = { arguments: traits.calls, emptyContent: traits.emptyContent };
  return callTextOf(form, call, (messages, more = {}) => {
    try {
      return render({ messages, addGenerationPrompt: false, ...more });
    } catch {
      // What a template raises on one call says that it cannot write it.
      return "";
    }
  });
}

type TryRender = (messages: readonly JsonObject[], more?: Partial<TemplateInput>) => string;

/**
 * The form in which the template writes a past call. Of two, the one that writes less: what it adds is a `None`, or the
 * end of an empty turn before the call.
 */
function findCallForm(tryRender: TryRender): { readonly form: CallForm; readonly text: string } | undefined {
  let best: { form: CallForm; text: string } | undefined;
  for (const form of callForms) {
    if (best !== undefined && best.form.arguments !== form.arguments) break;
    const text = callTextOf(form, probeCall, tryRender);
    if (text === undefined || !showsCall(text)) continue;
    if (best === undefined || text.length < best.text.length) best = { form, text };
  }
  return best;
}

/** What stands in the place of an assistant's text when there is a call instead. */
function callTextOf(form: CallForm, call: ProbeCall, tryRender: TryRender): string | undefined {
  const withCall = tryRender([user, callMessage(form, [call])], { tools });
  const withText = tryRender([user, assistant], { tools });
  const at = withText.lastIndexOf(words.next);
  if (at === -1 || withCall === "") return undefined;
  const tail = withText.slice(at + words.next.length);
  const end = tail !== "" && withCall.endsWith(tail) ? withCall.length - tail.length : withCall.length;
  // Calls may stand in another kind of turn than text does; what every turn begins with is what the model is prompted with.
  const prompts = [undefined, false].map((enable_thinking) =>
    tryRender([user], {
      tools,
      addGenerationPrompt: true,
      ...(enable_thinking === undefined ? {} : { variables: { enable_thinking } }),
    }),
  );
  const heads = [withText.slice(0, at), ...prompts, commonStart(withText, withCall)];
  const head = heads.map((text) => text.trimEnd()).find((text) => text !== "" && withCall.startsWith(text));
  return head === undefined ? undefined : withCall.slice(head.length, end).trim();
}

/** What both begin with, up to the end of a line or of a mark, so that no mark of the call is cut in two. */
function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  const common = a.slice(0, length);
  return common.slice(
    0,
    Math.max(common.lastIndexOf("\n"), common.lastIndexOf(">"), common.lastIndexOf("]")) + 1,
  );
}

function callMessage(form: CallForm, calls: readonly ProbeCall[]): JsonObject {
  return {
    role: "assistant",
    content: form.emptyContent,
    tool_calls: calls.map(
      ({ name, input }, index): JsonValue => ({
        id: callIds[index] ?? "",
        type: "function",
        function: { name, arguments: form.arguments === "string" ? JSON.stringify(input) : input },
      }),
    ),
  };
}

/** Whether a past call is there with its arguments as they are: not as a string inside a string, and not as Python prints them. */
function showsCall(text: string): boolean {
  const texts = [probeCall.name, "place_qx", String(probeCall.input.place_qx)];
  return texts.every((part) => text.includes(part)) && !text.includes('\\"') && !text.includes("{'");
}
