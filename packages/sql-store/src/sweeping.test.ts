import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { afterEach, expect, it, vi } from 'vitest';
import { STEP_ROWS } from './counts.js';
import type { HeadRow, LookRow, Queries, SqlDatabase } from './statements.js';
import { Sweeping } from './sweeping.js';

afterEach(() => {
  vi.useRealTimers();
});

const NOTHING_DUE: LookRow = {
  at_ms: 1_700_000_000_000,
  due_in_ms: null,
  lease_ends_in_ms: null,
  job_expires_in_ms: null,
  to_fold: false,
};
const DAY_MS = 86_400_000;

/** A database with one job that has been completed for longer than it is kept. */
class OldJob implements SqlDatabase {
  isKept = true;
  isDown = false;

  async run(name: string): Promise<never[]> {
    if (this.isDown && name === 'beyondAge') throw new Error('the connection is lost');
    if (name === 'forget') this.isKept = false;
    return this.#rows(name) as never[];
  }

  async transaction<Answer>(): Promise<Answer> {
    throw new Error('Nothing here is done in several steps.');
  }

  #rows(name: string): readonly object[] {
    if (name === 'look') return [NOTHING_DUE];
    if (!this.isKept) return [];
    const { at_ms } = NOTHING_DUE;
    const head: HeadRow = { queue_id: 1, name: 'mail', state: 'completed', ended_at_ms: at_ms - 2 * DAY_MS, at_ms };
    if (name === 'endedHeads') return [head];
    return name === 'beyondAge' ? [{ number: 1 }] : [];
  }
}

it('forgets an old job with the next look where the first one failed, though nothing else has happened', async () => {
  const database = new OldJob();
  const sweeping = new Sweeping({ database, retention: DEFAULT_RETENTION, ready: () => {} });
  database.isDown = true;
  await expect(sweeping.all()).rejects.toThrow('connection is lost');
  database.isDown = false;
  await sweeping.all();
  expect(database.isKept).toBe(false);
});

const PIECE_MS = 50;
const PIECES = 40;

/** Work of one kind for many pieces, each of which takes a while, and meanwhile a lease runs out. */
class MuchToDo implements SqlDatabase {
  readonly done: string[] = [];
  isOverdue = false;
  readonly #kind: string;
  #left = PIECES;

  /** @param kind the statement that does a piece of it */
  constructor(kind: string) {
    this.#kind = kind;
  }

  async run(name: string): Promise<never[]> {
    return (await this.#rows(name)) as never[];
  }

  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer> {
    return work(this);
  }

  async #rows(name: string): Promise<readonly object[]> {
    const isLeft = this.#left > 0;
    const { at_ms } = NOTHING_DUE;
    if (name === 'look') {
      const [due_in_ms, job_expires_in_ms] = ['promote', 'expireJobs'].map((of) =>
        isLeft && this.#kind === of ? 0 : null,
      );
      return [
        { ...NOTHING_DUE, to_fold: true, due_in_ms, job_expires_in_ms, lease_ends_in_ms: this.isOverdue ? 0 : null },
      ];
    }
    if (name === 'endedHeads') return [{ queue_id: 1, name: 'mail', state: 'completed', ended_at_ms: at_ms, at_ms }];
    if (name === 'overdueLeases' && this.isOverdue) {
      this.isOverdue = false;
      this.done.push(name);
    }
    if (name === 'beyondCount' && this.#kind === 'forget' && isLeft) {
      return Array.from({ length: STEP_ROWS }, (_, number) => ({ number }));
    }
    return name === this.#kind && isLeft ? this.#piece(name) : [];
  }

  async #piece(name: string): Promise<readonly object[]> {
    await vi.advanceTimersByTimeAsync(PIECE_MS);
    this.#left--;
    this.done.push(name);
    // In the middle of the pass.
    if (this.#left === PIECES / 2) this.isOverdue = true;
    const more = this.#left > 0;
    return name === 'expireJobs'
      ? Array.from({ length: more ? STEP_ROWS : 1 }, () => ({}))
      : [{ more, queue_id: 1, count: more ? STEP_ROWS : 1 }];
  }
}

it.each(['forget', 'fold', 'catchUp', 'promote', 'expireJobs'])(
  'ends a lease that runs out in the middle of much other work (%s), and goes on with that',
  async (kind) => {
    vi.useFakeTimers();
    const database = new MuchToDo(kind);
    await new Sweeping({ database, retention: DEFAULT_RETENTION, ready: () => {} }).all();
    expect(database.done.filter((name) => name === kind)).toHaveLength(PIECES);
    expect(database.done.indexOf('overdueLeases')).toBeGreaterThan(PIECES / 2 - 1);
    // So soon that nobody notices.
    expect(database.done.indexOf('overdueLeases')).toBeLessThan(PIECES / 2 + 4);
  },
);
