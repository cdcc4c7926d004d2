import { JobAbortedError, Snooze } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { toThrown } from './thrown.js';

const refuse = () => {
  throw new Error('is not read');
};

it('anything that a handler throws can be told to its worker, also what cannot be read', () => {
  const aborted = new JobAbortedError('j-1', 'cancelled');
  for (const thrown of [
    new Proxy(new Error('x'), { get: refuse, getPrototypeOf: refuse }),
    new Proxy({}, { getPrototypeOf: refuse }),
    Proxy.revocable({}, {}).proxy,
    Object.defineProperty(new Snooze(1), 'delayMs', { get: refuse }),
  ]) {
    for (const reason of [undefined, aborted]) {
      const told = toThrown(thrown, reason);
      expect(told.kind).toBe('error');
      expect(structuredClone(told)).toEqual(told);
    }
  }
});
