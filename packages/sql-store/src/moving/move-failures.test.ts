import { StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { MoveRefusedError } from '@holdfast/contract/moving';
import { describe, expect, it } from 'vitest';
import type { DriverErrors } from '../call-failure.js';
import { MoveFailures } from './move-failures.js';

const DRIVER: DriverErrors = {
  isRepeatable: () => false,
  isRefusal: (error) => error === REFUSED,
  isDiskFull: (error) => error === FULL,
  detailOf: (error) => `It said: ${String(error)}.`,
};
const [REFUSED, FULL, LOST] = [new Error('no such table'), new Error('disk full'), new Error('ECONNREFUSED')];

function failures(): MoveFailures {
  return new MoveFailures('db:1/app (schema s)', 'db:1/app', DRIVER);
}

async function answered(): Promise<MoveFailures> {
  const some = failures();
  await some.told(async () => {});
  return some;
}

const failing = (error: unknown) => async () => {
  throw error;
};

describe('MoveFailures', () => {
  it.each([
    ['as the driver throws it', LOST],
    ['as a failed call', new StoreFailedError('unknown', 'no', { cause: LOST })],
    ['as a store that could not be opened', new StoreOpenError('db:1/app', 'no', { cause: LOST })],
  ])('tells a loss %s from a wrong address by whether there was an answer before', async (_, error) => {
    await expect(failures().told(failing(error))).rejects.not.toMatchObject({ code: 'MOVE_INTERRUPTED' });
    await expect((await answered()).told(failing(error))).rejects.toMatchObject({
      code: 'MOVE_INTERRUPTED',
      message: 'db:1/app (schema s) was lost while it was moved. It said: Error: ECONNREFUSED.',
      cause: LOST,
    });
  });

  it('passes on what is said already, and tells a refusal and a full disk as such', async () => {
    const refused = new MoveRefusedError('a', 'b', 'c');
    const some = await answered();
    await expect(some.told(failing(refused))).rejects.toBe(refused);
    await expect(some.told(failing(REFUSED))).rejects.toMatchObject({ code: 'STORE_OPEN_FAILED', cause: REFUSED });
    await expect(some.told(failing(FULL))).rejects.toMatchObject({ code: 'STORE_FULL' });
  });

  it('passes on what another store throws in a transaction, and tells what the transaction itself fails with', async () => {
    const some = await answered();
    const through = async (work: (held: string) => Promise<unknown>) => {
      try {
        return await work('held');
      } catch (error) {
        throw new StoreFailedError('rejected', 'wrapped', { cause: error });
      }
    };
    await expect(some.across(through, failing(FULL))).rejects.toBe(FULL);
    await expect(some.across(failing(LOST), async () => {})).rejects.toMatchObject({ code: 'MOVE_INTERRUPTED' });
    expect(await some.across(through, async (held) => held)).toBe('held');
  });
});
