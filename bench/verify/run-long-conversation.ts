// A conversation whose results are far larger than its window, turn by turn: what each turn's prompt shares with the one
// before it, and how much of that the model found evaluated. Knows nothing of how the model was opened.

import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { foldTurn } from "../../src/decode/fold-turn.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import type { Model } from "../../src/models/model.ts";
import type { Message, ToolDescription } from "../../src/vocabulary/index.ts";
import { percent, printTable } from "./print-table.ts";

export interface ConversationOptions {
  readonly turns: number;
  /** Tokens of each tool result. */
  readonly resultTokens: number;
}

/** One turn; all but the first two are tokens. */
export interface TurnOutcome {
  readonly turn: number;
  /** Whether the prompt holds the newest user message. */
  readonly hasQuestion: boolean;
  readonly prompt: number;
  /** What the prompt has in common with the one before it. */
  readonly unchanged: number;
  readonly reused: number;
  readonly prefilled: number;
}

/** Share of the unchanged beginning that a turn must not evaluate again. */
const leastReuse = 0.95;

const tools: readonly ToolDescription[] = [
  {
    name: "read_page",
    description: "Reads a page of the register.",
    inputSchema: { type: "object", properties: { page: { type: "integer" } }, required: ["page"] },
  },
];

/** Yields each turn's outcome as soon as it is over. */
export async function* runLongConversation(
  { model, profile }: DecodeContext,
  { turns, resultTokens }: ConversationOptions,
): AsyncGenerator<TurnOutcome> {
  const messages: Message[] = [{ role: "system", content: "You read pages of a register." }];
  let before = "";
  for (let page = 0; page < turns; page += 1) {
    const question = `Which entries are on page ${page}?`;
    const id = `call_${page}`;
    messages.push(
      { role: "user", content: question },
      { role: "assistant", content: "", calls: [{ id, name: "read_page", input: { page } }] },
      { role: "tool", callId: id, name: "read_page", content: await writePage(model, page, resultTokens) },
    );
    const prefills: Prefill[] = [];
    const watched = { model: watchPrefills(model, prefills), profile };
    await foldTurn(decodeTurn(watched, { messages, tools, maxTokens: 8 }));
    const [first] = prefills;
    if (first === undefined) throw new Error("The turn evaluated no prompt.");
    yield {
      turn: page + 1,
      hasQuestion: first.text.includes(question),
      prompt: first.reused + first.evaluated,
      unchanged: await countText(model, commonStart(before, first.text)),
      reused: first.reused,
      prefilled: first.evaluated,
    };
    before = first.text;
    messages.push({ role: "assistant", content: `Page ${page} holds numbers.` });
  }
}

/** What the turns must show and do not, in words; none is wanted. */
export function conversationBreaches(outcomes: readonly TurnOutcome[]): readonly string[] {
  return outcomes.flatMap(({ turn, hasQuestion, reused, unchanged }) => [
    ...(hasQuestion ? [] : [`turn ${turn}: the newest user message is missing`]),
    // A token at the boundary may be another one when other text follows it.
    ...(reused < Math.floor(unchanged * leastReuse)
      ? [`turn ${turn}: ${percent(reused, unchanged)} of the unchanged prefix reused`]
      : []),
  ]);
}

export function printConversation(outcomes: readonly TurnOutcome[]): string {
  const head = ["turn", "prompt", "unchanged", "reused", "prefilled", "share reused"];
  const rows = outcomes.map(({ turn, prompt, unchanged, reused, prefilled }) => [
    ...[turn, prompt, unchanged, reused, prefilled].map(String),
    unchanged === 0 ? "–" : percent(Math.min(reused, unchanged), unchanged),
  ]);
  return printTable(head, rows, head);
}

interface Prefill {
  readonly text: string;
  readonly reused: number;
  readonly evaluated: number;
}

/** The model, and what each of its generations found evaluated. */
function watchPrefills(model: Model, prefills: Prefill[]): Model {
  return {
    info: model.info,
    score: (request) => model.score(request),
    renderTemplate: (input) => model.renderTemplate(input),
    countTokens: (parts) => model.countTokens(parts),
    close: () => model.close(),
    generate: async function* (request) {
      for await (const event of model.generate(request)) {
        if (event.type === "prefill-end") {
          const { reused, evaluated } = event;
          prefills.push({ text: request.prompt.map(({ text }) => text).join(""), reused, evaluated });
        }
        yield event;
      }
    },
  };
}

/** A result that takes about so many tokens, and that no other page has. */
async function writePage(model: Model, page: number, tokens: number): Promise<string> {
  const lines = Array.from(
    { length: Math.ceil(tokens / 5) },
    (_, entry) => `Page ${page}, entry ${entry}: ${(entry * 7919 * (page + 1)) % 9973}`,
  );
  const text = lines.join("\n");
  return text.slice(0, Math.floor(text.length * Math.min(1, tokens / (await countText(model, text)))));
}

function countText(model: Model, text: string): Promise<number> {
  return model.countTokens([{ text, special: true }]);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}
