import { expect, it } from 'vitest';
import { logFormatVersion } from './index.js';

it('writes the first version of the format', () => {
  expect(logFormatVersion).toBe(1);
});
