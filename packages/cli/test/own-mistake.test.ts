import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { run } from '../src/run.js';
import { Sink } from './rig.js';

it('an error that nobody has foreseen is told whole, without passwords, and is no damage of the log', async () => {
  const stderr = new Sink();
  const stdout = new Writable({
    write: (_piece, _encoding, done) => done(new TypeError('no reader of postgres://app:secret@db/app')),
  });
  const world = { env: {}, now: () => 0, monotonicMs: () => 0, stopped: async () => {} };
  expect(await run(['--help'], { ...world, stdout, stderr })).toBe(70);
  expect(stderr.text).toMatch(/^holdfast: an error that should not happen\.\nTypeError: no reader of .*\n {4}at /);
  expect(stderr.text).toContain('This is a mistake of Holdfast and says nothing about the log.');
  expect(stderr.text).not.toContain('secret');
});
