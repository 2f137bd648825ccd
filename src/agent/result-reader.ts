// Keeps the whole text of a run's results, and the tool by which the model reads what it was shown only a part of.
import type { KeptResult } from "../context/plan-cuts.ts";
import type { KeptOutput, Session } from "../journal/index.ts";
import { defineTool, type Tool, ToolFailure } from "../tools/index.ts";

export interface ResultReader {
  readonly tool: Tool;
  /** What is kept, by call id. */
  readonly results: ReadonlyMap<string, KeptResult>;
  /** Keeps the text of a call's result. */
  keep(callId: string, text: string): void;
}

type ReadResultInput = { readonly result: string; readonly from?: number };

/** Where whole texts are kept: in the run's memory, or beyond it. */
export type ResultStore = Pick<Session, "keepOutput" | "readOutput" | "outputs">;

/** `pageLength`: characters that one reading gives. */
export function createResultReader(options: {
  readonly name: string;
  readonly pageLength: number;
  readonly store?: ResultStore;
}): ResultReader {
  const { name, pageLength, store = createMemoryStore() } = options;
  const results = new Map<string, KeptResult>();
  const note = ({ handle, callId, characters }: KeptOutput) => {
    results.set(callId, { characters, advice: `${name} shows them, result ${handle}` });
  };
  for (const output of store.outputs()) note(output);
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
      const text = store.readOutput(result);
      if (text === undefined) {
        const handles = store.outputs().map(({ handle }) => handle);
        throw new ToolFailure(`There is no result "${result}". Results: ${handles.join(", ")}.`);
      }
      if (from >= text.length) throw new ToolFailure(`"${result}" has ${text.length} characters.`);
      return { text: pageOf(text, from, pageLength) };
    },
  });
  return {
    tool,
    results,
    keep: (callId, text) => note(store.keepOutput(callId, text)),
  };
}

function createMemoryStore(): ResultStore {
  const texts = new Map<string, { readonly text: string; readonly output: KeptOutput }>();
  return {
    keepOutput: (callId, text) => {
      const output = { handle: `r${texts.size + 1}`, callId, characters: text.length };
      texts.set(output.handle, { text, output });
      return output;
    },
    readOutput: (handle) => texts.get(handle)?.text,
    outputs: () => [...texts.values()].map(({ output }) => output),
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
