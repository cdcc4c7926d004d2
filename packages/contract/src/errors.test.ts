import { describe, expect, it } from 'vitest';
import {
  HoldfastError,
  InvalidArgumentError,
  InvalidJobError,
  LogCorruptError,
  PayloadNotJsonError,
  StoreFailedError,
  StoreLockedError,
} from './errors.js';

describe('errors', () => {
  it('are named after their class and are all HoldfastErrors', () => {
    const error = new InvalidJobError(3, 'priority', 'is -1, but must be 0 or more');
    expect(error).toBeInstanceOf(HoldfastError);
    expect(error.name).toBe('InvalidJobError');
    expect(error.code).toBe('INVALID_JOB');
    expect(error).toMatchObject({ index: 3, field: 'priority', outcome: 'rejected' });
    expect(error.message).toContain('Job 3');
    expect(error.message).toContain('Nothing was stored');
  });

  it('say whether the call may have been applied', () => {
    expect(new StoreFailedError('unknown', 'The disk failed.').message).toContain('may or may not');
    expect(new StoreFailedError('rejected', 'The disk failed.').message).toContain('was not applied');
  });

  it('keep the cause', () => {
    const cause = new Error('EIO');
    expect(new StoreFailedError('unknown', 'fdatasync failed.', { cause }).cause).toBe(cause);
  });

  it('show the value that was refused, but never a whole megabyte of it', () => {
    const error = new InvalidArgumentError('queue', 'x'.repeat(1_000_000), 'at most 100 bytes');
    expect(error.message.length).toBeLessThan(300);
    expect(new InvalidArgumentError('limit', Number.NaN, '1 or more').message).toContain('NaN');
    expect(new InvalidArgumentError('limit', null, '1 or more').message).toContain('null');
    expect(new InvalidArgumentError('limit', Object.create(null), '1 or more').message).toContain('object');
  });

  it('name the place and the next step', () => {
    expect(new StoreLockedError('/data/queue', 4711).message).toMatch(/\/data\/queue.*4711.*stop that one/s);
    expect(new StoreLockedError('/data/queue', undefined).message).toContain('another process');
    expect(new LogCorruptError('a.segment', 4096, 'a header').message).toMatch(
      /a\.segment.*4096.*Nothing was changed/s,
    );
    expect(new PayloadNotJsonError('payload.at', 'is a BigInt').message).toContain('payload.at');
  });
});
