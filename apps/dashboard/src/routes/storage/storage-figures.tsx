import type { StorageAnswer, StorageReport, StoreHealth } from '@holdfast/contract';
import { Figure, Figures } from '../../components/figure.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatBytes, formatCount, formatRate } from '../../format/number.js';
import { formatDuration } from '../../format/time.js';
import { useFreshness } from '../../live/freshness.js';
import { storageText } from './storage-text.js';

const { figures } = storageText;

/** Percentiles are of the latest interval alone: averaging them over several would invent a number. */
export function StorageFigures({ answer }: { readonly answer: StorageAnswer }) {
  const { health, report, metrics } = answer;
  const dimmed = useFreshness().kind === 'stale';
  const latest = metrics.syncLatency.at(-1);
  const last = latest === undefined ? undefined : storageText.lastInterval(metrics.stepMs);
  return (
    <Figures columns="four" dimmed={dimmed}>
      <HealthFigure health={health} />
      <Figure label={figures.p50} value={duration(latest?.p50Ms)} note={last} />
      <Figure label={figures.p99} value={duration(latest?.p99Ms)} note={last} />
      <Figure
        label={figures.max}
        value={duration(largest(metrics.syncLatency))}
        note={windowNote(metrics.syncLatency, metrics.stepMs)}
      />
      <CommitFigures answer={answer} />
      <Figure
        label={figures.bytes}
        value={formatBytes(report.bytes)}
        note={liveNote(report) ?? storageText.segmentCount(report.segments.length)}
      />
      <Figure
        label={figures.free}
        value={report.diskFreeBytes === undefined ? storageText.unknown : formatBytes(report.diskFreeBytes)}
        note={<VisibleText text={report.location} />}
        tone={report.diskReserve?.fullSinceMs === undefined ? undefined : 'danger'}
      />
    </Figures>
  );
}

export function HealthFigure({ health: { status, reopened } }: { readonly health: StoreHealth }) {
  const isWrong = status === 'failed' || status === 'full';
  return (
    <Figure
      label={figures.health}
      value={storageText.health[status]}
      note={storageText.reopened(reopened)}
      tone={isWrong ? 'danger' : status === 'open' ? undefined : 'caution'}
    />
  );
}

function CommitFigures({ answer }: { readonly answer: StorageAnswer }) {
  const { commits, stepMs } = answer.metrics;
  const total = commits.reduce((sum, point) => sum + point.commits, 0);
  const records = commits.reduce((sum, point) => sum + point.records, 0);
  const latest = commits.at(-1);
  return (
    <>
      <Figure
        label={figures.records}
        value={total === 0 ? storageText.noData : formatRate(records / total)}
        note={windowNote(commits, stepMs)}
      />
      <Figure
        label={figures.commits}
        value={
          latest === undefined
            ? storageText.noData
            : `${formatRate(latest.commits / (stepMs / 1_000))} ${storageText.perSecond}`
        }
        note={
          latest === undefined ? undefined : `${formatCount(latest.commits)} in the ${storageText.lastInterval(stepMs)}`
        }
      />
    </>
  );
}

/** How much of the log is needed; unknown in a store that does not count it. */
function liveNote({ segments, bytes }: StorageReport): string | undefined {
  const known = segments.flatMap((segment) => segment.liveBytes ?? []);
  if (known.length !== segments.length) return undefined;
  return storageText.liveTotal(
    known.reduce((sum, live) => sum + live, 0),
    bytes,
  );
}

/** How far back the points reach. */
function windowNote(points: readonly { readonly atMs: number }[], stepMs: number): string | undefined {
  const [first] = points;
  const last = points.at(-1);
  return first === undefined || last === undefined ? undefined : storageText.window(last.atMs - first.atMs + stepMs);
}

function largest(points: readonly { readonly maxMs: number }[]): number | undefined {
  return points.length === 0 ? undefined : Math.max(...points.map((point) => point.maxMs));
}

function duration(ms: number | undefined): string {
  return ms === undefined ? storageText.noData : formatDuration(ms);
}
