import { InvalidArgumentError, RequestMismatchError } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { JOB, untyped } from '../bench.js';
import type { Rules } from '../rules.js';

const JOBS = [
  { ...JOB, payload: 'a' },
  { ...JOB, payload: 'b', delayMs: 60_000 },
];

export const requestRules: Rules = {
  async 'a repeated request stores nothing and is answered as the first'({ store }) {
    const first = await store.enqueue(JOBS, { requestId: 'one' });
    expect(first.map(({ state }) => state)).toEqual(['ready', 'scheduled']);
    expect(await store.enqueue(structuredClone(JOBS), { requestId: 'one' })).toEqual(first);
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(2);
  },

  async 'requests that are made at once are answered alike'(bench) {
    const { store } = bench;
    const again = () => store.enqueue(JOBS, { requestId: 'one' });
    const [plain, first, ...others] = await Promise.all([bench.enqueue({}), again(), again(), again()]);
    for (const other of others) expect(other).toEqual(first);
    expect(first).not.toContainEqual(plain[0]);
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(3);
  },

  async 'the answer stays what it was, whatever became of the jobs'(bench) {
    const first = await bench.store.enqueue([JOB], { requestId: 'one' });
    await bench.ack(await bench.claimOne());
    expect(await bench.store.enqueue([JOB], { requestId: 'one' })).toEqual(first);
    await bench.store.remove({ ids: first.map(({ id }) => id) }, { actor: 'olga' });
    expect(await bench.store.enqueue([JOB], { requestId: 'one' })).toEqual(first);
    expect((await bench.store.browse({}, { limit: 10 })).rows).toEqual([]);
  },

  async 'other jobs under the same id are refused, and nothing is stored'({ store }) {
    const first = await store.enqueue(JOBS, { requestId: 'one' });
    for (const others of [[JOBS[0]], [...JOBS, JOB], [{ ...JOBS[0], payload: 'c' }, JOBS[1]], JOBS.toReversed()]) {
      const refused = store.enqueue(untyped(others), { requestId: 'one' });
      await expect(refused).rejects.toThrow(RequestMismatchError);
      await expect(refused).rejects.toMatchObject({
        code: 'REQUEST_MISMATCH',
        outcome: 'rejected',
        requestId: 'one',
      });
    }
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(2);
    expect(await store.enqueue(JOBS, { requestId: 'one' })).toEqual(first);
  },

  async 'ids that differ in anything are different requests'({ store }) {
    for (const requestId of ['one', 'One', 'one ', 'one\0', 'öne', 'o\u0308ne']) {
      await store.enqueue([JOB], { requestId });
    }
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(6);
  },

  async 'calls without an id are never repeats'({ store }) {
    await store.enqueue([JOB]);
    await store.enqueue([JOB], {});
    await store.enqueue([JOB]);
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(3);
  },

  async 'an id that cannot be kept is refused by name'({ store }) {
    const long = 'i'.repeat(STORE_LIMITS.requestIdBytesMax);
    expect(await store.enqueue([JOB], { requestId: long })).toHaveLength(1);
    for (const requestId of ['', `${long}i`, '\ud800', 7, null]) {
      const refused = store.enqueue([JOB], { requestId: untyped(requestId) });
      await expect(refused).rejects.toThrow(InvalidArgumentError);
      await expect(refused).rejects.toMatchObject({ argument: 'enqueue.requestId' });
    }
    expect((await store.browse({}, { limit: 10 })).rows).toHaveLength(1);
  },

  async 'a refused call leaves its id free'({ store }) {
    await expect(store.enqueue([untyped({ ...JOB, priority: -1 })], { requestId: 'one' })).rejects.toThrow();
    expect(await store.enqueue([JOB], { requestId: 'one' })).toHaveLength(1);
  },

  async 'an id is free again after a day'(bench) {
    const { clock } = bench;
    const [first] = await bench.store.enqueue([JOB], { requestId: 'one' });
    clock.setWall(STORE_LIMITS.requestKeptMs - 1);
    expect(await bench.store.enqueue([JOB], { requestId: 'one' })).toEqual([first]);
    clock.setWall(1);
    const [second] = await bench.store.enqueue([{ ...JOB, payload: 'new' }], { requestId: 'one' });
    expect(second).not.toEqual(first);
    expect(await bench.store.enqueue([{ ...JOB, payload: 'new' }], { requestId: 'one' })).toEqual([second]);
  },

  async 'a repeat is known after an end of the store, of whatever kind'(bench) {
    const first = await bench.store.enqueue(JOBS, { requestId: 'one' });
    await bench.reopen('killed');
    expect(await bench.store.enqueue(JOBS, { requestId: 'one' })).toEqual(first);
    await bench.reopen('closed');
    expect(await bench.store.enqueue(JOBS, { requestId: 'one' })).toEqual(first);
    await expect(bench.store.enqueue([JOB], { requestId: 'one' })).rejects.toThrow(RequestMismatchError);
    expect((await bench.store.browse({}, { limit: 10 })).rows).toHaveLength(2);
  },
};
