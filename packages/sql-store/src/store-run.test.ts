import type { JobStore } from '@holdfast/contract';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionConnection } from './session-link.js';
import { SqlStore } from './sql-store.js';
import type { MetaRow, SqlDatabase } from './statements.js';
import { StoreCondition } from './store-condition.js';

const META: MetaRow = { store_id: '0'.repeat(32), last_expiry: 0, at_ms: 1_700_000_000_000, is_new: false };
const ACTS = ['end of the session', 'end of the pool'];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers what a store asks when it opens, and then nothing any more. */
class Vanishing implements SqlDatabase {
  readonly silenceMs = 30_000;
  isGone = false;
  readonly done: string[] = [];

  run(name: string): Promise<never[]> {
    if (this.isGone) return new Promise(() => {});
    const rows: Record<string, readonly object[]> = { meta: [META], nextProcess: [{ id: 1 }] };
    return Promise.resolve((rows[name] ?? []) as never[]);
  }

  async transaction<Answer>(): Promise<Answer> {
    throw new Error('Nothing here is done in several steps.');
  }

  async connect(): Promise<SessionConnection> {
    const never = () => new Promise<never>(() => {});
    const end = () => this.done.push('end of the session');
    return { lostProcesses: 0, queries: this, leads: never, ping: never, leave: never, end };
  }

  async open(): Promise<JobStore> {
    return SqlStore.begin({
      kind: 'test',
      location: 'a test',
      database: this,
      condition: new StoreCondition(String),
      retention: DEFAULT_RETENTION,
      pollMs: 1000,
      pollMsMin: 1000,
      sweepMs: 1000,
      link: this,
      transactions: {
        queriesIn: () => this,
        look: async () => async () => 'ended',
      },
      ends: () => {
        this.done.push('end of the pool');
        return new Promise(() => {});
      },
    });
  }
}

it('closes within seconds where the database does not answer any more, and lets go of its connections', async () => {
  const database = new Vanishing();
  const store = await database.open();
  database.isGone = true;
  void store.queues();
  let isClosed = false;
  void store.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(21_000);
  expect(isClosed).toBe(true);
  expect(database.done).toEqual(ACTS);
  expect(store.health().status).toBe('closed');
});
