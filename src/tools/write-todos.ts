// The tool by which a model keeps a list of what is to be done.
import { defineTool, type Tool, ToolFailure } from "./tool.ts";

const statuses = ["open", "doing", "done"] as const;
type Todo = { readonly text: string; readonly status: (typeof statuses)[number] };
const marks: Readonly<Record<Todo["status"], string>> = { open: "[ ]", doing: "[>]", done: "[x]" };

/** Replaces the whole list; gives it back as the model reads it. Keeps nothing: the list stands in the conversation. */
export const writeTodos: Tool = defineTool<{ readonly items: readonly Todo[] }>({
  name: "write_todos",
  description:
    "Write down the steps of a longer task, and again with their new status after each step. Give the whole list each time.",
  shortDescription: "Keep a list of steps.",
  inputSchema: {
    type: "object",
    properties: {
      items: {
        type: "array",
        maxItems: 30,
        items: {
          type: "object",
          properties: {
            text: { type: "string", minLength: 1, maxLength: 200, description: "The step." },
            status: { enum: statuses },
          },
          required: ["text", "status"],
          additionalProperties: false,
        },
      },
    },
    required: ["items"],
    additionalProperties: false,
  },
  permissions: ["todo"],
  execute: async ({ items }, context) => {
    await context.ask({ permission: "todo", patterns: ["*"] });
    const doing = items.filter(({ status }) => status === "doing");
    if (doing.length > 1) throw new ToolFailure("Only one step can be in the status doing.");
    const open = items.filter(({ status }) => status !== "done").length;
    const lines = items.map(({ text, status }) => `${marks[status]} ${text}`);
    return {
      text:
        items.length === 0 ? "The list is empty." : [...lines, `${open} of ${items.length} left.`].join("\n"),
      metadata: { items: items.map(({ text, status }) => ({ text, status })) },
    };
  },
});
