import type { WorkerName, WorkerSummary } from '@holdfast/contract';
import { type CheckedClaim, STORE_LIMITS } from '@holdfast/contract/rules';
import type { MemoryJob } from './memory-job.js';

interface SeenWorker {
  readonly queues: readonly string[];
  readonly names: readonly string[] | undefined;
  readonly free: number;
  readonly seenAtMs: number;
}

/** Who claims, from the claims themselves. */
export class WorkerBook {
  readonly #seen = new Map<WorkerName, SeenWorker>();

  claimed({ worker, queues, names, limit }: CheckedClaim, seenAtMs: number): void {
    const known = this.#seen.get(worker);
    const takesAll = names === undefined || (known !== undefined && known.names === undefined);
    this.#seen.set(worker, {
      queues: [...new Set([...(known?.queues ?? []), ...queues])].sort(),
      names: takesAll ? undefined : [...new Set([...(known?.names ?? []), ...names])].sort(),
      free: limit,
      seenAtMs,
    });
  }

  extended(worker: WorkerName, seenAtMs: number): void {
    const known = this.#seen.get(worker);
    if (known !== undefined) this.#seen.set(worker, { ...known, seenAtMs });
  }

  list(jobs: readonly MemoryJob[], waiting: ReadonlySet<WorkerName>, nowMs: number): WorkerSummary[] {
    const workers: WorkerSummary[] = [];
    for (const [name, { queues, names, free, seenAtMs }] of this.#seen) {
      const busy = jobs.filter(({ lease }) => lease?.worker === name).length;
      if (seenAtMs + STORE_LIMITS.workerSeenMs < nowMs && busy === 0 && !waiting.has(name)) continue;
      const known = names === undefined ? {} : { names };
      workers.push({ name, queues, ...known, busy, free, waiting: waiting.has(name), lastSeenAtMs: seenAtMs });
    }
    return workers.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, STORE_LIMITS.workersMax);
  }
}
