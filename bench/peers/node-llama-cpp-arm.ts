// node-llama-cpp's own function calling as an arm: `LlamaChat` with functions, the chat wrapper that it chooses itself, greedy.
// Stands here and not in src/, where one file alone may know the package.
import {
  type ChatHistoryItem,
  type ChatModelFunctions,
  type GbnfJsonSchema,
  getLlama,
  LlamaChat,
  LlamaLogLevel,
} from "node-llama-cpp";
import type { Arm, BenchAnswer, BenchItem } from "../../src/bench/bench-item.ts";
import type { Message } from "../../src/vocabulary/index.ts";

export interface PeerArmOptions {
  readonly name: string;
  /** Path of the weights. */
  readonly path: string;
  readonly contextSize: number;
  readonly threads: number;
  readonly maxTokens: number;
  readonly seed: number;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/** What it throws at an item, such as for a schema that its grammar does not know, is that answer's error. */
export async function openPeerArm(options: PeerArmOptions): Promise<Arm> {
  const { name, path, contextSize, threads, maxTokens, seed, provenance } = options;
  const llama = await getLlama({ gpu: false, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({ contextSize, threads });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  return {
    name,
    takesTasks: false,
    provenance: { ...provenance, wrapper: chat.chatWrapper.wrapperName, maxTokens, seed, contextSize },
    async answer(item: BenchItem, signal: AbortSignal): Promise<BenchAnswer> {
      const started = performance.now();
      const before = sequence.tokenMeter.getState();
      let firstToken: number | undefined;
      const markFirst = () => {
        firstToken ??= performance.now() - started;
      };
      const answer = await chat
        .generateResponse(toHistory(item.messages), {
          functions: toFunctions(item),
          documentFunctionParams: true,
          temperature: 0,
          maxTokens,
          seed,
          signal,
          onToken: markFirst,
          onFunctionCallParamsChunk: markFirst,
        })
        .then(
          ({ response, functionCalls, metadata }): Partial<BenchAnswer> => ({
            text: response,
            calls: (functionCalls ?? []).map((call) => ({
              name: call.functionName,
              text: JSON.stringify(call.params ?? {}),
            })),
            finish: metadata.stopReason,
          }),
        )
        .catch((error: unknown): Partial<BenchAnswer> => {
          signal.throwIfAborted();
          return { error: error instanceof Error ? error.message : String(error) };
        });
      const used = sequence.tokenMeter.diff(before);
      return {
        calls: [],
        text: "",
        finish: "none",
        attempts: 1,
        mends: [],
        ...answer,
        milliseconds: {
          total: performance.now() - started,
          ...(firstToken === undefined ? {} : { firstToken }),
        },
        // Its meter does not tell what was in the sequence already.
        tokens: { prompt: used.usedInputTokens, reused: 0, forced: 0, sampled: used.usedOutputTokens },
      };
    },
    close: async () => {
      chat.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

function toFunctions({ tools }: BenchItem): ChatModelFunctions {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      // Its type lists the keywords it knows; what it makes of others is part of what is measured.
      { description, params: inputSchema as unknown as GbnfJsonSchema },
    ]),
  );
}

/** Its history has calls and their results as parts of one answer of the model. */
function toHistory(messages: readonly Message[]): ChatHistoryItem[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message.content]] : [])),
  );
  const history: ChatHistoryItem[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "system":
        history.push({ type: "system", text: message.content });
        break;
      case "user":
        history.push({ type: "user", text: message.content });
        break;
      case "assistant": {
        const calls = (message.calls ?? []).map(({ id, name, input }) => ({
          type: "functionCall" as const,
          name,
          params: input,
          result: results.get(id) ?? "",
        }));
        const parts = [...calls, ...(message.content === "" ? [] : [message.content])];
        const last = history.at(-1);
        if (last?.type === "model") last.response.push(...parts);
        else history.push({ type: "model", response: parts });
        break;
      }
      case "tool":
        break;
      default:
        message satisfies never;
    }
  }
  history.push({ type: "model", response: [] });
  return history;
}
