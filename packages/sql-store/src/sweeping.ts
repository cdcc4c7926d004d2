import type { Retention, RetentionBounds } from '@holdfast/contract';
import { boundsOf, keptUntilMs, STORE_LIMITS as LIMITS, retentionOf } from '@holdfast/contract/rules';
import { STEP_ROWS, STEPS } from './counts.js';
import { DueWork, isOver } from './due-work.js';
import type { HeadRow, SqlDatabase } from './statements.js';

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

/**
 * What is due at this moment, done once. Each step takes rows that nobody else is taking, so several processes may do it at once. What has time is done in pieces,
 * between which it makes way for jobs and leases whose time comes.
 */
export class Sweeping {
  readonly #options: SweepingOptions;
  readonly #due: DueWork;
  #slowAtMs = Number.NEGATIVE_INFINITY;
  /** Time of the database at which a job may be too old to be kept, though nothing else happens. */
  #retainAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SweepingOptions) {
    this.#options = options;
    this.#due = new DueWork(options);
  }

  /** @returns in how many milliseconds something else is due that is known by now */
  async due(): Promise<number> {
    await this.#due.do(await this.#due.look());
    return this.#due.nextInMs;
  }

  /** That, and everything that need not be done to the millisecond. */
  async all(): Promise<number> {
    const look = await this.#due.look();
    await this.#due.do(look);
    const isChanged = look.to_fold || [look.job_expires_in_ms, look.due_in_ms, look.lease_ends_in_ms].some(isOver);
    if (isChanged) await this.#catchUp('fold');
    if (isChanged || look.to_catch_up) await this.#catchUp('catchUp');
    if (isChanged || look.at_ms >= this.#retainAtMs) await this.#retain();
    await this.#slowly();
    await this.#due.meanwhile();
    return this.#due.nextInMs;
  }

  /** Until nothing is left of it, however much there was: what is not folded makes every count slower. */
  async #catchUp(name: 'fold' | 'catchUp'): Promise<void> {
    await this.#inPieces(async () => (await this.#options.database.run(name, [])).some(({ more }) => more));
  }

  /** Forgets jobs that were kept for long enough. Where it fails it is done again with the next look. */
  async #retain(): Promise<void> {
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
    await this.#inPieces(async () => {
      const numbers = (await find()).map(({ number }) => number);
      if (numbers.length > 0) await this.#options.database.run('forget', [numbers, state]);
      return numbers.length >= STEP_ROWS;
    });
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

  /** @param piece answers whether there may be more */
  async #inPieces(piece: () => Promise<boolean>): Promise<void> {
    for (let more = true; more; ) {
      more = await piece();
      await this.#due.meanwhile();
    }
  }
}
