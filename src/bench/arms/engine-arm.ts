// Our own engine as an arm: one turn with `auto`, as a client would ask it, with some levers off or a profile laid over.
import type { Levers } from "../../decode/levers.ts";
import type { Engine } from "../../engine.ts";
import { CallwrightError, type RunEvent } from "../../vocabulary/index.ts";
import type { AnsweredCall, Arm, BenchAnswer, BenchItem } from "../bench-item.ts";
import { readJson } from "../read-json.ts";

export interface EngineArmOptions {
  readonly name: string;
  readonly engine: Engine;
  readonly levers?: Partial<Levers>;
  readonly seed: number;
  /** Tokens one reply may have. */
  readonly maxTokens: number;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/** The engine is closed with the arm. */
export function createEngineArm(options: EngineArmOptions): Arm {
  const { engine, levers = {}, seed, maxTokens, name, provenance } = options;
  return {
    name,
    provenance: { ...provenance, levers, seed, maxTokens },
    async answer(item: BenchItem, signal: AbortSignal): Promise<BenchAnswer> {
      const { messages, tools } = item;
      const started = performance.now();
      const reading = createReading(started);
      try {
        const events = engine.turn({ messages, tools, levers, seed, maxTokens, signal });
        for await (const event of events) reading.add(event);
        return reading.answer();
      } catch (error) {
        signal.throwIfAborted();
        // A request that cannot be asked at all is a finding about this item, not the end of the bench.
        if (error instanceof CallwrightError) return reading.answer(`${error.code}: ${error.message}`);
        throw error;
      }
    },
    close: () => engine.close(),
  };
}

function createReading(started: number) {
  const calls: AnsweredCall[] = [];
  const texts = new Map<string, string>();
  const mends: string[] = [];
  let text = "";
  let finish = "none";
  let firstToken: number | undefined;
  let tokens: BenchAnswer["tokens"] = { prompt: 0, reused: 0, forced: 0, sampled: 0 };
  let attempts = 0;

  function add(event: RunEvent): void {
    switch (event.type) {
      case "reasoning-delta":
      case "text-delta":
      case "call-delta":
        firstToken ??= performance.now() - started;
        if (event.type === "text-delta") text += event.text;
        if (event.type === "call-delta")
          texts.set(event.callId, (texts.get(event.callId) ?? "") + event.text);
        break;
      case "call-end":
        calls.push({ name: event.name, text: textOfInput(event, texts.get(event.callId)) });
        break;
      case "call-repaired":
        mends.push(event.rule);
        break;
      case "retry":
        mends.push(`rung-${event.rung}`);
        break;
      case "turn-end": {
        const { reused, loaded, prefilled, forced, drafted, sampled } = event.usage.tokens;
        tokens = {
          prompt: reused + loaded + prefilled,
          reused: reused + loaded,
          forced,
          sampled: sampled + drafted,
        };
        attempts = event.usage.attempts;
        finish = event.finish;
        break;
      }
    }
  }

  function answer(error?: string): BenchAnswer {
    return {
      calls,
      text,
      finish,
      ...(error === undefined ? {} : { error }),
      milliseconds: {
        total: performance.now() - started,
        ...(firstToken === undefined ? {} : { firstToken }),
      },
      tokens,
      attempts,
      mends,
    };
  }

  return { add, answer };
}

/** The text as the model wrote it where it is the input's JSON; formats with values of their own give the input's. */
function textOfInput(event: Extract<RunEvent, { type: "call-end" }>, written: string | undefined): string {
  const plain = JSON.stringify(event.input);
  const read = written === undefined ? undefined : readJson(written);
  return written !== undefined && JSON.stringify(read) === plain ? written : plain;
}
