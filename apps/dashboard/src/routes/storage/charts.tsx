import type { StoreMetrics } from '@holdfast/contract';
import { formatBytes, formatCount, formatRate } from '../../format/number.js';
import { formatClock, formatDuration } from '../../format/time.js';
import { ChartFrame } from './chart-frame.js';
import { storageText } from './storage-text.js';

const { latency, commits } = storageText;

export function LatencyChart({ metrics }: { readonly metrics: StoreMetrics }) {
  const points = metrics.syncLatency;
  return (
    <ChartFrame
      title={latency.title}
      note={latency.note}
      summary={latency.summary(points.length, Math.max(0, ...points.map((point) => point.maxMs)))}
      stepMs={metrics.stepMs}
      scale="log"
      format={formatDuration}
      data={{
        timesMs: points.map((point) => point.atMs),
        series: [
          { label: latency.series.max, tone: 'muted', values: points.map((point) => point.maxMs) },
          { label: latency.series.p99, tone: 'caution', values: points.map((point) => point.p99Ms) },
          { label: latency.series.p50, tone: 'accent', values: points.map((point) => point.p50Ms) },
        ],
      }}
      columns={[latency.time, latency.count, latency.series.p50, latency.series.p99, latency.series.max]}
      rows={points.map((point) => [
        formatClock(point.atMs),
        formatCount(point.count),
        formatDuration(point.p50Ms),
        formatDuration(point.p99Ms),
        formatDuration(point.maxMs),
      ])}
    />
  );
}

export function CommitChart({ metrics }: { readonly metrics: StoreMetrics }) {
  const points = metrics.commits;
  const means = points.map((point) => (point.commits === 0 ? null : point.records / point.commits));
  return (
    <ChartFrame
      title={commits.title}
      note={commits.note}
      summary={commits.summary(points.length, Math.max(0, ...points.map((point) => point.recordsMax)))}
      stepMs={metrics.stepMs}
      scale="linear"
      format={formatRate}
      data={{
        timesMs: points.map((point) => point.atMs),
        series: [
          { label: commits.series.max, tone: 'muted', values: points.map((point) => point.recordsMax) },
          { label: commits.series.mean, tone: 'accent', values: means },
        ],
      }}
      columns={[latency.time, commits.count, commits.series.mean, commits.series.max, commits.bytes]}
      rows={points.map((point, index) => [
        formatClock(point.atMs),
        formatCount(point.commits),
        formatRate(means[index] ?? 0),
        formatCount(point.recordsMax),
        formatBytes(point.bytes),
      ])}
    />
  );
}
