import type { Backoff } from '@holdfast/contract';

/** How a job is tried again, as its row has it. */
export function backoffColumns({ kind, baseMs, maxMs, jitter, name }: Backoff) {
  return {
    backoff_base_ms: baseMs,
    backoff_max_ms: maxMs,
    backoff_doubles: kind !== 'fixed',
    backoff_jitter: jitter,
    backoff_name: name ?? null,
  };
}
