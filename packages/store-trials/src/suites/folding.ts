import { expect } from 'vitest';
import type { ReadableRig } from './at-once.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
/** So often the lines of a ledger are doubled: many more than one piece of it. */
const DOUBLINGS = 15;

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
}
