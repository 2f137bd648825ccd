// chat-api: for servers that take messages and tools and give calls back. The prompt's text is the request itself, as JSON,
// which a model behind such a server reads again; the calls that the server found are written to us as in hermes-json.
import type { AnswerForm, JsonObject, Message, ToolChoice, ToolDescription } from "../vocabulary/index.ts";
import type { Format, PromptRequest } from "./format.ts";
import { hermesJson } from "./hermes-json.ts";
import type { ReasoningMarks } from "./reasoning-marks.ts";
import { toolsBlock } from "./tools-block.ts";

/** What a chat server is asked, as the prompt's text has it. */
export interface ChatPrompt {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly toolChoice: ToolChoice;
  readonly parallel: boolean;
  /** Switches for the server's template. */
  readonly variables: JsonObject;
  /** The tools in words, for a server that holds a reply to a schema but finds no calls in one. */
  readonly toolText: string;
  readonly answer?: AnswerForm;
}

// Marks

/** The marks between which a chat server's reasoning, which it gives in a field of its own, is written to us. */
export const chatReasoning: ReasoningMarks = { start: "<think>\n", end: "\n</think>\n\n" };

/** Calls over a chat API. Only a profile names it. */
export const chatApi: Format = { ...hermesJson, name: "chat-api", prompt: writePrompt };

// Prompt

function writePrompt({ messages, tools, toolChoice, parallel, variables, answer }: PromptRequest) {
  const toolText =
    tools.length === 0
      ? ""
      : toolsBlock(tools, 'To call a tool, write {"name": TOOL, "arguments": {PARAMETER: value}}.');
  const form = answer === undefined ? {} : { answer };
  const prompt: ChatPrompt = { messages, tools, toolChoice, parallel, variables, toolText, ...form };
  return [{ text: JSON.stringify(prompt), special: true }];
}
