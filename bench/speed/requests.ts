// The catalogue and the questions of the speed bench, and the turns that its cases are made of.
import { readFileSync } from "node:fs";
import type { Call, Message, ToolDescription } from "../../src/vocabulary/index.ts";

interface Catalogue {
  readonly tools: readonly ToolDescription[];
  readonly questions: readonly string[];
}

export const catalogue = JSON.parse(
  readFileSync(new URL("./catalogue.json", import.meta.url), "utf8"),
) as Catalogue;

/** The question at an index, over and over. */
export function question(index: number): string {
  return catalogue.questions[index % catalogue.questions.length] as string;
}

export function ask(text: string): readonly Message[] {
  return [{ role: "user", content: text }];
}

/** A conversation that begins as no other does. */
export function askAfresh(text: string, index: number): readonly Message[] {
  const system = `Desk ${(index + 11) * 7919} of the travel office. Answer what the guest asks for.`;
  return [{ role: "system", content: system }, ...ask(text)];
}

/** The conversation goes on after the call was answered. */
export function afterCall(text: string, { name, input }: Pick<Call, "name" | "input">): readonly Message[] {
  const id = "call_1";
  return [
    ...ask(text),
    { role: "assistant", content: "", calls: [{ id, name, input }] },
    {
      role: "tool",
      callId: id,
      name,
      content: JSON.stringify({ status: "unavailable", reason: "The service is being repaired; try again." }),
    },
  ];
}

/** What llama-server is to write: a call of one of the tools, as their schemas say. */
export const callSchema = {
  anyOf: catalogue.tools.map(({ name, inputSchema }) => ({
    type: "object",
    properties: { name: { const: name }, arguments: inputSchema },
    required: ["name", "arguments"],
    additionalProperties: false,
  })),
};
