import { type JobStore } from '@holdfast/contract';
import { Logger } from '@nestjs/common';
import { expect, it } from 'vitest';
import { openStore } from './open-store.js';

it('takes the longest grace that a worker takes, whatever it waits for the end of another process', async () => {
  const opened = {} as JobStore;
  const store = { open: async () => opened };
  expect(await openStore({ store, graceMs: 24 * 3_600_000 }, new Logger('Holdfast'))).toBe(opened);
});
