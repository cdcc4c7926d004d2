import {
  CursorInvalidError,
  HoldfastError,
  InvalidArgumentError,
  InvalidJobError,
  LogCorruptError,
  LogVersionError,
  RequestMismatchError,
  StoreClosedError,
  StoreFailedError,
  StoreFullError,
  StoreLockedError,
  StoreOpenError,
} from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { fromErrorData, toErrorData } from './error-data.js';

const ERRORS = [
  new CursorInvalidError(),
  new HoldfastError('UNRECOVERABLE', 'rejected', 'as it is'),
  new InvalidArgumentError('limit', 0, 'at least 1'),
  new InvalidJobError(3, 'queue', 'is empty'),
  new LogCorruptError('0000000001.segment', 512, 'its CRC is wrong'),
  new LogVersionError('0000000001.segment', 'version 9'),
  new RequestMismatchError('one'),
  new StoreClosedError(),
  new StoreFailedError('unknown', 'The disk failed.', { cause: new Error('EIO') }),
  new StoreFullError('/data/queue', 4711),
  new StoreFullError('/data/queue', undefined),
  new StoreLockedError('/data/queue', 4711),
  new StoreLockedError('/data/queue', undefined),
  new StoreOpenError('/data/queue', 'it is a file'),
];

describe('errors that cross a thread', () => {
  it.each(ERRORS)('$name is the same class with the same fields', (error) => {
    const crossed = fromErrorData(structuredClone(toErrorData(error)));
    expect(crossed).toBeInstanceOf(error.constructor);
    expect(crossed).toBeInstanceOf(Error);
    expect({ ...crossed, message: crossed.message }).toEqual({ ...error, message: error.message });
    expect(String(crossed)).toBe(String(error));
  });

  it('keep the message of their cause', () => {
    const crossed = fromErrorData(toErrorData(new StoreFailedError('unknown', 'x.', { cause: new Error('EIO') })));
    expect(crossed.cause).toMatchObject({ message: 'EIO' });
  });

  it('say that the store failed when they are no error of Holdfast', () => {
    const crossed = fromErrorData(toErrorData(new TypeError('x is not a function')));
    expect(crossed).toBeInstanceOf(StoreFailedError);
    expect(crossed).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('x is not a function') });
  });
});
