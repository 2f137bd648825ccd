// The speed bench's figures as a table of ratios, and what they are made of.
import type { Usage } from "../../src/vocabulary/index.ts";
import { printTable } from "../verify/print-table.ts";
import { type Median, medianOf } from "./intervals.ts";
import type { Measured, OwnFigures } from "./measured.ts";

export function reportSpeed(
  measured: readonly Measured[],
  run: { readonly model: string; readonly threads: number },
): string {
  const pairs = measured.filter((each) => each.type === "pair");
  const named = (name: string) => pairs.filter((pair) => pair.name === name);
  const cold = named("cold");
  const firsts = measured.filter((each) => each.type === "first");
  const batches = measured.filter((each) => each.type === "batch");
  const steps = stepCosts(pairs);
  const rows: (readonly string[])[] = [];
  const add = (title: string, goal: string, ratios: readonly number[], own: readonly number[]) => {
    if (ratios.length === 0) return;
    rows.push([title, shown(medianOf(ratios)), goal, medianOf(own).median.toFixed(0), String(ratios.length)]);
  };
  for (const [name, goal] of [
    ["warm", "0.55"],
    ["follow-up", "0.60"],
    ["cold", "0.85"],
  ] as const) {
    const list = named(name);
    add(
      name,
      goal,
      list.map(({ own, other }) => own.milliseconds / other.milliseconds),
      list.map(({ own }) => own.milliseconds),
    );
  }
  const generation = named("warm").filter(({ isSame }) => isSame);
  add(
    "generation alone, same call",
    "0.50",
    generation.map(({ own, other }) => own.usage.milliseconds.decode / other.generationMilliseconds),
    generation.map(({ own }) => own.usage.milliseconds.decode),
  );
  if (cold.length > 0) {
    const peer = cold.map(({ other }) => other.milliseconds);
    add(
      "first call of a process, catalogue known",
      "0.25",
      firsts.map(({ own }, index) => own.milliseconds / (peer[index % peer.length] as number)),
      firsts.map(({ own }) => own.milliseconds),
    );
  }
  add(
    "four clients at once",
    "0.70",
    batches.map(({ own, other }) => own / other),
    batches.map(({ own }) => own),
  );
  const peers = measured.filter((each) => each.type === "node-llama-cpp");
  add(
    "against node-llama-cpp's function calling, warm",
    "0.40",
    peers.map(({ own, other }) => own / other),
    peers.map(({ own }) => own),
  );
  const long = measured.filter((each) => each.type === "long");
  add(
    "100 new tokens behind 7,900 known, ÷ bare evaluation",
    "1.15",
    long.map(({ own, bare }) => own / bare),
    long.map(({ own }) => own),
  );
  const lines = [
    `${run.model}, ${run.threads} threads; ratio = our time ÷ llama-server's, medians with 95 % intervals`,
    "",
    printTable(["case", "ratio", "goal", "our ms", "n"], rows, ["goal", "our ms", "n"]),
    "",
    `same call as llama-server: ${pairs.filter(({ isSame }) => isSame).length} of ${pairs.length}`,
  ];
  if (steps !== undefined) {
    const { step, batched } = steps;
    const warm = named("warm");
    const floors = warm.map(({ own }) => own.milliseconds / floorOf(own, steps));
    const outside = warm.map(
      ({ own }) => 1 - own.evaluations.reduce((sum, each) => sum + each.milliseconds, 0) / own.milliseconds,
    );
    lines.push(`one decode step ${step.toFixed(1)} ms, one batched token ${batched.toFixed(1)} ms`);
    if (warm.length > 0) {
      const tokens = (pick: (usage: Usage) => number) =>
        medianOf(warm.map(({ own }) => pick(own.usage))).median.toFixed(0);
      lines.push(
        `warm call ÷ floor: ${shown(medianOf(floors))} (goal 1.15)`,
        `warm call outside of llama.cpp: ${(100 * medianOf(outside).median).toFixed(1)} % (goal 5 %)`,
        `warm call: ${tokens(({ tokens: t }) => t.prefilled)} prefilled, ${tokens(({ tokens: t }) => t.forced)} forced, ${tokens(({ tokens: t }) => t.drafted)} drafted, ${tokens(({ tokens: t }) => t.sampled)} sampled; llama-server ${medianOf(warm.map(({ other }) => other.promptTokens)).median} + ${medianOf(warm.map(({ other }) => other.generatedTokens)).median} tokens`,
      );
    }
  }
  if (peers.length > 0) {
    lines.push(
      `node-llama-cpp made a call for ${peers.filter(({ called }) => called).length} of ${peers.length}`,
    );
  }
  const levers = measured.filter((each) => each.type === "lever");
  for (const name of new Set(levers.map((lever) => lever.name))) {
    const ratios = levers.filter((lever) => lever.name === name).map(({ on, off }) => off / on);
    lines.push(`without ${name}: ${shown(medianOf(ratios))} of the time of a warm call`);
  }
  for (const each of measured) {
    if (each.type === "tools") {
      lines.push(
        `${each.tools} tools: compiled in ${each.compile.toFixed(1)} ms, ${each.prompt} tokens of prompt, warm call ${each.warm.toFixed(0)} ms, ${each.outside.toFixed(0)} ms of it outside of llama.cpp`,
      );
    }
    if (each.type === "event-loop") {
      const shares = each.percentiles.map(
        ([share, milliseconds]) => `${share} % under ${milliseconds.toFixed(0)} ms`,
      );
      lines.push(
        `pauses of the event loop: ${[...shares, `longest ${each.longest.toFixed(0)} ms`].join(", ")} (those of the machine too)`,
      );
    }
  }
  return lines.join("\n");
}

interface StepCosts {
  readonly step: number;
  readonly batched: number;
}

/** What one token costs alone and in a large batch, in the same run. */
function stepCosts(pairs: readonly { readonly own: OwnFigures }[]): StepCosts | undefined {
  const all = pairs.flatMap(({ own }) => own.evaluations);
  const alone = all.filter(({ tokens }) => tokens === 1).map(({ milliseconds }) => milliseconds);
  const large = all
    .filter(({ tokens }) => tokens >= 100)
    .map(({ tokens, milliseconds }) => milliseconds / tokens);
  if (alone.length === 0 || large.length === 0) return undefined;
  return { step: medianOf(alone).median, batched: medianOf(large).median };
}

/** Sampled tokens at a step each, all other new ones at a batched token's cost. */
function floorOf({ usage }: OwnFigures, { step, batched }: StepCosts): number {
  const { sampled, forced, drafted, prefilled } = usage.tokens;
  return sampled * step + (forced + drafted + prefilled) * batched;
}

function shown({ median, interval: [low, high] }: Median): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
