// From messages and tools to the prompt's text, through the model's own template, with untrusted text kept plain.
// Knows what the template was found to do, but neither its text nor the format's marks.
import { type Call, CallwrightError, type Message } from "../vocabulary/index.ts";
import type { ChatTemplate, PromptPart, PromptRequest } from "./format.ts";
import { createPlainMarks, type PlainMarks } from "./plain-marks.ts";
import { type PromptStyle, templateMessages, toolsForTemplate } from "./template-messages.ts";
import { templateTools } from "./tools-block.ts";

/**
 * The prompt up to where the assistant's turn begins. Throws `CallwrightError` (`model-unsupported`) where the template
 * raises even for the plainest form of the conversation.
 */
export function renderPrompt(
  request: PromptRequest,
  template: ChatTemplate,
  style: PromptStyle,
): readonly PromptPart[] {
  const everything = JSON.stringify([request.messages, request.tools]);
  const marks = createPlainMarks(request.specialTokens, everything);
  const marked = markRequest(request, marks);
  try {
    return marks.split(renderAs(marked, template, style, false));
  } catch (error) {
    return marks.split(renderPlainest(marked, template, style, error));
  }
}

function renderPlainest(
  request: PromptRequest,
  template: ChatTemplate,
  style: PromptStyle,
  first: unknown,
): string {
  try {
    return renderAs(request, template, style, true);
  } catch {
    const reason = first instanceof Error ? first.message : String(first);
    throw new CallwrightError(
      "model-unsupported",
      `The model's chat template refuses this conversation (${reason}); set "template.replacement" in its profile.`,
      { cause: first },
    );
  }
}

function renderAs(
  request: PromptRequest,
  template: ChatTemplate,
  style: PromptStyle,
  plainest: boolean,
): string {
  const tools = toolsForTemplate(request, template, plainest);
  return template.render({
    messages: templateMessages(request, template, style, plainest),
    ...(tools.length === 0 ? {} : { tools: templateTools(tools) }),
    addGenerationPrompt: true,
    variables: request.variables,
  });
}

/** The request with every text that others wrote marked; what the format itself writes stays as it is. */
function markRequest(request: PromptRequest, marks: PlainMarks): PromptRequest {
  return {
    ...request,
    messages: request.messages.map((message) => markMessage(message, marks)),
    tools: request.tools.map(({ name, description, inputSchema }) => ({
      name: marks.mark(name),
      description: marks.mark(description),
      inputSchema: marks.markJson(inputSchema),
    })),
  };
}

function markMessage(message: Message, marks: PlainMarks): Message {
  const content = marks.mark(message.content);
  if (message.role === "tool") return { ...message, content, name: marks.mark(message.name) };
  if (message.role !== "assistant") return { ...message, content };
  const { reasoning, calls } = message;
  return {
    ...message,
    content,
    ...(reasoning === undefined ? {} : { reasoning: marks.mark(reasoning) }),
    ...(calls === undefined ? {} : { calls: calls.map((call) => markCall(call, marks)) }),
  };
}

function markCall({ id, name, input }: Call, marks: PlainMarks): Call {
  return { id, name: marks.mark(name), input: marks.markJson(input) };
}
