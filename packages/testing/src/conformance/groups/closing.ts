import { type JobStore, StoreClosedError } from '@holdfast/contract';
import { expect } from 'vitest';
import { CLAIM, FAILURE, JOB } from '../bench.js';
import type { Rules } from '../rules.js';

const REF = { id: 'x', token: 'x' };

const everyCall: Readonly<Record<string, (store: JobStore) => Promise<unknown>>> = {
  enqueue: (store) => store.enqueue([JOB]),
  claim: (store) => store.claim(CLAIM),
  'waiting claim': (store) => store.claim({ ...CLAIM, waitMs: 1000 }),
  ack: (store) => store.ack([REF]),
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  fail: (store) => store.fail([{ ...REF, error: FAILURE, then: 'dead' }]),
  release: (store) => store.release([REF]),
  extend: (store) => store.extend([{ ...REF, leaseMs: 1000 }]),
  queues: (store) => store.queues(),
  'queues by name': (store) => store.queues([]),
  job: (store) => store.job('x'),
  browse: (store) => store.browse({}, { limit: 1 }),
  redrive: (store) => store.redrive({ ids: ['x'] }, { actor: 'olga' }),
  cancel: (store) => store.cancel({ ids: ['x'] }, { actor: 'olga' }),
  remove: (store) => store.remove({ ids: ['x'] }, { actor: 'olga' }),
  runNow: (store) => store.runNow({ ids: ['x'] }, { actor: 'olga' }),
  reprioritise: (store) => store.reprioritise({ ids: ['x'] }, 1, { actor: 'olga' }),
  transfer: async (store) => {
    if (store.transfer === undefined) throw new StoreClosedError();
    return store.transfer({ ids: ['x'] }, 'bulk', { actor: 'olga' });
  },
  clone: (store) => store.clone('x', { actor: 'olga' }),
  pause: (store) => store.pause('mail', { actor: 'olga' }),
  resume: (store) => store.resume('mail', { actor: 'olga' }),
  leases: (store) => store.leases(1),
  leaseExpiries: (store) => store.leaseExpiries(),
  metrics: (store) => store.metrics(),
  storage: (store) => store.storage(),
};

export const closingRules: Rules = {
  async 'refuses every later call'({ store }) {
    await store.close();
    for (const [name, call] of Object.entries(everyCall)) {
      const error = await call(store).catch((reason: unknown) => reason);
      expect(error, name).toBeInstanceOf(StoreClosedError);
      expect(error, name).toMatchObject({ code: 'STORE_CLOSED', outcome: 'rejected' });
    }
  },

  async 'may be asked for again, at once and later'({ store }) {
    await Promise.all([store.close(), store.close()]);
    await store.close();
  },

  async 'shows in its health'({ store }) {
    await store.close();
    const { status, detail } = store.health();
    expect(status).toBe('closed');
    expect(detail).toBeTruthy();
  },

  async 'answers what was asked before'(bench) {
    const leased = await bench.leased();
    const answers = Promise.all([bench.enqueue({}), bench.ack(leased), bench.store.queues()]);
    await bench.store.close();
    const [enqueued, acked, queues] = await answers;
    expect(enqueued).toHaveLength(1);
    expect(acked).toBe('ok');
    expect(queues).toHaveLength(1);
  },

  async 'ends with jobs leased and claims waiting'(bench) {
    await bench.leased();
    const waiting = bench.claim({ waitMs: 60_000 });
    await bench.time.settle();
    await bench.store.close();
    expect(await waiting).toEqual([]);
  },
};
