import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { expect, it } from 'vitest';
import type { HeadRow, LookRow, SqlDatabase } from './statements.js';
import { Sweeping } from './sweeping.js';

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
