import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SyncThreadOwner } from './sync-thread-owner.js';

let directory: string;
let descriptor: number;
let owner: SyncThreadOwner;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-sync-'));
  descriptor = openSync(join(directory, 'file'), 'w');
  owner = new SyncThreadOwner();
});

afterEach(() => {
  vi.restoreAllMocks();
  owner.close();
  closeSync(descriptor);
  rmSync(directory, { recursive: true });
});

function sync(of = descriptor): Promise<Error | undefined> {
  return new Promise((resolve) => owner.sync(of, resolve));
}

/** Syncs until the thread has taken over. @returns the thread */
async function untilThreadRuns(): Promise<Worker> {
  const notify = vi.spyOn(Atomics, 'notify');
  const started = vi.spyOn(Worker.prototype, 'unref');
  while (notify.mock.calls.length === 0) expect(await sync()).toBeUndefined();
  return started.mock.contexts[0] as Worker;
}

it('answers in a later turn and in order, before and after its thread runs', async () => {
  const order: number[] = [];
  for (let round = 0; round < 2; round++) {
    const both = [1, 2].map((number) => sync().then(() => order.push(number)));
    expect(order.length).toBe(round * 2);
    await Promise.all(both);
    await untilThreadRuns();
  }
  expect(order).toEqual([1, 2, 1, 2]);
});

it('says how long the disk took, as its thread measured it', async () => {
  const took = () => new Promise((resolve) => owner.sync(descriptor, (_error, tookMs) => resolve(tookMs)));
  expect(await took()).toBeUndefined();
  await untilThreadRuns();
  const tookMs = await took();
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(60_000);
});

it('tells of a sync that is done as soon as it is asked, and once', async () => {
  await untilThreadRuns();
  let told = 0;
  const untilDone = (): void => {
    while (told === 0) owner.tellDone();
  };
  owner.sync(descriptor, () => told++);
  // In one turn of this thread: no message can arrive meanwhile.
  untilDone();
  expect(told).toBe(1);
  await sync();
  owner.tellDone();
  expect(told).toBe(1);
});

it('believes a thread that died before its message came, and takes what that had done for no other sync', async () => {
  const thread = await untilThreadRuns();
  const notify = vi.spyOn(Atomics, 'notify');
  // The spy has the type of another overload.
  const shared = notify.mock.calls[0]?.[0] as unknown as Int32Array;
  notify.mockReturnValue(0);
  vi.spyOn(Atomics, 'store').mockReturnValue(0n);
  const first = sync();
  const second = sync(99_999);
  // As the thread does after a sync, before it posts its message.
  Atomics.add(shared, 1, 1);
  await thread.terminate();
  expect(await first).toBeUndefined();
  owner.tellDone();
  expect(await second).toMatchObject({ code: 'EBADF' });
});

it('reports the error of a sync with its code, here and from the thread', async () => {
  expect(await sync(99_999)).toMatchObject({ code: 'EBADF' });
  await untilThreadRuns();
  expect(await sync(99_999)).toMatchObject({ code: 'EBADF', message: expect.stringContaining('fdatasync') });
  expect(await sync()).toBeUndefined();
});

it('fails the sync under way when its thread dies, and goes on with another', async () => {
  const thread = await untilThreadRuns();
  // The request is left undone, as if the thread had died before it saw it.
  vi.spyOn(Atomics, 'notify').mockReturnValue(0);
  vi.spyOn(Atomics, 'store').mockReturnValue(0n);
  const lost = sync();
  await thread.terminate();
  expect(await lost).toMatchObject({ message: expect.stringContaining('ended') });
  vi.restoreAllMocks();
  expect(await sync()).toBeUndefined();
  await untilThreadRuns();
});
