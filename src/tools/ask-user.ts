// The tool by which a model asks the person something that it cannot find out.
import { defineTool, type Tool, ToolFailure } from "./tool.ts";

export interface Question {
  readonly question: string;
  readonly options: readonly string[];
  readonly signal: AbortSignal;
}

/** Answers as a person would; undefined: no answer. */
export type AnswerQuestion = (question: Question) => Promise<string | undefined>;

const mostMinutes = 30;

/** `answer`: how the person is asked; absent: nobody is there, and the model is told to decide. */
export function askUser(answer?: AnswerQuestion): Tool {
  return defineTool<{ readonly question: string; readonly options?: readonly string[] }>({
    name: "ask_user",
    description:
      "Ask the user one question that you cannot answer by other tools, with possible answers if there are any.",
    shortDescription: "Ask the user a question.",
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string", minLength: 1, maxLength: 500 },
        options: { type: "array", maxItems: 8, items: { type: "string", minLength: 1, maxLength: 100 } },
      },
      required: ["question"],
      additionalProperties: false,
    },
    permissions: ["question"],
    concurrency: "alone",
    milliseconds: () => mostMinutes * 60_000,
    execute: async ({ question, options = [] }, context) => {
      await context.ask({ permission: "question", patterns: [question] });
      const given = await answer?.({ question, options, signal: context.signal });
      if (given !== undefined && given.trim() !== "") return { text: given, title: question };
      throw new ToolFailure("Nobody answers: decide yourself, and say in your answer what you assumed.");
    },
  });
}
