import type { LeaseRef, SettleAnswer } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, FAILURE, present, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

type Settle = (bench: Bench, refs: readonly LeaseRef[]) => Promise<SettleAnswer[]>;

/** Every call that speaks of a lease, in a form that leaves no doubt that it was applied. */
const settleCalls: Readonly<Record<string, Settle>> = {
  ack: ({ store }, refs) => store.ack(refs),
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  fail: ({ store }, refs) => store.fail(refs.map((ref) => ({ ...ref, error: FAILURE, then: 'dead' as const }))),
  release: ({ store }, refs) => store.release(refs),
  extend: ({ store }, refs) => store.extend(refs.map((ref) => ({ ...ref, leaseMs: 60_000 }))),
};

const UNKNOWN = ['unknown', '', '1', 'zzzzz-1', "'; drop table jobs; --", '\u0000', 'é'.repeat(300)];

/** How a lease can end; afterwards its token is worth nothing. */
const endings: Readonly<Record<string, (bench: Bench, ref: LeaseRef) => Promise<unknown>>> = {
  // Long enough that the job does not come back while the others are looked at.
  fail: (bench, ref) => bench.fail(ref, 60_000),
  death: (bench, ref) => bench.fail(ref, 'dead'),
  release: (bench, ref) => bench.release(ref),
  'release with a delay': (bench, ref) => bench.release(ref, 60_000),
  'release and a new lease': async (bench, ref) => {
    await bench.release(ref);
    await bench.claimOne();
  },
};

async function settleWith(bench: Bench, call: string, refs: readonly LeaseRef[]): Promise<SettleAnswer[]> {
  return present(settleCalls[call])(bench, refs);
}

export const settlingRules: Rules = {
  async 'answers missing for jobs that it does not know, whatever their ids look like'(bench) {
    for (const call of Object.keys(settleCalls)) {
      const answers = await settleWith(
        bench,
        call,
        UNKNOWN.map((id) => ({ id, token: 'token' })),
      );
      expect(answers, call).toEqual(UNKNOWN.map(() => 'missing'));
    }
  },

  async 'answers stale for every token but that of the live lease, and changes nothing'(bench) {
    const { id, token } = await bench.leased({}, { leaseMs: 60_000 });
    const before = (await bench.job(id)).attemptLog;
    for (const call of Object.keys(settleCalls)) {
      for (const wrong of ['', 'x', `${token}0`, token.slice(1), token.toUpperCase().replaceAll('0', 'O'), '\u0000']) {
        if (wrong === token) continue;
        expect(await settleWith(bench, call, [{ id, token: wrong }]), `${call} ${wrong}`).toEqual(['stale']);
      }
    }
    expect(await bench.job(id)).toMatchObject({ state: 'leased', attempts: 1, attemptLog: before });
    expect((await bench.store.leases(1))[0]).toMatchObject({ token, extensions: 0, leaseMs: 60_000 });
    expect(await bench.ack({ id, token })).toBe('ok');
  },

  async 'answers stale for a lease that has ended, however it did'(bench) {
    for (const [how, end] of Object.entries(endings)) {
      const ref = refOf(await bench.leased());
      await end(bench, ref);
      const { state, attempts, updatedAtMs } = await bench.job(ref.id);
      for (const call of Object.keys(settleCalls)) {
        expect(await settleWith(bench, call, [ref]), `${call} after ${how}`).toEqual(['stale']);
      }
      expect(await bench.job(ref.id), how).toMatchObject({ state, attempts, updatedAtMs });
      for (const job of [...(await bench.store.leases(10)), ...(await bench.claim())]) await bench.ack(job);
    }
  },

  async 'answers stale to all but the same ack once a job is completed'(bench) {
    const ref = refOf(await bench.leased());
    await bench.ack(ref);
    for (const call of ['fail', 'release', 'extend'])
      expect(await settleWith(bench, call, [ref]), call).toEqual(['stale']);
    expect(await bench.ack({ ...ref, token: 'another' })).toBe('stale');
    expect(await bench.state(ref.id)).toBe('completed');
  },

  async 'answers ok to a repeated ack, and keeps the first result'(bench) {
    const ref = refOf(await bench.leased());
    expect(await bench.ack(ref, 'first')).toBe('ok');
    const { updatedAtMs } = await bench.job(ref.id);
    await bench.time.advance(bench.time.graceMs);
    expect(await bench.ack(ref, 'second')).toBe('ok');
    expect(await bench.ack(ref)).toBe('ok');
    expect(await bench.job(ref.id)).toMatchObject({ state: 'completed', result: 'first', updatedAtMs });
    expect((await bench.store.metrics()).totals.completed).toBe(1);
  },

  async 'answers ok twice to an ack that stands twice in a call, and completes once'(bench) {
    const ref = refOf(await bench.leased());
    expect(
      await bench.store.ack([
        { ...ref, result: 'a' },
        { ...ref, result: 'b' },
      ]),
    ).toEqual(['ok', 'ok']);
    expect(await bench.job(ref.id)).toMatchObject({ state: 'completed', result: 'a' });
    expect((await bench.store.queues())[0]?.counts).toMatchObject({ completed: 1, leased: 0 });
  },

  async 'applies only the first of two failures or releases of one lease in a call'(bench) {
    for (const call of ['fail', 'release']) {
      const ref = refOf(await bench.leased());
      expect(await settleWith(bench, call, [ref, ref]), call).toEqual(['ok', 'stale']);
      for (const job of await bench.claim()) await bench.ack(job);
    }
  },

  async 'answers each item of a mixed call, in input order'(bench) {
    for (const call of Object.keys(settleCalls)) {
      await bench.enqueue({}, {}, {});
      const [one, two, three] = (await bench.claim()).map(refOf);
      const lost = { id: present(two).id, token: 'x' };
      const refs = [present(one), { id: 'unknown', token: 'x' }, lost, present(three)];
      expect(await settleWith(bench, call, refs), call).toEqual(['ok', 'missing', 'stale', 'ok']);
      expect(await bench.state(present(two).id)).toBe('leased');
      for (const { id, token } of await bench.store.leases(10)) await bench.ack({ id, token });
      for (const job of await bench.claim()) await bench.ack(job);
    }
  },

  async 'answers nothing for no items'(bench) {
    for (const call of Object.keys(settleCalls)) expect(await settleWith(bench, call, []), call).toEqual([]);
  },

  async 'keeps a result as it was, text or bytes or none'(bench) {
    await bench.enqueue({}, {}, {});
    const [one, two, three] = (await bench.claim()).map(refOf);
    const bytes = Uint8Array.of(0, 255, 128);
    await bench.store.ack([{ ...present(one), result: '{"a":1}' }, { ...present(two), result: bytes }, present(three)]);
    bytes.fill(7);
    expect((await bench.job(present(one).id)).result).toBe('{"a":1}');
    expect([...((await bench.job(present(two).id)).result ?? [])]).toEqual([0, 255, 128]);
    expect(await bench.job(present(three).id)).not.toHaveProperty('result');
  },

  async 'notes when and by whom an attempt was completed'(bench) {
    const job = await bench.leased({}, { worker: 'worker-7' });
    await bench.time.advance(100);
    await bench.ack(job);
    const { attemptLog, updatedAtMs } = await bench.job(job.id);
    expect(attemptLog).toMatchObject([
      { attempt: 1, worker: 'worker-7', outcome: 'completed', endedAtMs: updatedAtMs },
    ]);
    expect(attemptLog[0]?.endedAtMs).toBeGreaterThan(attemptLog[0]?.startedAtMs ?? Number.NaN);
    expect(await bench.claim()).toEqual([]);
  },
};
