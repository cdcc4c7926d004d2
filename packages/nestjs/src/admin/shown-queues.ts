import {
  JOB_STATES,
  type JobState,
  type OverviewAnswer,
  type QueueRates,
  type QueueSummary,
  type WorkerSummary,
} from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';

/** All queues but Holdfast's own, with their rates, and all of them together. */
export function shownQueues(all: readonly QueueSummary[]): Omit<OverviewAnswer, 'serverTimeMs' | 'health'> {
  const shown = all.filter(({ name }) => !isInternalQueue(name));
  const queues = shown.map((queue) => ({ ...queue, rates: ratesOf(queue) }));
  return { queues, totals: totalsOf(queues) };
}

/** Without those that work for Holdfast alone. */
export function shownWorkers(workers: readonly WorkerSummary[]): WorkerSummary[] {
  return workers.filter(({ queues }) => queues.length === 0 || !queues.every(isInternalQueue));
}

/** Over the last minute that is over, or as much of it as the series has. */
function ratesOf({ throughput }: QueueSummary): QueueRates {
  const { stepMs } = throughput;
  const steps = Math.max(1, Math.round(60_000 / stepMs));
  // Without a copy of the series: this is asked for three of each queue, every second.
  const perSecond = (series: readonly number[]) => {
    // The last interval has only begun.
    const until = series.length - 1;
    const from = Math.max(0, until - steps);
    let sum = 0;
    for (let index = from; index < until; index++) sum += series[index]!;
    return until <= from ? 0 : (sum * 1000) / ((until - from) * stepMs);
  };
  return {
    enqueuedPerSecond: perSecond(throughput.enqueued),
    completedPerSecond: perSecond(throughput.completed),
    failedPerSecond: perSecond(throughput.failed),
  };
}

function totalsOf(queues: readonly (QueueSummary & { readonly rates: QueueRates })[]) {
  const counts = Object.fromEntries(
    JOB_STATES.map((state) => [state, queues.reduce((sum, queue) => sum + queue.counts[state], 0)]),
  ) as Record<JobState, number>;
  const sumOf = (rate: keyof QueueRates) => queues.reduce((sum, { rates }) => sum + rates[rate], 0);
  return {
    counts,
    retrying: queues.reduce((sum, { retrying }) => sum + retrying, 0),
    rates: {
      enqueuedPerSecond: sumOf('enqueuedPerSecond'),
      completedPerSecond: sumOf('completedPerSecond'),
      failedPerSecond: sumOf('failedPerSecond'),
    },
  };
}
