import type { JobRow } from '@holdfast/contract';

/** A dead job that differs in what a test is about. */
export function deadJob(change: Partial<JobRow> = {}): JobRow {
  return {
    id: 'abcde-1',
    queue: 'receipts',
    name: 'send',
    state: 'dead',
    priority: 0,
    attempts: 5,
    maxAttempts: 5,
    enqueuedAtMs: 1_000,
    runAtMs: 1_000,
    updatedAtMs: 2_000,
    payloadBytes: 2,
    lastError: { class: 'ConnectionError', message: 'refused' },
    ...change,
  };
}
