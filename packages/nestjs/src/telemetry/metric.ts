export type Labels = Readonly<Record<string, string>>;

/** One number of a metric. `suffix` is `_bucket`, `_sum` or `_count` in a histogram. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly suffix?: string;
}

/** What is known of a metric before it is measured. */
export interface MetricKind {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

/** In the text format of Prometheus, version 0.0.4. */
export function metricText({ name, help, type }: MetricKind, samples: readonly Sample[]): string {
  const lines = samples.map(
    ({ labels, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}`,
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
