import type { OverviewAnswer, QueueSummary } from '@holdfast/contract';
import { Link } from 'wouter';
import { Figure, Figures } from '../../components/figure.js';
import { Sparkline, type SparkSeries } from '../../components/sparkline.js';
import { Age } from '../../components/time-text.js';
import { formatCount } from '../../format/number.js';
import { useFigureHistory } from '../../live/figure-history.js';
import { useFreshness } from '../../live/freshness.js';
import { overviewText } from './overview-text.js';
import { sum } from './throughput.js';

const SPARK_POINTS = 60;

export function OverviewFigures({ answer, answeredAtMs }: { answer: OverviewAnswer; answeredAtMs: number }) {
  const totals = totalsOf(answer.queues);
  const oldestAtMs = oldestReady(answer.queues);
  const oldestMs = oldestAtMs === undefined ? 0 : Math.max(0, answer.serverTimeMs - oldestAtMs);
  const historyOf = useFigureHistory({ ...totals, oldest: oldestMs }, answeredAtMs);
  const dimmed = useFreshness().kind === 'stale';
  const spark = (name: keyof typeof overviewText.figures, tone: SparkSeries['tone']) => {
    const values = historyOf(name);
    const label = overviewText.history(overviewText.figures[name], values.length);
    return <Sparkline series={[{ tone, values }]} slots={SPARK_POINTS} width={140} height={22} label={label} />;
  };
  const count = (name: keyof typeof totals, href: string) => <Link href={href}>{formatCount(totals[name])}</Link>;
  return (
    <Figures columns="five" dimmed={dimmed}>
      <Figure
        label={overviewText.figures.ready}
        value={count('ready', '/jobs?state=ready')}
        chart={spark('ready', 'text')}
      />
      <Figure
        label={overviewText.figures.leased}
        value={count('leased', '/leases')}
        chart={spark('leased', 'accent')}
      />
      <Figure
        label={overviewText.figures.retrying}
        value={count('retrying', '/jobs?state=scheduled')}
        chart={spark('retrying', 'caution')}
      />
      <Figure
        label={overviewText.figures.dead}
        tone={totals.dead > 0 ? 'danger' : undefined}
        value={count('dead', '/dead')}
        chart={spark('dead', 'danger')}
      />
      <Figure
        label={overviewText.figures.oldest}
        value={oldestAtMs === undefined ? overviewText.nothingWaits : <Age atMs={oldestAtMs} />}
        chart={spark('oldest', 'text')}
      />
    </Figures>
  );
}

function totalsOf(queues: readonly QueueSummary[]) {
  return {
    ready: sum(queues.map((queue) => queue.counts.ready)),
    leased: sum(queues.map((queue) => queue.counts.leased)),
    retrying: sum(queues.map((queue) => queue.retrying)),
    dead: sum(queues.map((queue) => queue.counts.dead)),
  };
}

function oldestReady(queues: readonly QueueSummary[]): number | undefined {
  const times = queues.flatMap((queue) => queue.oldestReadyAtMs ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
