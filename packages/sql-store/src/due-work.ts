import { leaseExpiredError } from '@holdfast/contract/rules';
import { STEP_ROWS } from './counts.js';
import { errorColumns } from './settling.js';
import type { FailedLease, LookRow, OverdueRow, SqlDatabase } from './statements.js';

/** Whatever else is done, what is due is looked for this often. */
const LOOK_AGAIN_MS = 100;

export interface DueWorkOptions {
  readonly database: SqlDatabase;
  /** Jobs of these queues became ready. */
  readonly ready: (queueIds: readonly number[]) => void;
}

/** A step of what is due at this moment. @returns how many rows; fewer than `STEP_ROWS` where there are no more */
type DueStep = () => Promise<number>;

/** Jobs and leases whose time has come. Each step takes rows that nobody else is taking. */
export class DueWork {
  /** In how many milliseconds something else is due that was known by the last look. */
  nextInMs = Number.POSITIVE_INFINITY;
  readonly #options: DueWorkOptions;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DueWorkOptions) {
    this.#options = options;
  }

  async look(): Promise<LookRow> {
    const [look] = await this.#options.database.run('look', []);
    if (look === undefined) throw new Error('The database answered nothing when it was asked what is due.');
    this.#lookedAtMs = performance.now();
    this.nextInMs = nextOf(look);
    return look;
  }

  /** Does what is due by a look, and what comes to be due meanwhile. */
  async do(look: LookRow): Promise<void> {
    for (let steps = this.#stepsOf(look); steps.length > 0; ) {
      const isDone = await inTurns(steps);
      // What comes after the first that was due is seen only now.
      const later = await this.look();
      // What is still due is held by somebody, and is looked at again in good time.
      steps = isDone ? [] : this.#stepsOf(later);
    }
  }

  /** To be called between the pieces of any other work. */
  async meanwhile(): Promise<void> {
    if (performance.now() - this.#lookedAtMs >= LOOK_AGAIN_MS) await this.do(await this.look());
  }

  #stepsOf(look: LookRow): DueStep[] {
    const all: readonly (readonly [number | null, DueStep])[] = [
      [look.lease_ends_in_ms, () => this.#endLeases()],
      [look.job_expires_in_ms, () => this.#expireJobs()],
      [look.due_in_ms, () => this.#promote()],
    ];
    return all.flatMap(([inMs, step]) => (isOver(inMs) ? [step] : []));
  }

  async #endLeases(): Promise<number> {
    const rows = await this.#options.database.transaction(async (queries) => {
      const overdue = await queries.run('overdueLeases', [STEP_ROWS]);
      return overdue.length === 0 ? [] : queries.run('fail', [overdue.map(endOf), 'leaseExpired']);
    });
    this.#options.ready(
      rows.filter(({ waits_ms }) => waits_ms !== null && waits_ms <= 0).map(({ queue_id }) => queue_id),
    );
    return rows.length;
  }

  async #expireJobs(): Promise<number> {
    return (await this.#options.database.run('expireJobs', [STEP_ROWS])).length;
  }

  async #promote(): Promise<number> {
    const rows = await this.#options.database.run('promote', [STEP_ROWS]);
    this.#options.ready(rows.map(({ queue_id }) => queue_id));
    return rows.reduce((sum, { count }) => sum + count, 0);
  }
}

/** A step of each, again and again, for a while. @returns whether all is done: much of one kind holds up none of another */
async function inTurns(steps: readonly DueStep[]): Promise<boolean> {
  const untilMs = performance.now() + LOOK_AGAIN_MS;
  let left = steps;
  while (left.length > 0 && performance.now() < untilMs) {
    const more: DueStep[] = [];
    for (const step of left) if ((await step()) >= STEP_ROWS) more.push(step);
    left = more;
  }
  return left.length === 0;
}

/** Whether something is due that a look saw. */
export function isOver(inMs: number | null): boolean {
  return inMs !== null && inMs <= 0;
}

function nextOf({ job_expires_in_ms, due_in_ms, lease_ends_in_ms }: LookRow): number {
  const next = [job_expires_in_ms, due_in_ms, lease_ends_in_ms].filter((inMs) => inMs !== null && inMs > 0);
  return Math.min(...next.map(Number));
}

function endOf({ number, token, worker, lease_ms, late_ms }: OverdueRow): FailedLease {
  const error = errorColumns(leaseExpiredError(worker, lease_ms, late_ms));
  return { number, token, ending: 'backoff', retry_ms: 0, late_ms, ...error };
}
