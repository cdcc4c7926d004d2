import type { QueueSummary } from '@holdfast/contract';
import type { JobCalls } from '../protocol/job-calls.js';
import { unpackQueues } from '../protocol/queues-part.js';

/** Queues that the engine shows at once: a few milliseconds, in which it does nothing else. */
const QUEUES_PER_ASK = 1000;

export type AskForQueues = <Name extends 'queues' | 'namedQueues'>(
  name: Name,
  args: JobCalls[Name]['args'],
) => Promise<JobCalls[Name]['answer']>;

/** All queues by name. */
export async function allQueues(ask: AskForQueues): Promise<QueueSummary[]> {
  const queues: QueueSummary[] = [];
  for (;;) {
    const part = await ask('queues', { after: queues.at(-1)?.name ?? '', limit: QUEUES_PER_ASK });
    for (const queue of unpackQueues(part)) queues.push(queue);
    if (part.queues.length < QUEUES_PER_ASK) return queues;
  }
}

/** Those of these names that there are, in the order of the names. */
export async function namedQueues(ask: AskForQueues, names: readonly string[]): Promise<QueueSummary[]> {
  const queues: QueueSummary[] = [];
  let from = 0;
  do {
    // Also without a name, because a store that is closed refuses every call.
    const part = await ask('namedQueues', { names: names.slice(from, from + QUEUES_PER_ASK) });
    for (const queue of unpackQueues(part)) queues.push(queue);
    from += QUEUES_PER_ASK;
  } while (from < names.length);
  return queues;
}
