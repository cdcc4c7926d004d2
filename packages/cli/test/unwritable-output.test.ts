import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { run } from '../src/run.js';
import { Sink } from './rig.js';

/** A file on a disk without room. */
class FullDisk extends Writable {
  override _write(_piece: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  }
}

const world = { env: {}, now: () => 0, monotonicMs: () => 0, stopped: async () => {} };

it('that is full is told on the other one, and is no damage of the log', async () => {
  const stderr = new Sink();
  expect(await run(['--help'], { ...world, stdout: new FullDisk(), stderr })).toBe(3);
  expect(stderr.text).toMatch(/^holdfast: ENOSPC: no space left on device, write\nMake room/);
});

it('that nobody can be told of leaves the exit code as it is', async () => {
  expect(await run(['verify'], { ...world, stdout: new FullDisk(), stderr: new FullDisk() })).toBe(2);
  expect(await run(['--help'], { ...world, stdout: new FullDisk(), stderr: new FullDisk() })).toBe(3);
});
