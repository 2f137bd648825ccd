// Keeps the whole text of a run's results, and the tool by which the model reads what it was shown only a part of.
import type { KeptResult } from "../context/plan-cuts.ts";
import { defineTool, type Tool, ToolFailure } from "../tools/index.ts";

export interface ResultReader {
  readonly tool: Tool;
  /** What is kept, by call id. */
  readonly results: ReadonlyMap<string, KeptResult>;
  /** Keeps the text of a call's result. */
  keep(callId: string, text: string): void;
}

type ReadResultInput = { readonly result: string; readonly from?: number };

/** `pageLength`: characters that one reading gives. */
export function createResultReader(options: {
  readonly name: string;
  readonly pageLength: number;
}): ResultReader {
  const { name, pageLength } = options;
  const texts = new Map<string, string>();
  const results = new Map<string, KeptResult>();
  const tool = defineTool<ReadResultInput>({
    name,
    description: "Read more of an earlier tool result that was cut.",
    inputSchema: {
      type: "object",
      properties: {
        result: { type: "string", description: "Name of the result, such as r1." },
        from: { type: "integer", minimum: 0, description: "First character to read." },
      },
      required: ["result"],
      additionalProperties: false,
    },
    concurrency: "parallel",
    execute: async ({ result, from = 0 }) => {
      const text = texts.get(result);
      if (text === undefined) {
        throw new ToolFailure(`There is no result "${result}". Results: ${[...texts.keys()].join(", ")}.`);
      }
      if (from >= text.length) throw new ToolFailure(`"${result}" has ${text.length} characters.`);
      return { text: pageOf(text, from, pageLength) };
    },
  });
  return {
    tool,
    results,
    keep: (callId, text) => {
      const handle = `r${texts.size + 1}`;
      texts.set(handle, text);
      results.set(callId, { characters: text.length, advice: `${name} shows them, result ${handle}` });
    },
  };
}

function pageOf(text: string, from: number, length: number): string {
  // A page begins and ends at whole characters.
  const start = isLowSurrogate(text, from) ? from - 1 : from;
  const end = start + length - (isLowSurrogate(text, start + length) ? 1 : 0);
  const page = text.slice(start, end);
  const more = end < text.length ? `: go on with from ${end}` : "";
  return `${page}\n[characters ${start} to ${start + page.length} of ${text.length}${more}]`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0;
}
