import { settled, VirtualClock } from '@holdfast/testing';
import { describe, expect, it } from 'vitest';
import { openInThreadStore } from '../../src/open-in-thread-store.js';
import type { Handler } from '../../src/queue/handler.js';
import { Queue } from '../../src/queue/queue.js';
import { Worker } from '../../src/queue/worker.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { type FaultPlan, SimFileSystem } from '../sim/sim-file-system.js';

/** Syncs in the background end a turn after they began. */
class PromptFileSystem extends SimFileSystem {
  override beginSync(finish: () => void): void {
    super.beginSync(finish);
    setImmediate(() => this.finishSyncs());
  }
}

const JOBS = 12;
const RETRY = { kind: 'fixed', baseMs: 50, maxMs: 50, jitter: 'none' } as const;

/** A queue and a worker on the real engine and a simulated disk, of which one step may fail. */
async function runWith(plan?: FaultPlan) {
  const clock = new VirtualClock();
  const random = new SeededRandom(7);
  const fileSystem = new PromptFileSystem(new SimDisk(), random);
  const store = await openInThreadStore({ directory: '/queue', fileSystem, clock, random });
  const firstStep = fileSystem.steps;
  if (plan !== undefined) fileSystem.plan = { ...plan, atStep: firstStep + plan.atStep };
  const queue = new Queue('mail', { store });
  const runs = new Map<string, number>();
  const send: Handler = async (job) => {
    runs.set(job.id, (runs.get(job.id) ?? 0) + 1);
    await new Promise<void>((resolve) => clock.setTimer(20, resolve));
    if (job.attempt === 1 && job.name === 'flaky') throw new Error('the first time never works');
  };
  const worker = new Worker({
    store,
    queue: 'mail',
    handler: send,
    name: 'tester',
    clock,
    concurrency: 4,
    leaseMs: 3000,
  });
  const errors: unknown[] = [];
  worker.on('error', ({ error }) => errors.push(error));
  worker.start();
  const answers = Array.from({ length: JOBS }, (_, index) =>
    queue.enqueue(index % 3 === 0 ? 'flaky' : 'send', { index }, { backoff: RETRY, maxAttempts: null }),
  );
  const settled = Promise.allSettled(answers);
  // In small steps: a message between client and engine takes a turn, and no time.
  for (let step = 0; step < 400; step++) await clock.advance(25);
  const accepted = (await settled).flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []));
  return { clock, store, queue, worker, runs, errors, accepted, steps: fileSystem.steps - firstStep };
}

type Result = Awaited<ReturnType<typeof runWith>>;

async function expectAllDone({ clock, store, queue, worker, runs, accepted }: Result): Promise<void> {
  for (const id of accepted) {
    expect(runs.get(id), id).toBeGreaterThanOrEqual(1);
    expect(await queue.job(id), id).toMatchObject({ state: 'completed' });
  }
  expect(await queue.counts()).toMatchObject({ ready: 0, scheduled: 0, leased: 0, dead: 0 });
  await worker.close();
  await store.close();
  await settled();
  expect(clock.timers).toBe(0);
}

describe('a worker over the log store', () => {
  it('completes every job, once each', async () => {
    const result = await runWith();
    expect(result.accepted).toHaveLength(JOBS);
    expect(result.errors).toEqual([]);
    expect([...result.runs.values()].toSorted()).toEqual([...Array(8).fill(1), ...Array(4).fill(2)]);
    await expectAllDone(result);
  });

  it('aborts a handler whose job was cancelled, at the next extension, and keeps nothing that it answers', async () => {
    const clock = new VirtualClock();
    const random = new SeededRandom(7);
    const fileSystem = new PromptFileSystem(new SimDisk(), random);
    const store = await openInThreadStore({ directory: '/queue', fileSystem, clock, random });
    const reasons: unknown[] = [];
    const handler: Handler = async (_job, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      reasons.push(signal.reason);
      return 'too late';
    };
    const worker = new Worker({ store, queue: 'mail', handler, name: 'tester', clock, leaseMs: 3000 });
    worker.start();
    const enqueued = new Queue('mail', { store }).enqueue('send', {});
    for (let step = 0; step < 10; step++) await clock.advance(25);
    const { id } = await enqueued;
    const cancelled = store.cancel({ ids: [id] }, { actor: 'olga' });
    for (let step = 0; step < 60; step++) await clock.advance(25);
    expect(await cancelled).toEqual({ matched: 1, done: 1, skipped: {} });
    expect(reasons).toMatchObject([{ reason: 'cancelled' }]);
    const job = await store.job(id);
    expect(job).toMatchObject({ state: 'cancelled', attemptLog: [{ outcome: 'cancelled' }] });
    expect(job).not.toHaveProperty('result');
    await worker.close();
    await store.close();
  });

  it('whichever step of the disk fails, goes on by itself and completes every job that was accepted', async () => {
    const { steps, ...whole } = await runWith();
    await expectAllDone({ ...whole, steps });
    let failed = 0;
    for (let atStep = 0; atStep < steps; atStep++) {
      const result = await runWith({ atStep, fault: 'EIO' });
      await expectAllDone(result);
      if (result.errors.length > 0 || result.accepted.length < JOBS) failed++;
    }
    expect(steps).toBeGreaterThan(20);
    expect(failed).toBeGreaterThan(steps / 2);
  });
});
