import type { JobError, Retention, RetentionBounds } from '@holdfast/contract';
import {
  boundsOf,
  keptUntilMs,
  STORE_LIMITS as LIMITS,
  leaseExpiredError,
  retentionOf,
} from '@holdfast/contract/rules';
import type { Database } from './database.js';
import { type EndedAttempt, failColumns } from './settling.js';
import { STEP_ROWS, STEPS } from './sql/parts.js';
import type { StoreStatements } from './statements.js';
import { givenText } from './stored-text.js';

/** Events are kept for those who read them a little later. */
const EVENTS_KEPT_MS = 120_000;
/** What is forgotten without hurry is looked for this often. */
const SLOW_MS = 30_000;
const GRAIN_MS_MAX = 60_000;

interface LookRow {
  readonly at_ms: number;
  readonly due_in_ms: number | null;
  readonly lease_ends_in_ms: number | null;
  readonly job_expires_in_ms: number | null;
  readonly to_fold: boolean;
  readonly to_fold_deaths: boolean;
}

interface OverdueRow {
  readonly number: number;
  readonly token: number;
  readonly worker: string;
  readonly lease_ms: number;
  readonly late_ms: number;
}

interface HeadRow {
  readonly queue_id: number;
  readonly name: string;
  readonly state: 'completed' | 'cancelled' | 'dead';
  readonly ended_at_ms: number;
  readonly at_ms: number;
}

export interface SweepingOptions {
  readonly database: Database;
  readonly statements: StoreStatements;
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
    const { database, statements } = this.#options;
    const look = await this.#look();
    const nextMs = await this.#due(look);
    const isChanged = look.to_fold || [look.job_expires_in_ms, look.due_in_ms, look.lease_ends_in_ms].some(isOver);
    if (isChanged) await database.run(statements.fold);
    if (isChanged || look.to_fold_deaths) await database.run(statements.foldDeaths);
    if (isChanged || look.at_ms >= this.#retainAtMs) await this.retain();
    await this.#slowly();
    return nextMs;
  }

  async #look(): Promise<LookRow> {
    const [look] = await this.#options.database.run<LookRow>(this.#options.statements.look);
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
    const { database, statements } = this.#options;
    const rows = await database.transaction(async (queries) => {
      const overdue = await queries.run<OverdueRow>(statements.overdueLeases);
      if (overdue.length === 0) return [];
      const columns = failColumns(overdue.map(endOf), 'leaseExpired');
      const refs = [overdue.map(({ number }) => number), overdue.map(({ token }) => token)];
      return queries.run<{ queue_id: number; waits_ms: number | null }>(statements.fail, [...refs, ...columns]);
    });
    this.#options.ready(
      rows.filter(({ waits_ms }) => waits_ms !== null && waits_ms <= 0).map(({ queue_id }) => queue_id),
    );
    return rows.length;
  }

  /** Forgets jobs that were kept for long enough. */
  async retain(): Promise<void> {
    const { database, statements, retention } = this.#options;
    this.#retainAtMs = Number.POSITIVE_INFINITY;
    for (const head of await database.run<HeadRow>(statements.endedHeads)) {
      const bounds = boundsOf(retentionOf(retention, givenText(head.name)), head.state);
      if (bounds === undefined) continue;
      await this.#retainQueue(head, bounds);
      if (bounds.ageMs !== null)
        this.#retainAtMs = Math.min(this.#retainAtMs, keptUntilMs(head.ended_at_ms, bounds.ageMs));
    }
  }

  async #retainQueue(head: HeadRow, { count, ageMs, bytes }: RetentionBounds): Promise<void> {
    const { beyondCount, beyondAge, beyondBytes } = this.#options.statements;
    const of = [head.queue_id, head.state];
    await this.#forget(head, () => this.#numbers(beyondCount, [...of, count, STEP_ROWS]));
    if (ageMs !== null && keptUntilMs(head.ended_at_ms, ageMs) <= head.at_ms) {
      const grainMs = Math.max(1, Math.min(GRAIN_MS_MAX, Math.floor(ageMs / 100)));
      await this.#forget(head, () => this.#numbers(beyondAge, [...of, ageMs, grainMs, STEP_ROWS]));
    }
    if (bytes !== null) await this.#forget(head, () => this.#numbers(beyondBytes, [...of, bytes, STEP_ROWS]));
  }

  async #numbers(statement: StoreStatements['beyondAge'], values: readonly unknown[]): Promise<number[]> {
    const rows = await this.#options.database.run<{ number: number }>(statement, values);
    return rows.map(({ number }) => number);
  }

  async #forget({ state }: HeadRow, find: () => Promise<number[]>): Promise<void> {
    const { database, statements } = this.#options;
    await this.#repeat(async () => {
      const numbers = await find();
      if (numbers.length > 0) await database.run(statements.forget, [numbers, state]);
      return numbers.length;
    });
  }

  async #expireJobs(): Promise<number> {
    const { database, statements } = this.#options;
    return (await database.run(statements.expireJobs)).length;
  }

  async #promote(): Promise<number> {
    const { database, statements } = this.#options;
    const rows = await database.run<{ queue_id: number; count: number }>(statements.promote);
    this.#options.ready(rows.map(({ queue_id }) => queue_id));
    return rows.reduce((sum, { count }) => sum + count, 0);
  }

  async #slowly(): Promise<void> {
    if (performance.now() - this.#slowAtMs < SLOW_MS) return;
    this.#slowAtMs = performance.now();
    const { database, statements } = this.#options;
    await database.run(statements.forgetEvents, [EVENTS_KEPT_MS]);
    await database.run(statements.forgetLeaseExpiries, [LIMITS.leaseExpiriesKept]);
    await database.run(statements.forgetDeaths);
    await database.run(statements.forgetThroughput, [2 * STEPS]);
    await database.run(statements.forgetWindows);
    await database.run(statements.forgetRequests, [LIMITS.requestKeptMs, LIMITS.requestsKept, LIMITS.requestJobsKept]);
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

function endOf({ worker, lease_ms, late_ms }: OverdueRow): EndedAttempt {
  const error: JobError = leaseExpiredError(givenText(worker), lease_ms, late_ms);
  return { ending: 'backoff', retryMs: 0, lateMs: late_ms, error };
}
