import { pbkdf2 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobStore, LeasedJob } from '@holdfast/contract';
import { openLogStore, startWorker, type WorkerOptions } from '@holdfast/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchDirectory } from './scratch-directory.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 1, leaseMs: 1000, worker: 'w' };

async function openStore(): Promise<JobStore> {
  const store = await openLogStore({ directory: scratchDirectory() });
  onTestFinished(() => store.close());
  return store;
}

/** As a handler that computes for a long time: no timer and no message of this thread is served. */
function blockThisThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function untilPonged(store: JobStore): Promise<void> {
  while (((await store.metrics()).applicationStallMsMax ?? 0) < 1000) await delay(5);
}

function workerStore(store: JobStore): WorkerOptions['store'] {
  return {
    capabilities: store.capabilities,
    claim: (request) => store.claim(request),
    ack: (items) => store.ack(items),
    fail: (items) => store.fail(items),
    release: (items) => store.release(items),
    extend: (items) => store.extend(items),
  };
}

function ref({ id, token }: LeasedJob) {
  return { id, token };
}

describe('an application whose event loop is blocked', () => {
  it('T1: keeps its leases meanwhile: an ack three lease lengths late is in time', async () => {
    const store = await openStore();
    await store.enqueue([JOB]);
    const [job] = await store.claim(CLAIM);
    blockThisThread(3000);
    expect(await store.ack([ref(job!)])).toEqual(['ok']);
    expect(await store.leaseExpiries()).toEqual([]);
    expect((await store.metrics()).applicationStallMsMax).toBeGreaterThan(1500);
  });

  it('extends by the timers that it is late for before its leases are looked at', async () => {
    const store = await openStore();
    await store.enqueue([JOB]);
    const [job] = await store.claim(CLAIM);
    const timer = setInterval(() => void store.extend([{ ...ref(job!), leaseMs: 1000 }]), 333);
    onTestFinished(() => clearInterval(timer));
    blockThisThread(3000);
    // An answer of the store may come in the turn that was blocked, before the timers.
    await vi.waitFor(async () => expect((await store.leases(1))[0]?.extensions).toBeGreaterThanOrEqual(1));
    await untilPonged(store);
    expect(await store.leaseExpiries()).toEqual([]);
    expect((await store.leases(1))[0]?.id).toBe(job!.id);
  });

  it('gets the whole lease of a job that arrived while it was blocked', async () => {
    const store = await openStore();
    const claim = store.claim({ ...CLAIM, waitMs: 60_000 });
    void store.enqueue([JOB]);
    await new Promise((resolve) => process.nextTick(resolve));
    blockThisThread(3000);
    const [job] = await claim;
    await untilPonged(store);
    expect(await store.leaseExpiries()).toEqual([]);
    expect(await store.ack([ref(job!)])).toEqual(['ok']);
  });

  it('loses no lease when an extension was on its way as it was blocked', async () => {
    const store = await openStore();
    let extensions = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const worker = startWorker({
      // Blocked after the extension was sent and before its answer is heard: the next extension is overdue then, too.
      store: {
        ...workerStore(store),
        extend(items) {
          if (++extensions === 1) setImmediate(() => blockThisThread(3000));
          return store.extend(items);
        },
      },
      queue: 'mail',
      leaseMs: 1000,
      handler: () => finished,
    });
    await store.enqueue([JOB]);
    while (extensions < 2) await delay(5);
    expect(await store.leaseExpiries()).toEqual([]);
    finish();
    await worker.close();
  });

  it('loses leases that it does not extend while it is alive', async () => {
    const store = await openStore();
    await store.enqueue([JOB]);
    const [job] = await store.claim(CLAIM);
    while ((await store.leaseExpiries()).length === 0) await delay(20);
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    expect(await store.leaseExpiries()).toMatchObject([{ id: job!.id, worker: 'w', then: 'scheduled' }]);
    expect(await store.ack([ref(job!)])).toEqual(['stale']);
  });
});

describe('an application whose thread pool is full', () => {
  it('commits all the same', async () => {
    const store = await openStore();
    let hashing = 4;
    const hashes = Array.from(
      { length: hashing },
      () =>
        new Promise<void>((resolve, reject) => {
          pbkdf2('secret', 'salt', 2_000_000, 64, 'sha512', (error) => {
            hashing--;
            if (error === null) resolve();
            else reject(error);
          });
        }),
    );
    const startedMs = performance.now();
    for (let index = 0; index < 20; index++) expect(await store.enqueue([JOB])).toHaveLength(1);
    const eachMs = (performance.now() - startedMs) / 20;
    expect(hashing).toBe(4);
    console.log(`enqueue while four hashes fill the pool: ${eachMs.toFixed(2)} ms each`);
    await Promise.all(hashes);
  });
});
