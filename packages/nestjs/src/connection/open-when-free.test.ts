import { type JobStore, StoreLockedError } from '@holdfast/contract';
import { Logger } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import { BootStores } from './boot-stores.js';
import { openWhenFree } from './open-when-free.js';
import { StorePlace } from './store-place.js';

const store = {} as JobStore;
const other = process.pid + 1;
const place = new StorePlace('/data/queue', BootStores.of({}));

function heldBy(pid: number): StoreLockedError {
  return new StoreLockedError('/data/queue', pid);
}

function quietLogger() {
  const logger = new Logger('Holdfast');
  return { logger, warn: vi.spyOn(logger, 'warn').mockReturnValue() };
}

it('opens when the other process has ended, and tells once for whom it waits', async () => {
  const { logger, warn } = quietLogger();
  const open = vi.fn<() => Promise<JobStore>>().mockResolvedValue(store);
  open.mockRejectedValueOnce(heldBy(other)).mockRejectedValueOnce(heldBy(other));
  expect(await openWhenFree(open, place, 60_000, logger)).toBe(store);
  expect(open).toHaveBeenCalledTimes(3);
  expect(warn.mock.calls).toEqual([
    [`/data/queue is in use by process ${other}. Waiting up to 60000 ms for it to end.`],
  ]);
});

it('gives up after the wait with the error of the store', async () => {
  const open = vi.fn<() => Promise<JobStore>>().mockRejectedValue(heldBy(other));
  await expect(openWhenFree(open, place, 150, quietLogger().logger)).rejects.toThrow(StoreLockedError);
  expect(open.mock.calls.length).toBeGreaterThan(1);
});

it.each([
  ['no wait is wanted', heldBy(other), 0],
  ["a store of this process holds it that is no application's", heldBy(process.pid), 60_000],
  ['something else is wrong', new Error('no such disk'), 60_000],
])('fails at once when %s', async (_case, error, lockWaitMs) => {
  const { logger, warn } = quietLogger();
  const open = vi.fn<() => Promise<JobStore>>().mockRejectedValue(error);
  await expect(openWhenFree(open, place, lockWaitMs, logger)).rejects.toBe(error);
  expect(open).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
});
