import type { JobStore } from '@holdfast/contract';
import { VirtualClock } from '@holdfast/testing';
import { describe, expect, it } from 'vitest';
import { openInThreadStore } from '../../src/open-in-thread-store.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { SimFileSystem } from '../sim/sim-file-system.js';

/** More than the engine shows at once. */
const VERY_MANY = 2500;
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 1000, worker: 'w' };

/** A store over a simulated disk and virtual time, in this thread. */
class InThreadRig {
  readonly disk = new SimDisk();
  readonly clock = new VirtualClock();
  fileSystem = new SimFileSystem(this.disk, new SeededRandom(1));

  async open(): Promise<JobStore> {
    return this.until(
      openInThreadStore({
        directory: '/data',
        fileSystem: this.fileSystem,
        clock: this.clock,
        random: new SeededRandom(7),
        afterOverdueWork: (call) => queueMicrotask(call),
      }),
    );
  }

  /** The process ends and another one starts: nothing of the first one goes on. */
  async reopen(): Promise<JobStore> {
    this.clock.dropTimers();
    this.disk.kill();
    this.fileSystem = new SimFileSystem(this.disk, new SeededRandom(2));
    return this.open();
  }

  /** Lets messages cross and syncs end until the promise is settled. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let settled = false;
    const mark = () => {
      settled = true;
    };
    promise.then(mark, mark);
    for (let step = 0; step < 1000 && !settled; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      this.fileSystem.finishSyncs();
    }
    if (!settled) throw new Error('The promise is not settled by messages and syncs alone.');
    return promise;
  }
}

describe('the whole store in one thread', () => {
  it('answers other calls between the parts of a very long list of queues', async () => {
    const rig = new InThreadRig();
    const store = await rig.open();
    const names = Array.from({ length: VERY_MANY }, (_, number) => `queue-${number}`);
    await rig.until(store.enqueue(names.map((queue) => ({ queue, name: 'send', payload: 'x' }))));
    const answers: string[] = [];
    const listed = store.queues().then((queues) => {
      answers.push('queues');
      return queues;
    });
    for (const call of ['first', 'second']) {
      await store.claim({ ...CLAIM, queues: ['queue-0'] });
      answers.push(call);
    }
    expect((await listed).map(({ name }) => name)).toEqual(names.sort());
    expect(answers).toEqual(['first', 'second', 'queues']);
    expect((await listed).every(({ counts, name }) => counts.ready === 1 || name === 'queue-0')).toBe(true);
    const named = await store.queues([...names, 'unknown', ...names]);
    expect(named.map(({ name }) => name)).toEqual(names.sort());
  });

  it('takes a job from enqueue over claim to ack, and waits for the disk only to enqueue', async () => {
    const rig = new InThreadRig();
    const store = await rig.open();
    const [job] = await rig.until(store.enqueue([{ queue: 'mail', name: 'send', payload: 'x' }]));
    const claimed = await store.claim(CLAIM);
    expect(claimed).toMatchObject([{ id: job!.id, payload: 'x', attempt: 1 }]);
    expect(await store.ack(claimed.map(({ id, token }) => ({ id, token, result: 'done' })))).toEqual(['ok']);
    expect(await store.job(job!.id)).toMatchObject({ state: 'completed', result: 'done' });
    await rig.until(store.close());
  });

  it('does not answer an enqueue before its sync has ended', async () => {
    const rig = new InThreadRig();
    const store = await rig.open();
    let answered = false;
    const enqueued = store.enqueue([{ queue: 'mail', name: 'send', payload: 'x' }]).then(() => {
      answered = true;
    });
    for (let step = 0; step < 20; step++) await store.queues();
    expect(answered).toBe(false);
    await rig.until(enqueued);
  });

  it('ends a lease once the application has shown that it is alive', async () => {
    const rig = new InThreadRig();
    const store = await rig.open();
    const [job] = await rig.until(store.enqueue([{ queue: 'mail', name: 'send', payload: 'x' }]));
    const [leased] = await store.claim(CLAIM);
    rig.clock.advanceNow(999);
    await store.queues();
    expect(await store.leaseExpiries()).toEqual([]);
    rig.clock.advanceNow(1);
    await store.queues();
    await store.queues();
    expect(await store.leaseExpiries()).toMatchObject([{ id: job!.id, lateMs: 0 }]);
    expect(await store.ack([{ id: leased!.id, token: leased!.token }])).toEqual(['stale']);
  });

  it('has all answered jobs again after its process was killed, and counts what was started', async () => {
    const rig = new InThreadRig();
    const first = await rig.open();
    const jobs = await rig.until(
      first.enqueue(['a', 'b'].map((payload) => ({ queue: 'mail', name: 'send', payload, maxAttempts: 1 }))),
    );
    await first.claim({ ...CLAIM, limit: 1 });
    const store = await rig.reopen();
    expect((await store.storage()).recovery).toMatchObject({ kind: 'unclean', leasesEnded: { retried: 0, dead: 1 } });
    expect(await store.job(jobs[0]!.id)).toMatchObject({ state: 'dead', attempts: 1, payload: 'a' });
    expect(await store.job(jobs[1]!.id)).toMatchObject({ state: 'ready', attempts: 0, payload: 'b' });
  });
});
