import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobAnswer, JobStore } from '@holdfast/contract';
import { openLogStore, startWorker } from '@holdfast/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApp, operator, PLATFORMS, startAdminApp } from './admin-app.js';

const API = '/admin/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
/** Its worker would extend the lease after 20 minutes: what a handler hears in this test it has not learnt from that. */
const LEASE_MS = 3_600_000;

function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe.each(PLATFORMS)('T18: a running job that is cancelled in the dashboard, on %s', (platform) => {
  let directory: string;
  let store: JobStore;
  let app: AdminApp;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-cancel-'));
    store = await openLogStore({ directory });
    app = await startAdminApp(platform, { settings: operator, store });
  });
  afterEach(async () => {
    await app.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('is told step by step: asked for, heard, and what the handler did then', async () => {
    const [began, heard, goOn] = [later<string>(), later<void>(), later<void>()];
    const worker = startWorker<{ deaf: null }>({
      store,
      queue: 'mail',
      leaseMs: LEASE_MS,
      handlers: {
        deaf: async (job, { signal }) => {
          signal.addEventListener('abort', () => heard.resolve());
          began.resolve(job.id);
          await goOn.promise;
          throw new RangeError('password=hunter2 is wrong');
        },
      },
    });
    await store.enqueue([{ queue: 'mail', name: 'deaf', payload: 'null' }]);
    const id = await began.promise;
    const run = async () => (await app.http.get(`${API}/jobs/${id}`).expect(200)).body.cancelledRun;
    expect(await run()).toBeUndefined();
    await app.http.post(`${API}/jobs/${id}/acts/cancel`).set(OWN).send({}).expect(200);
    await heard.promise;
    const running = await run();
    expect(running).toEqual({
      ...{ attempt: 1, worker: worker.name, known: true },
      ...{ requestedAtMs: expect.any(Number), heardAtMs: expect.any(Number) },
    });
    goOn.resolve();
    await worker.close();
    expect(await run()).toMatchObject({
      ...running,
      endedAtMs: expect.any(Number),
      ended: 'failed',
      error: { class: 'RangeError', message: 'password=[redacted] is wrong' },
    });
  });

  it('is asked for alone where its worker is another process', async () => {
    const [job] = await store.enqueue([{ queue: 'mail', name: 'far', payload: 'null' }]);
    await store.claim({ queues: ['mail'], limit: 1, leaseMs: LEASE_MS, waitMs: 5000, worker: 'elsewhere' });
    await app.http.post(`${API}/jobs/${job?.id}/acts/cancel`).set(OWN).send({}).expect(200);
    expect((await app.http.get(`${API}/jobs/${job?.id}`).expect(200)).body.cancelledRun).toEqual({
      ...{ attempt: 1, worker: 'elsewhere', requestedAtMs: expect.any(Number), known: false },
    });
  });

  it('is not waited for from a worker that has the name of the one before it', async () => {
    const [job] = await store.enqueue([{ queue: 'mail', name: 'old', payload: 'null' }]);
    await store.claim({ queues: ['mail'], limit: 1, leaseMs: LEASE_MS, waitMs: 5000, worker: 'shop' });
    await app.http.post(`${API}/jobs/${job?.id}/acts/cancel`).set(OWN).send({}).expect(200);
    const worker = startWorker({ store, queue: 'mail', name: 'shop', handlers: { old: () => null } });
    const { body } = await app.http.get(`${API}/jobs/${job?.id}`).expect(200);
    expect(body.cancelledRun).toMatchObject({ worker: 'shop', known: false });
    await worker.close();
  });

  it('hears it at once, is cancelled and not retried, and cannot be cancelled again', async () => {
    const [began, heard] = [later<string>(), later<unknown>()];
    const worker = startWorker<{ endless: null }>({
      store,
      queue: 'mail',
      leaseMs: LEASE_MS,
      handlers: {
        endless: (job, { signal }) => {
          signal.addEventListener('abort', () => heard.resolve(signal.reason));
          began.resolve(job.id);
          return heard.promise.then(() => null);
        },
      },
    });
    const [job] = await store.enqueue([{ queue: 'mail', name: 'endless', payload: 'null' }]);
    const id = await began.promise;
    expect(id).toBe(job?.id);
    await app.http.post(`${API}/jobs/${id}/acts/cancel`).set(OWN).send({ reason: 'sold out' }).expect(200);
    expect(await heard.promise).toMatchObject({ reason: 'cancelled' });
    await worker.close();
    const { body } = await app.http.get(`${API}/jobs/${id}`).expect(200);
    expect((body as JobAnswer).job).toMatchObject({
      state: 'cancelled',
      cancelCause: 'operator',
      attempts: 1,
      attemptLog: [{ outcome: 'cancelled' }],
      acts: [{ act: 'cancel', actor: 'olga@example.org', reason: 'sold out' }],
    });
    const again = await app.http.post(`${API}/jobs/${id}/acts/cancel`).set(OWN).send({}).expect(409);
    expect(again.body).toMatchObject({ code: 'JOB_STATE', detail: expect.stringContaining('is cancelled') });
  });
});
