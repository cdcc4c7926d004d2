import { randomBytes } from 'node:crypto';
import type { Random } from '@holdfast/contract';

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
