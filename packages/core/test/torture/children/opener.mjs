// Opens one store again and again, as ordered by lines; says how it went in lines of JSON:
//   open <at>         opens at this time of the monotonic clock, adds a job if it may
//   again             opens a second time what it has open
//   threads <count>   opens in so many threads at once, and closes where that went well
//   close             closes in order
//   count             opens, counts the jobs that are there, and closes
//   compete <until>   opens, adds a job and closes as often as it can until this time, and says each time when it was the owner
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openLogStore } from '@holdfast/core';
import { monotonicMs } from './journal.mjs';

const directory = process.argv[2] ?? '';
const JOB = { queue: 'opened', name: 'count', payload: '{}' };

/** @type {import('@holdfast/core').LogStore | undefined} */
let store;

/** @returns {Promise<{ result: string, holderPid?: number | undefined }>} */
async function open() {
  try {
    store = await openLogStore({ directory });
    return { result: 'open' };
  } catch (error) {
    return refusal(error);
  }
}

/** @param {unknown} error */
function refusal(error) {
  const { code, message, holderPid } = /** @type {{ code?: string, message: string, holderPid?: number }} */ (error);
  return { result: code ?? message, holderPid };
}

/** @param {unknown} answer */
function say(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function openOnce() {
  const opened = await open();
  if (store === undefined) return opened;
  await store.enqueue([JOB]);
  return { ...opened, jobs: 1 };
}

async function openTwice() {
  try {
    await openLogStore({ directory });
    return { result: 'open' };
  } catch (error) {
    return refusal(error);
  }
}

/** @param {number} count */
async function openInThreads(count) {
  const results = await Promise.all(
    Array.from({ length: count }, () => {
      const worker = new Worker(new URL('./open-in-thread.mjs', import.meta.url), { workerData: directory });
      return new Promise((resolve) => worker.once('message', (result) => resolve({ worker, result })));
    }),
  );
  for (const { worker } of results) worker.postMessage('close');
  await Promise.all(results.map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve))));
  return { results: results.map(({ result }) => result) };
}

async function close() {
  await store?.close();
  store = undefined;
  return {};
}

async function countJobs() {
  await open();
  const [queue] = (await store?.queues()) ?? [];
  await close();
  return { jobs: queue?.counts.ready };
}

/** @param {number} untilMs */
async function compete(untilMs) {
  const unexpected = [];
  while (monotonicMs() < untilMs) {
    const { result } = await open();
    if (store === undefined) {
      if (result !== 'STORE_LOCKED') unexpected.push(result);
      await pause(Math.random() * 10);
      continue;
    }
    say({ owner: 'from', atMs: monotonicMs() });
    await store.enqueue([JOB]);
    say({ owner: 'stored', atMs: monotonicMs() });
    await pause(Math.random() * 20);
    say({ owner: 'to', atMs: monotonicMs() });
    await close();
  }
  return { unexpected };
}

/** @param {number} atMs */
async function waitUntil(atMs) {
  await pause(Math.max(0, atMs - monotonicMs() - 3));
  while (monotonicMs() < atMs);
}

say({ ready: process.pid });
for await (const line of createInterface({ input: process.stdin })) {
  const [order, argument] = line.split(' ');
  const given = Number(argument);
  if (order === 'open') {
    await waitUntil(given);
    say({ order, ...(await openOnce()) });
  } else if (order === 'again') say({ order, ...(await openTwice()) });
  else if (order === 'threads') say({ order, ...(await openInThreads(given)) });
  else if (order === 'count') say({ order, ...(await countJobs()) });
  else if (order === 'close') say({ order, ...(await close()) });
  else if (order === 'compete') say({ order, ...(await compete(given)) });
}
