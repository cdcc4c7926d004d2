// Makes a log of jobs for the tests of `dump`: `node packages/cli/test/make-golden.mjs jobs-v1`. Run once for each version of the
// format, with the code of that version built; the result is never made again. Time and chance are fixed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openInThreadStore } from '@holdfast/core/in-thread';
import { NodeFileSystem } from '@holdfast/core/log';

const directory = join(import.meta.dirname, 'golden', process.argv[2] ?? '');
if (process.argv[2] === undefined || existsSync(directory)) throw new Error('Name a new directory.');

let state = 7;
let elapsedMs = 0;
const clock = {
  now: () => 1_790_000_000_000 + elapsedMs,
  monotonicMs: () => elapsedMs,
  // No timer fires: leases do not end, and nothing is written that a call did not ask for.
  setTimer: () => ({ brand: /** @type {const} */ ('timer') }),
  clearTimer: () => {},
};
const random = {
  fraction: () => 0.5,
  bytes: (/** @type {number} */ count) =>
    Uint8Array.from({ length: count }, () => {
      state = (state * 75 + 74) % 65537;
      return state & 255;
    }),
};
const open = () =>
  openInThreadStore({ directory, fileSystem: new NodeFileSystem(), clock, random, segmentBytes: 2000 });

const first = await open();
await first.enqueue([
  { queue: 'mail', name: 'send', payload: '{"to":"a"}' },
  { queue: 'mail', name: 'send', payload: 'escapes: \u0007 \u001b[31m \u2028 \u202e \u{1f600}', priority: 3 },
  { queue: 'files', name: 'pack', payload: new Uint8Array([0, 255, 128]), delayMs: 60_000, maxAttempts: 2 },
]);
for (let round = 0; round < 8; round++) {
  elapsedMs += 1000;
  await first.enqueue([
    { queue: 'mail', name: 'send', payload: JSON.stringify({ round, text: 'x'.repeat(round * 40) }) },
  ]);
}
elapsedMs += 1000;
const leased = await first.claim({ queues: ['mail'], limit: 6, leaseMs: 30_000, worker: 'worker-1' });
const [sent, silent, retried, dead, released] = leased.map(({ id, token }) => ({ id, token }));
if (!sent || !silent || !retried || !dead || !released) throw new Error('Six jobs are ready.');
await first.ack([{ ...sent, result: '{"sent":true}' }, silent]);
const error = { class: 'TypeError', message: 'no address\u202e', stack: 'TypeError: no address\n    at send' };
await first.fail([
  // biome-ignore lint/suspicious/noThenProperty: the contract's word; nothing awaits these objects
  { ...retried, error, then: 'backoff' },
  // biome-ignore lint/suspicious/noThenProperty: as above
  { ...dead, error, then: 'dead' },
]);
await first.release([released]);
await first.redrive({ ids: [dead.id] }, { actor: 'olga', reason: 'the address is mended' });
await first.close();

elapsedMs += 1000;
const second = await open();
await second.enqueue([{ queue: 'mail', name: 'send', payload: 'last' }]);
// Ends without closing the store.
process.exit(0);
