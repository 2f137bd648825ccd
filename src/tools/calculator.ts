// The tool that does arithmetic. The reading of expressions is in expression.ts.
import { ExpressionError, evaluateExpression, writeNumber } from "./expression.ts";
import { defineTool, type Tool, ToolFailure } from "./tool.ts";

type CalculatorInput = { readonly expression: string };

/** Computes an expression and answers with the expression and its value. */
export const calculator: Tool = defineTool<CalculatorInput>({
  name: "calculator",
  description:
    "Compute an arithmetic expression. Use it for every sum, product or percentage instead of computing yourself.",
  shortDescription: "Compute an arithmetic expression.",
  inputSchema: {
    type: "object",
    properties: {
      expression: {
        type: "string",
        minLength: 1,
        maxLength: 300,
        description: "Numbers with + - * / % ^ and parentheses, or sqrt, round, min, max, sum, avg.",
      },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  concurrency: "parallel",
  execute: async (input) => {
    const expression = input.expression.trim();
    const value = compute(expression);
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
    const note = isRounded ? " (rounded to 15 digits)" : "";
    return { text: `${expression} = ${writeNumber(value)}${note}`, metadata: { value } };
  },
});

function compute(expression: string): number {
  try {
    return evaluateExpression(expression);
  } catch (error) {
    if (error instanceof ExpressionError) throw new ToolFailure(error.message, { cause: error });
    throw error;
  }
}
