import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { crc32c } from '@holdfast/core/log';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { drainAll, enqueueInBulk } from '../measure.js';
import { median } from '../statistics.js';

const PIECE_BYTES = 512 * 1024;
const OPENS = 3;

/** A log of jobs, half of which are done, is opened again, beside a loop that only reads its files and sums all bytes. */
export const recovery: BenchCase = {
  name: 'recovery',
  title: 'open a log of many jobs',
  peers: ['holdfast'],
  jobs: 500_000,
  goals: [
    {
      title: 'recovery / bare read + CRC',
      atLeast: 1 / 3,
      figure: own('megabytesPerSecond', 'bareMegabytesPerSecond'),
    },
  ],
  async run({ open, directory, jobs }) {
    const peer = await open();
    await enqueueInBulk(peer, jobs);
    await drainAll(peer, jobs / 2, 100);
    await peer.close();
    const log = join(directory, 'log');
    const speeds: number[] = [];
    const bareSpeeds: number[] = [];
    for (let turn = 0; turn < OPENS; turn++) {
      const bare = timed(() => readAndSum(log));
      bareSpeeds.push(bare.result / bare.microseconds);
      const startMs = performance.now();
      const store = await openLogStore({ directory: log });
      speeds.push(bare.result / ((performance.now() - startMs) * 1000));
      await store.close();
    }
    return { megabytesPerSecond: median(speeds), bareMegabytesPerSecond: median(bareSpeeds) };
  },
};

function timed<Result>(work: () => Result): { readonly result: Result; readonly microseconds: number } {
  const startMs = performance.now();
  const result = work();
  return { result, microseconds: (performance.now() - startMs) * 1000 };
}

/** @returns bytes */
function readAndSum(log: string): number {
  const piece = new Uint8Array(PIECE_BYTES);
  let bytes = 0;
  for (const name of readdirSync(log)) {
    const file = openSync(join(log, name), 'r');
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      crc32c(piece, 0, read);
      bytes += read;
    }
    closeSync(file);
  }
  return bytes;
}
