import { type JobStore } from '@holdfast/contract';
import { Logger } from '@nestjs/common';
import { expect, it } from 'vitest';
import { BootStores } from './boot-stores.js';
import { openStore } from './open-store.js';
import { StorePlace } from './store-place.js';

it('takes the longest grace that a worker takes, whatever it waits for the end of another process', async () => {
  const opened = { enqueue: async () => [], close: async () => {} } as unknown as JobStore;
  const store = { open: async () => opened };
  const place = new StorePlace(undefined, BootStores.of({}));
  expect(await openStore({ store, graceMs: 24 * 3_600_000 }, place, new Logger('Holdfast'))).toBe(opened);
});
