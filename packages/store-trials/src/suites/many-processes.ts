import { expect, vi } from 'vitest';
import type { OverRig, TrialRig } from './trial-rig.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const BY = { actor: 'olga' };
const WITHIN = { timeout: 15_000, interval: 20 };

/** By what they show. `tells`: whether the database lets one process tell another something at once. */
const TRIALS: Readonly<Record<string, (rig: TrialRig<unknown>, tells: boolean) => Promise<void>>> = {
  async 'a claim that waits in one process is woken by what another one makes ready, or soon finds it'(rig, tells) {
    // So slow that only a notification can have woken anybody; or so often that nobody is waited for long.
    const pollMs = tells ? 60_000 : 200;
    const [one, other] = [await rig.open({ pollMs }), await rig.open({ pollMs })];
    for (const make of [
      () => other.enqueue([JOB]),
      () => other.enqueue([{ ...JOB, delayMs: 300 }]),
      async () => {
        const [cloned] = (await other.browse({ queue: 'mail' }, { limit: 1 })).rows;
        await other.clone(cloned?.id ?? '', BY);
      },
    ]) {
      await one.enqueue([{ ...JOB, queue: 'known' }]);
      const waiting = one.claim({ ...CLAIM, waitMs: 30_000 });
      await make();
      const jobs = await waiting;
      expect(jobs).toHaveLength(1);
      await one.ack(jobs.map(({ id, token }) => ({ id, token })));
    }
  },

  async 'a job that another process cancels or settles is known to be so by its worker'(rig, tells) {
    const [worker, operator] = [await rig.open(), await rig.open()];
    await worker.enqueue([JOB, JOB]);
    const [cancelled, frozen] = (await worker.claim(CLAIM)).map(({ id, token }) => ({ id, token }));
    if (cancelled === undefined || frozen === undefined) throw new Error('There were two jobs.');
    const told: unknown[] = [];
    const stop = worker.onLeasesCancelled((leases) => told.push(...leases));
    await operator.cancel({ ids: [cancelled.id] }, BY);
    if (tells) await vi.waitFor(() => expect(told).toEqual([cancelled]), WITHIN);
    stop();
    expect(await worker.extend([{ ...cancelled, leaseMs: 1000 }])).toEqual(['cancelled']);
    // The lease of a worker that was frozen runs out, somebody else does the job, and the worker comes back to life.
    await worker.extend([{ ...frozen, leaseMs: 100 }]);
    await vi.waitFor(async () => expect(await operator.leases(10)).toEqual([]), WITHIN);
    await operator.runNow({ ids: [frozen.id] }, BY);
    const [again] = await operator.claim(CLAIM);
    expect(again).toMatchObject({ id: frozen.id, attempt: 2 });
    expect(await operator.ack([{ id: frozen.id, token: again?.token ?? '' }])).toEqual(['ok']);
    const error = { class: 'E', message: 'late' };
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    expect(await worker.fail([{ ...frozen, error, then: 'dead' }])).toEqual(['stale']);
    expect(await worker.ack([frozen])).toEqual(['stale']);
    expect(await worker.job(frozen.id)).toMatchObject({ state: 'completed', attempts: 2 });
  },

  async 'events of all processes are heard in each'(rig) {
    const [one, other] = [await rig.open(), await rig.open()];
    const stop = new AbortController();
    const seen: string[] = [];
    const listening = (async () => {
      const events = one.events({ kinds: ['completed', 'dead'], signal: stop.signal });
      for await (const { kind } of events) seen.push(kind);
    })();
    await one.enqueue([JOB, JOB]);
    const [first, second] = (await other.claim(CLAIM)).map(({ id, token }) => ({ id, token }));
    if (first === undefined || second === undefined) throw new Error('There were two jobs.');
    await other.ack([first]);
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    await other.fail([{ ...second, error: { class: 'E', message: 'no' }, then: 'dead' }]);
    await vi.waitFor(() => expect(seen).toEqual(['completed', 'dead']), WITHIN);
    stop.abort();
    await listening;
  },

  async 'another process does what is due when the leader is gone'(rig) {
    const leader = await rig.open({ sweepMs: 100 });
    await vi.waitFor(async () => expect(await rig.leaders()).toBe(1), WITHIN);
    const next = await rig.open({ sweepMs: 100 });
    await leader.enqueue([JOB]);
    await next.claim({ ...CLAIM, leaseMs: 100 });
    await leader.abandon();
    await vi.waitFor(async () => expect(await next.leases(1)).toEqual([]), WITHIN);
  },

  async 'workers of all processes are known, also of one that ended without a word'(rig) {
    const [one, other] = [await rig.open(), await rig.open()];
    await one.enqueue([JOB, { ...JOB, queue: 'print' }]);
    await other.claim({ ...CLAIM, queues: ['print'], worker: 'gone' });
    await other.abandon();
    await one.claim({ ...CLAIM, worker: 'here', names: ['send'] });
    expect(await one.workers()).toMatchObject([
      { name: 'gone', queues: ['print'], busy: 1, free: 0, waiting: false },
      { name: 'here', queues: ['mail'], names: ['send'], busy: 1, waiting: false },
    ]);
    const next = await rig.open();
    await vi.waitFor(async () => {
      expect(await next.workers()).toMatchObject([{ name: 'gone' }, { name: 'here', names: ['send'], busy: 1 }]);
    }, WITHIN);
  },

  async 'sixteen loops of four processes with cancels beside them give no job away twice'(rig) {
    const stores = await Promise.all([rig.open(), rig.open(), rig.open(), rig.open()]);
    const [first] = stores;
    if (first === undefined) throw new Error('There are four.');
    const jobs = await first.enqueue(Array.from({ length: 400 }, (_, index) => ({ ...JOB, priority: index % 3 })));
    const tokens = new Set<string>();
    const acked: string[] = [];
    const loop = async (store: typeof first) => {
      for (let claimed = await store.claim(CLAIM); claimed.length > 0; claimed = await store.claim(CLAIM)) {
        for (const { token } of claimed) {
          expect(tokens).not.toContain(token);
          tokens.add(token);
        }
        const answers = await store.ack(claimed.map(({ id, token }) => ({ id, token })));
        acked.push(...claimed.filter((_, index) => answers[index] === 'ok').map(({ id }) => id));
      }
    };
    const cancels = jobs.filter((_, index) => index % 5 === 0).map(({ id }) => id);
    const cancelling = (async () => {
      let done = 0;
      for (let from = 0; from < cancels.length; from += 20) {
        done += (await first.cancel({ ids: cancels.slice(from, from + 20) }, BY)).done;
      }
      return done;
    })();
    await Promise.all([...stores, ...stores, ...stores, ...stores].map(loop));
    const cancelled = await cancelling;
    // Claims skip what another one holds at that moment, so a last look may find some.
    await loop(first);
    expect(new Set(acked).size).toBe(acked.length);
    expect(await first.queues()).toMatchObject([
      { counts: { ready: 0, leased: 0, completed: acked.length, cancelled } },
    ]);
    expect(acked.length + cancelled).toBe(jobs.length);
  },

  async 'without a session everything works by polling'(rig) {
    const [one, other] = [
      await rig.open({ session: false, pollMs: 100, sweepMs: 100 }),
      await rig.open({ session: false }),
    ];
    const waiting = one.claim({ ...CLAIM, leaseMs: 100, waitMs: 30_000 });
    const [enqueued] = await other.enqueue([{ ...JOB, delayMs: 200 }]);
    expect(await waiting).toMatchObject([{ id: enqueued?.id }]);
    await vi.waitFor(async () => expect(await one.leases(1)).toEqual([]), WITHIN);
  },
};

/** Several processes over one store: each is another that has it open. */
export function exerciseManyProcesses<Transaction>(
  overRig: OverRig<Transaction>,
  { tells }: { readonly tells: boolean },
): void {
  for (const [name, trial] of Object.entries(TRIALS)) overRig(name, (rig) => trial(rig, tells));
}
