import { COUNTS, type Count, STEP_MS } from '@holdfast/sql-store';
import { insertRows } from './insert-rows.js';
import type { Moment, Work } from './work.js';

/** By how much a call changes the counts of each queue. */
export class Tally {
  readonly #queues = new Map<number, Map<Count, number>>();

  add(queueId: number, count: Count, by = 1): void {
    const counts = this.#queues.get(queueId) ?? new Map<Count, number>();
    this.#queues.set(queueId, counts);
    counts.set(count, (counts.get(count) ?? 0) + by);
  }

  /** One line in the ledger for each queue. */
  async note(work: Work, { atMs }: Moment): Promise<void> {
    const step = Math.floor(atMs / STEP_MS);
    const rows = [...this.#queues].map(([queue_id, counts]) => ({
      queue_id,
      step,
      ...Object.fromEntries(COUNTS.map((count) => [count, counts.get(count) ?? 0])),
    }));
    await insertRows(work, 'hf.ledger', rows);
  }
}
