import type { EnqueueCheck } from './enqueue-check.js';
import type { ProcessEnded, StoreCounts, StoreRow } from './history-event.js';
import type { JobHistory } from './job-history.js';
import type { Ledger } from './ledger.js';

/** What an open shows against what was answered before it, and what an end may take back. */
export class ReopenCheck {
  readonly #ledger: Ledger;
  readonly #enqueues: EnqueueCheck;
  #rows = new Map<string, StoreRow>();

  constructor(ledger: Ledger, enqueues: EnqueueCheck) {
    this.#ledger = ledger;
    this.#enqueues = enqueues;
  }

  /** The process or its engine is gone; with `doubtfulMs`, so may be what was answered in that last time and is not proven. */
  engineEnded({ atMs }: Pick<ProcessEnded, 'atMs'>, doubtfulMs: number): void {
    const ledger = this.#ledger;
    ledger.run++;
    const fromMs = Math.max(atMs - doubtfulMs, ledger.provenUpToMs, ledger.endedAtMs);
    ledger.endedAtMs = atMs;
    if (doubtfulMs === 0) return;
    for (const job of ledger.live) if (job.changedAtMs >= fromMs) this.#doubt(job, fromMs, atMs);
  }

  /** What changed the job from then on may not have come to the disk. */
  #doubt(job: JobHistory, fromMs: number, endedAtMs: number): void {
    if (job.acked !== undefined && job.acked.atMs >= fromMs) job.doubtedAckMs = endedAtMs - job.acked.atMs;
    const attempts = job.deliveredAtMs.filter((atMs) => atMs >= fromMs).length;
    // A release that is taken back leaves the attempts as they were before it.
    job.high = Math.max(job.high, job.lease?.attempt ?? 0, job.highBeforeRedrive ?? 0);
    job.low = Math.max(0, job.low - attempts);
    if (job.dead === 'yes' || job.highBeforeRedrive !== undefined) job.dead = 'maybe';
  }

  opened(): void {
    this.#rows = new Map();
  }

  row(row: StoreRow): void {
    const ledger = this.#ledger;
    if (this.#rows.has(row.id)) ledger.violated('conservation', `${row.id} is shown twice`);
    this.#rows.set(row.id, row);
    const job = this.#enqueues.meet(row.id, row.payload, row);
    if (job === undefined) return;
    job.state = row.state;
    if (row.state === 'leased') ledger.violated('fencing', `${job} is leased although its engine ended`);
    this.#checkActs(job, row);
    if (row.state === 'completed') this.#completed(job);
    else this.#notCompleted(job, row);
    this.#checkAttempts(job, row);
    job.setAttempts(row.attempts, ledger.blindOf(job.asked.queue));
    job.deliveredAtMs = [];
    job.redriveAsked = false;
    job.highBeforeRedrive = undefined;
    job.cancelAsked = false;
    job.removeAsked = false;
  }

  #checkActs(job: JobHistory, { state }: StoreRow): void {
    const ledger = this.#ledger;
    const { ended } = job;
    if (ended?.how === 'remove') ledger.violated('acts stay', `${job} was removed and is ${state}`);
    if (ended?.how === 'cancel' && state !== 'cancelled')
      ledger.violated('acts stay', `${job} was cancelled and is ${state}`);
    if (state !== 'cancelled') return;
    if (ended === undefined && !job.cancelAsked)
      ledger.violated('acts stay', `${job} is cancelled and nobody asked for it`);
    job.ended ??= { how: 'cancel', atMs: 0 };
  }

  #completed(job: JobHistory): void {
    if (!job.mayBeCompleted) this.#ledger.violated('ack is final', `${job} is completed and nobody acked it`);
    job.doubtedAckMs = undefined;
  }

  #notCompleted(job: JobHistory, row: StoreRow): void {
    const ledger = this.#ledger;
    if (job.acked !== undefined && !ledger.takeBackAck(job)) {
      ledger.violated('ack is final', `${job} was acked with ${job.acked.token} and is ${row.state}`);
      job.acked = undefined;
    }
    // The log as it is now shows that these were not applied.
    job.acksAsked.clear();
    this.#checkDead(job, row);
  }

  #checkDead(job: JobHistory, row: StoreRow): void {
    const ledger = this.#ledger;
    if (row.state === 'dead') {
      if (row.attempts !== job.asked.maxAttempts && !job.deadAsked) {
        ledger.violated(
          'dead only at max',
          `${job} is dead after ${row.attempts} of ${job.asked.maxAttempts} attempts`,
        );
      }
      const ended = row.outcomes?.filter((outcome) => outcome !== 'running' && outcome !== 'released').length;
      if (ended !== undefined && ended !== row.attempts) {
        ledger.violated('attempts', `${job} has ${row.attempts} attempts, but its history tells of ${ended}`);
      }
      job.dead = 'yes';
    } else {
      if (job.dead === 'yes' && !job.redriveAsked)
        ledger.violated('dead only at max', `${job} was dead and is ${row.state}`);
      job.dead = 'no';
      job.deadAsked = false;
    }
  }

  #checkAttempts(job: JobHistory, row: StoreRow): void {
    const high = this.#ledger.highOf(job);
    if (row.attempts < job.low || row.attempts > high) {
      this.#ledger.violated('attempts', `${job} has ${row.attempts} attempts, expected ${job.low} to ${high}`);
    }
  }

  /** All rows were shown. */
  counts({ counts }: StoreCounts): void {
    const ledger = this.#ledger;
    for (const job of ledger.live) {
      if (job.id !== undefined && this.#rows.has(job.id)) continue;
      if (job.mustExist && !job.mayBeForgotten) {
        const invariant = job.enqueue === 'ok' ? 'no loss' : 'durable before visible';
        ledger.violated(invariant, `${job} is gone`);
        ledger.live.delete(job);
      } else if (job.mustExist) this.#forgotten(job);
    }
    this.#enqueues.settleUntold();
    this.#checkCounts(counts);
  }

  /** Completed and no longer kept, or removed: it never comes back. */
  #forgotten(job: JobHistory): void {
    if (job.mayBeCompleted) job.acked ??= { token: [...job.acksAsked.keys()].at(-1) ?? '', atMs: 0 };
    else job.ended ??= { how: 'remove', atMs: 0 };
    job.doubtedAckMs = undefined;
    this.#ledger.live.delete(job);
  }

  #checkCounts(counts: StoreCounts['counts']): void {
    const shown = new Map<string, number>();
    for (const { queue, state } of this.#rows.values()) add(shown, `${queue} ${due(state)}`, 1);
    const counted = new Map<string, number>();
    for (const [queue, states] of Object.entries(counts)) {
      for (const [state, count] of Object.entries(states)) if (count > 0) add(counted, `${queue} ${due(state)}`, count);
    }
    for (const place of new Set([...shown.keys(), ...counted.keys()])) {
      const [rows, count] = [shown.get(place) ?? 0, counted.get(place) ?? 0];
      if (rows !== count) this.#ledger.violated('conservation', `${place}: ${count} counted, ${rows} shown`);
    }
  }
}

/** A scheduled job may become ready between two looks. */
function due(state: string): string {
  return state === 'scheduled' || state === 'ready' ? 'scheduled or ready' : state;
}

function add(counts: Map<string, number>, place: string, count: number): void {
  counts.set(place, (counts.get(place) ?? 0) + count);
}
