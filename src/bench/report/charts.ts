// Charts as SVG text: horizontal bars, with intervals where they are shares. No scripts, no fonts of their own; colours come
// from the page's style, so that a chart follows its light or dark scheme.
import { type Share, wilson } from "../statistics.ts";
import { escapeText } from "./escape-text.ts";

export interface Group<Value> {
  readonly label: string;
  /** One for each run, in the order of the legend; undefined where a run has none. */
  readonly values: readonly (Value | undefined)[];
}

const width = 760;
const labelWidth = 200;
const valueWidth = 150;
const plotWidth = width - labelWidth - valueWidth;
const barHeight = 14;
const barGap = 4;
const groupGap = 14;
const axisHeight = 42;

/** Shares from 0 to 100 % with their 95 % intervals (Wilson) and counts; `what` names them. */
export function shareChart(title: string, what: string, groups: readonly Group<Share>[]): string {
  return barChart(title, groups, {
    max: 1,
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, label: String(value * 100) })),
    axis: `${what}, %, with 95 % intervals`,
    value: ({ hits, of }) => hits / of,
    interval: wilson,
    text: ({ hits, of }) => `${((100 * hits) / of).toFixed(1)} %, n ${of}`,
  });
}

/** Amounts of any unit, from 0. */
export function amountChart(title: string, unit: string, groups: readonly Group<number>[]): string {
  const largest = Math.max(...groups.flatMap(({ values }) => values.map((value) => value ?? 0)), 0);
  const step = niceStep(largest / 4);
  const max = Math.max(step, Math.ceil(largest / step) * step);
  const count = Math.round(max / step);
  return barChart(title, groups, {
    max,
    ticks: Array.from({ length: count + 1 }, (_, index) => {
      const value = index * step;
      return { value, label: readable(value) };
    }),
    axis: unit,
    value: (amount) => amount,
    text: (amount) => `${readable(amount)}`,
  });
}

interface Scale<Value> {
  readonly max: number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  readonly axis: string;
  readonly value: (value: Value) => number;
  readonly interval?: (value: Value) => readonly [low: number, high: number];
  readonly text: (value: Value) => string;
}

function barChart<Value>(title: string, groups: readonly Group<Value>[], scale: Scale<Value>): string {
  const x = (value: number) => labelWidth + (plotWidth * value) / scale.max;
  const bars: string[] = [];
  let y = 8;
  for (const { label, values } of groups) {
    const height = values.length * (barHeight + barGap) - barGap;
    bars.push(`<text x="${labelWidth - 8}" y="${y + height / 2}" class="label">${escapeText(label)}</text>`);
    for (const [run, value] of values.entries()) {
      const top = y + run * (barHeight + barGap);
      if (value !== undefined) bars.push(bar(value, run, top, x, scale));
    }
    y += height + groupGap;
  }
  const bottom = y - groupGap + 6;
  const grid = scale.ticks.map(
    ({ value, label }) =>
      `<line x1="${x(value)}" y1="4" x2="${x(value)}" y2="${bottom}" class="grid"/>` +
      `<text x="${x(value)}" y="${bottom + 14}" class="tick">${label}</text>`,
  );
  const height = bottom + axisHeight;
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    ...grid,
    ...bars,
    `<text x="${labelWidth + plotWidth / 2}" y="${bottom + 32}" class="axis">${escapeText(scale.axis)}</text>`,
    "</svg>",
  ].join("\n");
}

function bar<Value>(
  value: Value,
  run: number,
  top: number,
  x: (value: number) => number,
  scale: Scale<Value>,
): string {
  const end = x(scale.value(value));
  const middle = top + barHeight / 2;
  const parts = [
    `<rect x="${labelWidth}" y="${top}" width="${end - labelWidth}" height="${barHeight}" class="run${run}"/>`,
  ];
  let textAt = end;
  if (scale.interval !== undefined) {
    const [low, high] = scale.interval(value);
    parts.push(
      `<path d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8" class="interval"/>`,
    );
    textAt = x(high);
  }
  parts.push(`<text x="${textAt + 6}" y="${middle}" class="value">${scale.text(value)}</text>`);
  return parts.join("");
}

/** 1, 2 or 5 times a power of ten, at least the given size. */
function niceStep(size: number): number {
  if (size <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5].find((factor) => factor * power >= size) ?? 10) * power;
}

function readable(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
