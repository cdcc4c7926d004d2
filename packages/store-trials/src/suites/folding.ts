import { expect } from 'vitest';
import type { ReadableRig } from './at-once.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
/** So often the lines of a ledger are doubled: many more than one piece of it. */
const DOUBLINGS = 15;
const QUEUES = 1000;

/** Nobody folded for long: the leader was gone, or it looks seldom. */
export function exerciseFolding<Transaction>(
  overRig: (name: string, test: (rig: ReadableRig<Transaction>) => Promise<void>) => void,
): void {
  overRig(
    'one sweep folds all that is in the ledger, however much it is, and every count stays as it is',
    async (rig) => {
      const store = await rig.open({ sweepMs: 60_000 });
      await store.enqueue([JOB]);
      await store.sweepNow();
      const { schema } = rig;
      const line = 'queue_id, step, total_enqueued, completed';
      await rig.query(`insert into ${schema}.ledger (${line}) select id, 0, 1, 2 from ${schema}.queue`);
      for (let doubling = 0; doubling < DOUBLINGS; doubling++) {
        await rig.query(`insert into ${schema}.ledger (${line}) select ${line} from ${schema}.ledger`);
      }
      const counts = async () => (await store.queues())[0]?.counts;
      const before = await counts();
      expect(before).toMatchObject({ ready: 1, completed: 2 ** (DOUBLINGS + 1) });
      await store.sweepNow();
      expect(await rig.query(`select * from ${schema}.ledger limit 1`)).toEqual([]);
      expect(await counts()).toEqual(before);
      expect((await store.metrics()).totals.enqueued).toBe(2 ** DOUBLINGS + 1);
    },
  );

  overRig('the list of very many queues tells of each what is in it, folded or not', async (rig) => {
    const store = await rig.open({ sweepMs: 60_000 });
    const names = Array.from({ length: QUEUES }, (_, index) => `queue-${String(index).padStart(5, '0')}`);
    const jobs = names.map((queue) => ({ ...JOB, queue }));
    await store.enqueue(jobs.slice(0, QUEUES / 2));
    await store.sweepNow();
    await store.enqueue(jobs.slice(QUEUES / 2));
    await store.enqueue([{ ...JOB, queue: names[0] ?? '' }]);
    const all = await store.queues();
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(all.map(({ counts }) => counts.ready)).toEqual([2, ...names.slice(1).map(() => 1)]);
    expect(all.every(({ oldestReadyAtMs }) => oldestReadyAtMs !== undefined)).toBe(true);
    const enqueued = all.map(({ throughput }) => throughput.enqueued.reduce((sum, count) => sum + count, 0));
    expect(enqueued).toEqual(all.map(({ counts }) => counts.ready));
    const few = [names[0] ?? '', names.at(-1) ?? '', 'unknown'];
    expect((await store.queues(few)).map(({ name, counts }) => [name, counts.ready])).toEqual([
      [names[0], 2],
      [names.at(-1), 1],
    ]);
  });
}
