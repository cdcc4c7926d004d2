import type { QueueSummary } from '@holdfast/contract';

/**
 * Queues as they go through a port. Their throughput is hundreds of numbers each, and as arrays they cost more to copy between threads than all that
 * the engine does to find them: so they go in columns, and a series that many have, because nothing happened in them, goes once.
 */
export interface QueuesPart {
  readonly queues: readonly Omit<QueueSummary, 'throughput'>[];
  readonly fromMs: Float64Array;
  /** The same for all queues of a store, as is the length of a series. */
  readonly stepMs: number;
  readonly steps: number;
  /** Three for each queue: the places in `counts` of what was enqueued, completed and failed. */
  readonly series: Uint32Array;
  readonly counts: Uint32Array;
}

export function packQueues(queues: readonly QueueSummary[]): QueuesPart {
  const places = new Map<readonly number[], number>();
  const series = new Uint32Array(3 * queues.length);
  const fromMs = new Float64Array(queues.length);
  const { stepMs = 0, enqueued: { length: steps } = [] } = queues[0]?.throughput ?? {};
  queues.forEach(({ throughput }, index) => {
    fromMs[index] = throughput.fromMs;
    [throughput.enqueued, throughput.completed, throughput.failed].forEach((one, kind) => {
      const place = places.get(one) ?? places.size * steps;
      places.set(one, place);
      series[3 * index + kind] = place;
    });
  });
  const counts = new Uint32Array(places.size * steps);
  for (const [one, place] of places) counts.set(one, place);
  return { queues: queues.map(withoutThroughput), fromMs, stepMs, steps, series, counts };
}

export function unpackQueues({ queues, fromMs, stepMs, steps, series, counts }: QueuesPart): QueueSummary[] {
  const known = new Map<number, readonly number[]>();
  const at = (index: number): readonly number[] => {
    const place = series[index]!;
    const one = known.get(place) ?? Array.from(counts.subarray(place, place + steps));
    known.set(place, one);
    return one;
  };
  return queues.map((queue, index) => ({
    ...queue,
    throughput: {
      fromMs: fromMs[index]!,
      stepMs,
      enqueued: at(3 * index),
      completed: at(3 * index + 1),
      failed: at(3 * index + 2),
    },
  }));
}

function withoutThroughput({ throughput: _, ...queue }: QueueSummary): Omit<QueueSummary, 'throughput'> {
  return queue;
}
