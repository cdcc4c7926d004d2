import { InvalidArgumentError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { createWorker } from '../start-worker.js';
import { Queue } from './queue.js';

it.each([undefined, null, 'data/queue', {}, Promise.resolve({})])(
  'a queue and a worker ask for an open store at once, and whether it was awaited: %s',
  (given) => {
    const store = given as never;
    const makes = [() => new Queue('mail', { store }), () => createWorker({ store, queue: 'mail', handler: () => {} })];
    for (const make of makes) {
      expect(make).toThrow(InvalidArgumentError);
      expect(make).toThrow(/store is .* must be an open store\. Was its opening awaited\?/);
    }
  },
);
