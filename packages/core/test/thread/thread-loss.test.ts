import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type StoreHealth, StoreLockedError } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchDirectory } from './scratch-directory.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };

afterEach(() => {
  vi.restoreAllMocks();
});

/** A store, and a way to its engine's thread that no application has. */
async function openWithThread() {
  const unref = vi.spyOn(Worker.prototype, 'unref');
  const directory = scratchDirectory();
  const store = await openLogStore({ directory });
  onTestFinished(() => store.close().catch(() => {}));
  const healths: StoreHealth[] = [];
  store.onHealthChange((health) => healths.push(health));
  return { store, directory, healths, endThread: () => (unref.mock.contexts.at(-1) as Worker).terminate() };
}

/** A store whose lock is removed may notice that, and have its directory again, before another one has opened it. */
async function takeOver(directory: string) {
  for (;;) {
    rmSync(join(directory, 'lock'), { force: true });
    try {
      return await openLogStore({ directory });
    } catch (error) {
      if (!(error instanceof StoreLockedError)) throw error;
    }
  }
}

describe('an engine thread that is ended under load', () => {
  it('leaves no call without an answer, loses no answered job, and comes back', async () => {
    const { store, healths, endThread } = await openWithThread();
    const ids: string[] = [];
    const errors: unknown[] = [];
    let ended: Promise<number> | undefined;
    const producer = async () => {
      for (let round = 0; round < 200; round++) {
        await store.enqueue([JOB]).then(
          ([job]) => ids.push(job!.id),
          (error: unknown) => errors.push(error),
        );
        if (ids.length >= 2000 && errors.length === 0) ended ??= endThread();
      }
    };
    await Promise.all(Array.from({ length: 100 }, producer));
    await ended;
    expect(ids.length + errors.length).toBe(20_000);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(200);
    for (const error of errors) expect(error).toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    expect(healths.map(({ status }) => status)).toEqual(['failed', 'open']);
    expect(healths[0]?.detail).toMatch(/thread ended/);
    expect(store.health()).toEqual({ status: 'open', reopened: 1 });
    expect(new Set(ids).size).toBe(ids.length);
    const found = await Promise.all(ids.map((id) => store.job(id)));
    expect(found.filter((job) => job === undefined)).toEqual([]);
  });

  it('answers acks of leases from before as stale', async () => {
    const { store, endThread } = await openWithThread();
    await store.enqueue([JOB]);
    const [job] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'w' });
    const waiting = store.claim({ queues: ['none'], limit: 1, leaseMs: 60_000, waitMs: 60_000, worker: 'w' });
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'STORE_FAILED' }), endThread()]);
    expect(await store.ack([{ id: job!.id, token: job!.token }])).toEqual(['stale']);
    const found = await store.job(job!.id);
    expect(found?.attempts).toBe(1);
    // A machine that is slow enough has let its delay go by.
    expect(['scheduled', 'ready']).toContain(found?.state);
  });

  it.each(['gone', 'empty', 'of another store'])(
    'takes no directory for its own that is %s by then, and goes on when its own is back',
    async (by) => {
      const other = scratchDirectory();
      await (await openLogStore({ directory: other })).close();
      const { store, directory, healths, endThread } = await openWithThread();
      const [job] = await store.enqueue([JOB]);
      const away = `${directory}-away`;
      onTestFinished(() => rmSync(away, { recursive: true, force: true }));
      renameSync(directory, away);
      if (by === 'empty') mkdirSync(directory);
      if (by === 'of another store') renameSync(other, directory);
      await endThread();
      const enqueued = store.enqueue([JOB]);
      await vi.waitUntil(() => healths.length >= 2, { timeout: 50_000 });
      expect(store.health()).toMatchObject({ status: 'failed', detail: expect.stringContaining('tried again') });
      expect(existsSync(directory)).toBe(by !== 'gone');
      rmSync(directory, { recursive: true, force: true });
      renameSync(away, directory);
      expect(await enqueued).toHaveLength(1);
      expect(await store.job(job!.id)).toMatchObject({ state: 'ready' });
      expect((await store.queues())[0]?.counts.ready).toBe(2);
    },
  );

  it('answers nothing as well once its lock was removed and another store owns its directory', async () => {
    const { store, directory, healths } = await openWithThread();
    const [job] = await store.enqueue([JOB]);
    const lock = join(directory, 'lock');
    const other = await takeOver(directory);
    const answers: Promise<unknown>[] = [];
    const isRefused = () => {
      const { status, detail } = store.health();
      if (status === 'open') answers.push(store.enqueue([JOB]).catch((error: unknown) => error));
      return status === 'failed' && detail?.includes('in use by process') === true;
    };
    await vi.waitUntil(isRefused, { timeout: 50_000 });
    expect(healths).toContainEqual(
      expect.objectContaining({ detail: expect.stringContaining(`${lock} is not the file any more`) }),
    );
    expect(await other.job(job!.id)).toMatchObject({ state: 'ready' });
    await other.close();
    await Promise.all(answers);
    await vi.waitUntil(() => store.health().status === 'open', { timeout: 50_000 });
    expect(await store.job(job!.id)).toMatchObject({ state: 'ready' });
  });

  it('can be closed at any moment', async () => {
    const { store, endThread } = await openWithThread();
    const enqueued = Promise.allSettled([store.enqueue([JOB])]);
    void endThread();
    const [closed] = await Promise.allSettled([store.close()]);
    if (closed.status === 'rejected') expect(closed.reason).toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    await enqueued;
    expect(store.health().status).toBe('closed');
  });
});
