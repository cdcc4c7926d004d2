import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import type { Rules } from '../rules.js';

const HEADERS = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', empty: '', ключ: 'значение' };

export const headerRules: Rules = {
  async 'hands headers and a timeout to the worker, and shows them'(bench) {
    const job = await bench.leased({ headers: HEADERS, timeoutMs: 30_000.5 });
    expect(job).toMatchObject({ timeoutMs: 30_001 });
    expect(job.headers).toEqual(HEADERS);
    expect(await bench.job(job.id)).toMatchObject({ headers: HEADERS, timeoutMs: 30_001 });
  },

  async 'gives nothing to a job that has none'(bench) {
    const job = await bench.leased({ headers: {} });
    for (const shown of [job, await bench.job(job.id)]) {
      expect(shown).not.toHaveProperty('headers');
      expect(shown).not.toHaveProperty('timeoutMs');
    }
  },

  async 'gives each job of a call its own'(bench) {
    await bench.enqueue({ headers: { a: '1' } }, {}, { timeoutMs: 5 }, { headers: { a: '2' }, timeoutMs: 6 });
    const jobs = await bench.claim();
    expect(jobs.map(({ headers, timeoutMs }) => [headers?.a, timeoutMs])).toEqual([
      ['1', undefined],
      [undefined, undefined],
      [undefined, 5],
      ['2', 6],
    ]);
  },

  async 'keeps them as they are, whatever they are called, up to the limit'(bench) {
    const name = 'n'.repeat(STORE_LIMITS.headerNameBytesMax);
    const long = { [name]: 'v'.repeat(STORE_LIMITS.headersBytesMax - name.length) };
    const odd = Object.fromEntries([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['A', 'c'],
      ['a', 'd'],
    ]);
    for (const headers of [long, odd]) {
      const { headers: kept = {} } = await bench.leased({ headers });
      expect(Object.entries(kept)).toEqual(Object.entries(headers));
    }
  },

  async 'a later attempt gets them again'(bench) {
    const first = await bench.leased({ headers: HEADERS, timeoutMs: 7 });
    await bench.release(first);
    expect(await bench.claimOne()).toMatchObject({ id: first.id, headers: HEADERS, timeoutMs: 7 });
  },

  async 'a clone has those of the other job'(bench) {
    const id = await bench.add({ headers: HEADERS, timeoutMs: 7 });
    const cloned = await bench.store.clone(id, { actor: 'olga' });
    expect(await bench.job(cloned?.id ?? '')).toMatchObject({ headers: HEADERS, timeoutMs: 7 });
  },

  async 'survive an end of the store'(bench) {
    const id = await bench.add({ headers: HEADERS, timeoutMs: 7 });
    await bench.reopen('killed');
    expect(await bench.claimOne()).toMatchObject({ id, headers: HEADERS, timeoutMs: 7 });
  },
};
