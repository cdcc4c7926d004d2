import type { Clock, WorkerName, WorkerSummary } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import type { LeaseTable } from '../state/lease-table.js';
import type { EngineClaim } from './engine-calls.js';

interface SeenWorker {
  readonly queues: Set<string>;
  /** `undefined`: takes all names. */
  names: Set<string> | undefined;
  free: number;
  /** Claims that wait for jobs now. */
  waits: number;
  seenAtMs: number;
}

/** Who claims from this engine, from the claims themselves: in memory, so it begins anew with each open. */
export class WorkerRegistry {
  readonly #clock: Clock;
  readonly #leases: LeaseTable;
  /** The one that was seen last is the last. */
  readonly #seen = new Map<WorkerName, SeenWorker>();

  constructor(clock: Clock, leases: LeaseTable) {
    this.#clock = clock;
    this.#leases = leases;
  }

  claimed({ worker, queues, names, limit }: EngineClaim): void {
    const known = this.#seen.get(worker);
    const seen = known ?? { queues: new Set(), names: names && new Set(names), free: 0, waits: 0, seenAtMs: 0 };
    for (const queue of queues) seen.queues.add(queue);
    if (names === undefined) seen.names = undefined;
    else for (const name of names) seen.names?.add(name);
    seen.free = limit;
    seen.seenAtMs = this.#clock.now();
    // The last in the order of the map.
    this.#seen.delete(worker);
    this.#seen.set(worker, seen);
    if (this.#seen.size > STORE_LIMITS.workersMax) this.#dropFirst();
  }

  waitBegins(worker: WorkerName): void {
    const seen = this.#seen.get(worker);
    if (seen !== undefined) seen.waits++;
  }

  waitEnds(worker: WorkerName): void {
    const seen = this.#seen.get(worker);
    if (seen !== undefined) seen.waits = Math.max(0, seen.waits - 1);
  }

  extended(worker: WorkerName): void {
    const seen = this.#seen.get(worker);
    if (seen !== undefined) seen.seenAtMs = this.#clock.now();
  }

  /** By name. */
  list(): WorkerSummary[] {
    const busy = this.#busy();
    const nowMs = this.#clock.now();
    for (const [name, { seenAtMs, waits }] of this.#seen) {
      const isGone = seenAtMs + STORE_LIMITS.workerSeenMs < nowMs && waits === 0 && !busy.has(name);
      if (isGone) this.#seen.delete(name);
    }
    const workers = [...this.#seen].map(([name, seen]) => summary(name, seen, busy.get(name) ?? 0));
    return workers.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #busy(): Map<WorkerName, number> {
    const busy = new Map<WorkerName, number>();
    for (let position = 0; position < this.#leases.size; position++) {
      const worker = this.#leases.worker[this.#leases.at(position)]!;
      busy.set(worker, (busy.get(worker) ?? 0) + 1);
    }
    return busy;
  }

  #dropFirst(): void {
    for (const name of this.#seen.keys()) {
      this.#seen.delete(name);
      return;
    }
  }
}

function summary(name: WorkerName, { queues, names, free, waits, seenAtMs }: SeenWorker, busy: number): WorkerSummary {
  return {
    name,
    queues: [...queues].sort(),
    ...(names === undefined ? {} : { names: [...names].sort() }),
    busy,
    free,
    waiting: waits > 0,
    lastSeenAtMs: seenAtMs,
  };
}
