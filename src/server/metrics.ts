// Counts what the server does, in Prometheus' text format (0.0.4). Label values are our own words, never a client's.
type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  add(name: CounterName, labels?: Labels, value?: number): void;
  observe(name: HistogramName, seconds: number): void;
  /** A value that is asked for when it is read. */
  gauge(name: GaugeName, read: () => number): void;
  print(): string;
}

const counters = {
  callwright_requests_total: "Requests by API and status.",
  callwright_turns_total: "Turns by how they ended.",
  callwright_tokens_total: "Tokens by how they came about.",
  callwright_retries_total: "Decoding attempts beyond the first of a turn.",
  callwright_calls_total: "Calls delivered.",
  callwright_dropped_total: "Requests whose client went away.",
  callwright_refused_total: "Requests refused since the queue was full or too slow.",
  callwright_model_loads_total: "Models loaded.",
  callwright_model_unloads_total: "Models unloaded.",
} as const;
const histograms = {
  callwright_wait_seconds: "Time from a request's arrival until its decoding begins.",
  callwright_first_event_seconds: "Time from a request's arrival until its first text or call.",
  callwright_request_seconds: "Time of a whole request.",
} as const;
const gauges = {
  callwright_requests_running: "Requests that are decoded now.",
  callwright_requests_waiting: "Requests that wait for their turn.",
  callwright_models_loaded: "Models that are loaded.",
} as const;

type CounterName = keyof typeof counters;
type HistogramName = keyof typeof histograms;
type GaugeName = keyof typeof gauges;

const bounds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300];

export function createMetrics(): Metrics {
  const counts = new Map<CounterName, Map<string, number>>();
  const observed = new Map<HistogramName, { buckets: number[]; sum: number; count: number }>();
  const read = new Map<GaugeName, () => number>();
  return {
    add(name, labels = {}, value = 1) {
      const values = counts.get(name) ?? new Map<string, number>();
      counts.set(name, values);
      const key = printLabels(labels);
      values.set(key, (values.get(key) ?? 0) + value);
    },
    observe(name, seconds) {
      const values = observed.get(name) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 };
      observed.set(name, values);
      for (const [at, bound] of bounds.entries()) if (seconds <= bound) values.buckets[at]! += 1;
      values.sum += seconds;
      values.count += 1;
    },
    gauge: (name, value) => void read.set(name, value),
    print() {
      const lines: string[] = [];
      for (const [name, help] of Object.entries(counters)) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
        for (const [labels, value] of counts.get(name as CounterName) ?? [["", 0]])
          lines.push(`${name}${labels} ${value}`);
      }
      for (const [name, help] of Object.entries(gauges)) {
        const value = read.get(name as GaugeName)?.() ?? 0;
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
      }
      for (const [name, help] of Object.entries(histograms)) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} histogram`);
        const { buckets, sum, count } = observed.get(name as HistogramName) ?? {
          buckets: bounds.map(() => 0),
          sum: 0,
          count: 0,
        };
        for (const [at, bound] of bounds.entries())
          lines.push(`${name}_bucket{le="${bound}"} ${buckets[at] ?? 0}`);
        lines.push(`${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`);
      }
      return `${lines.join("\n")}\n`;
    },
  };
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
