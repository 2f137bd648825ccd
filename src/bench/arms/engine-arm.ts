// Our own engine as an arm: one turn with `auto`, as a client would ask it, or a whole run where the item is a task; with
// some levers off or a profile laid over.
import type { Levers } from "../../decode/levers.ts";
import type { Engine } from "../../engine.ts";
import { CallwrightError, type JsonObject, type RunEvent } from "../../vocabulary/index.ts";
import type { AnsweredCall, Arm, BenchAnswer, BenchItem, TaskRecord, TaskStep } from "../bench-item.ts";
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

/** Turns that a task may take; on the last one no tools are offered, so that an answer comes. */
const taskSteps = 12;

/** The engine is closed with the arm. */
export function createEngineArm(options: EngineArmOptions): Arm {
  const { engine, levers = {}, seed, maxTokens, name, provenance } = options;
  return {
    name,
    takesTasks: true,
    provenance: { ...provenance, levers, seed, maxTokens, taskSteps },
    async answer(item: BenchItem, signal: AbortSignal): Promise<BenchAnswer> {
      const world = item.task?.open();
      const reading = createReading({ started: performance.now(), item, state: world?.state });
      const request = { messages: item.messages, levers, seed, maxTokens, signal };
      try {
        const events =
          world === undefined
            ? engine.turn({ ...request, tools: item.tools })
            : engine.run({ ...request, tools: world.tools, limits: { steps: taskSteps } });
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

function createReading(asked: {
  readonly started: number;
  readonly item: BenchItem;
  /** The world's state, where the item is a task. */
  readonly state: (() => JsonObject) | undefined;
}) {
  const { started, item, state } = asked;
  const calls: AnsweredCall[] = [];
  const texts = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  const steps: TaskStep[] = [];
  const mends: string[] = [];
  const tokens = { prompt: 0, reused: 0, forced: 0, sampled: 0 };
  let text = "";
  let finish = "none";
  let firstToken: number | undefined;
  let attempts = 1;
  let turns = 0;
  let reason: TaskRecord["reason"] = "none";

  function add(event: RunEvent): void {
    switch (event.type) {
      case "turn-start":
        turns += 1;
        text = "";
        break;
      case "reasoning-delta":
      case "text-delta":
      case "call-delta":
        firstToken ??= performance.now() - started;
        if (event.type === "text-delta") text += event.text;
        if (event.type === "call-delta")
          texts.set(event.callId, (texts.get(event.callId) ?? "") + event.text);
        break;
      case "call-end":
        inputs.set(event.callId, event.input);
        // A run's own tools, which find others and read what was cut, are not the item's.
        if (item.tools.some(({ name }) => name === event.name)) {
          calls.push({ name: event.name, text: textOfInput(event, texts.get(event.callId)) });
        }
        break;
      case "tool-end": {
        const { turn, name, outcome, content } = event;
        steps.push({ turn, name, input: inputs.get(event.callId) ?? {}, outcome, content });
        break;
      }
      case "call-repaired":
        mends.push(event.rule);
        break;
      case "retry":
        mends.push(`rung-${event.rung}`);
        break;
      case "turn-end": {
        const { reused, loaded, prefilled, forced, drafted, sampled } = event.usage.tokens;
        tokens.prompt += reused + loaded + prefilled;
        tokens.reused += reused + loaded;
        tokens.forced += forced;
        tokens.sampled += sampled + drafted;
        attempts += Math.max(0, event.usage.attempts - 1);
        finish = event.finish;
        break;
      }
      case "run-end":
        reason = event.reason;
        break;
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
      ...(state === undefined ? {} : { task: { turns, reason, steps, end: state() } }),
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
