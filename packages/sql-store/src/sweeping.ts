import type { Retention, RetentionBounds } from '@holdfast/contract';
import {
  boundsOf,
  keptUntilMs,
  STORE_LIMITS as LIMITS,
  leaseExpiredError,
  retentionOf,
} from '@holdfast/contract/rules';
import { STEP_ROWS, STEPS } from './counts.js';
import { errorColumns } from './settling.js';
import type { FailedLease, HeadRow, LookRow, OverdueRow, SqlDatabase } from './statements.js';

/** Events are kept for those who read them a little later. */
const EVENTS_KEPT_MS = 120_000;
/** What is forgotten without hurry is looked for this often. */
const SLOW_MS = 30_000;
const GRAIN_MS_MAX = 60_000;

export interface SweepingOptions {
  readonly database: SqlDatabase;
  readonly retention: Retention;
  /** Jobs of these queues became ready. */
  readonly ready: (queueIds: readonly number[]) => void;
}

/** What is due at this moment, done once. Each step takes rows that nobody else is taking, so several processes may do it at once. */
export class Sweeping {
  readonly #options: SweepingOptions;
  #slowAtMs = Number.NEGATIVE_INFINITY;
  /** Time of the database at which a job may be too old to be kept, though nothing else happens. */
  #retainAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SweepingOptions) {
    this.#options = options;
  }

  /** @returns in how many milliseconds something else is due that is known by now */
  async due(): Promise<number> {
    return this.#due(await this.#look());
  }

  /** That, and everything that need not be done to the millisecond. */
  async all(): Promise<number> {
    const look = await this.#look();
    const nextMs = await this.#due(look);
    const isChanged = look.to_fold || [look.job_expires_in_ms, look.due_in_ms, look.lease_ends_in_ms].some(isOver);
    const { database } = this.#options;
    if (isChanged) await database.run('fold', []);
    if (isChanged || look.to_catch_up) await database.run('catchUp', []);
    if (isChanged || look.at_ms >= this.#retainAtMs) await this.retain();
    await this.#slowly();
    return nextMs;
  }

  async #look(): Promise<LookRow> {
    const [look] = await this.#options.database.run('look', []);
    if (look === undefined) throw new Error('The database answered nothing when it was asked what is due.');
    return look;
  }

  async #due(look: LookRow): Promise<number> {
    const [expires, due, leaseEnds] = [look.job_expires_in_ms, look.due_in_ms, look.lease_ends_in_ms];
    if (isOver(expires)) await this.#repeat(() => this.#expireJobs());
    if (isOver(due)) await this.#repeat(() => this.#promote());
    if (isOver(leaseEnds)) await this.#repeat(() => this.endLeases());
    // What comes after the first that was due is seen only now.
    return nextOf([expires, due, leaseEnds].some(isOver) ? await this.#look() : look);
  }

  /** Ends leases whose time is over. @returns how many */
  async endLeases(): Promise<number> {
    const rows = await this.#options.database.transaction(async (queries) => {
      const overdue = await queries.run('overdueLeases', [STEP_ROWS]);
      return overdue.length === 0 ? [] : queries.run('fail', [overdue.map(endOf), 'leaseExpired']);
    });
    this.#options.ready(
      rows.filter(({ waits_ms }) => waits_ms !== null && waits_ms <= 0).map(({ queue_id }) => queue_id),
    );
    return rows.length;
  }

  /** Forgets jobs that were kept for long enough. Where it fails it is done again with the next look. */
  async retain(): Promise<void> {
    const { database, retention } = this.#options;
    this.#retainAtMs = Number.NEGATIVE_INFINITY;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const head of await database.run('endedHeads', [])) {
      const bounds = boundsOf(retentionOf(retention, head.name), head.state);
      if (bounds === undefined) continue;
      await this.#retainQueue(head, bounds);
      if (bounds.ageMs !== null) nextMs = Math.min(nextMs, keptUntilMs(head.ended_at_ms, bounds.ageMs));
    }
    this.#retainAtMs = nextMs;
  }

  async #retainQueue(head: HeadRow, { count, ageMs, bytes }: RetentionBounds): Promise<void> {
    const { database } = this.#options;
    const of = [head.queue_id, head.state] as const;
    await this.#forget(head, () => database.run('beyondCount', [...of, count, STEP_ROWS]));
    if (ageMs !== null && keptUntilMs(head.ended_at_ms, ageMs) <= head.at_ms) {
      const grainMs = Math.max(1, Math.min(GRAIN_MS_MAX, Math.floor(ageMs / 100)));
      await this.#forget(head, () => database.run('beyondAge', [...of, ageMs, grainMs, STEP_ROWS]));
    }
    if (bytes !== null) await this.#forget(head, () => database.run('beyondBytes', [...of, bytes, STEP_ROWS]));
  }

  async #forget({ state }: HeadRow, find: () => Promise<readonly { readonly number: number }[]>): Promise<void> {
    await this.#repeat(async () => {
      const numbers = (await find()).map(({ number }) => number);
      if (numbers.length > 0) await this.#options.database.run('forget', [numbers, state]);
      return numbers.length;
    });
  }

  async #expireJobs(): Promise<number> {
    return (await this.#options.database.run('expireJobs', [STEP_ROWS])).length;
  }

  async #promote(): Promise<number> {
    const rows = await this.#options.database.run('promote', [STEP_ROWS]);
    this.#options.ready(rows.map(({ queue_id }) => queue_id));
    return rows.reduce((sum, { count }) => sum + count, 0);
  }

  async #slowly(): Promise<void> {
    if (performance.now() - this.#slowAtMs < SLOW_MS) return;
    this.#slowAtMs = performance.now();
    const { database } = this.#options;
    await database.run('forgetEvents', [EVENTS_KEPT_MS]);
    await database.run('forgetLeaseExpiries', [LIMITS.leaseExpiriesKept]);
    await database.run('forgetDeaths', []);
    await database.run('forgetThroughput', [2 * STEPS]);
    await database.run('forgetWindows', []);
    await database.run('forgetRequests', [LIMITS.requestKeptMs, LIMITS.requestsKept, LIMITS.requestJobsKept]);
  }

  /** As long as there was a whole step of rows. */
  async #repeat(step: () => Promise<number>): Promise<void> {
    while ((await step()) >= STEP_ROWS);
  }
}

function nextOf({ job_expires_in_ms, due_in_ms, lease_ends_in_ms }: LookRow): number {
  // What is still due is held by somebody, and is looked at again in good time.
  const next = [job_expires_in_ms, due_in_ms, lease_ends_in_ms].filter((inMs) => inMs !== null && inMs > 0);
  return Math.min(...next.map(Number));
}

function isOver(inMs: number | null): boolean {
  return inMs !== null && inMs <= 0;
}

function endOf({ number, token, worker, lease_ms, late_ms }: OverdueRow): FailedLease {
  const error = errorColumns(leaseExpiredError(worker, lease_ms, late_ms));
  return { number, token, ending: 'backoff', retry_ms: 0, late_ms, ...error };
}
