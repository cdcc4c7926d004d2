// One worker process of the proof. It says each start and each ack, a line each, and ends with its input.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { HoldfastError, type JobStore } from '@holdfast/contract';

const [, , module = '', open = '', options = '{}', worker = ''] = process.argv;
const BATCH = 20;
const HANDLER_MS = 5;

let stopping = false;
process.stdin.on('end', () => {
  stopping = true;
});
process.stdin.resume();

type Opening = Readonly<Record<string, (options: object) => Promise<JobStore>>>;
const { [open]: openStore } = (await import(module)) as Opening;
if (openStore === undefined) throw new Error(`${module} has no ${open}.`);
const store = await opened(openStore);
console.log('ready');
while (!stopping) {
  try {
    const jobs = await store.claim({ queues: ['proof'], limit: BATCH, leaseMs: 1000, waitMs: 200, worker });
    for (const { id, token, attempt } of jobs) console.log(`start ${id} ${token} ${attempt}`);
    await pause(HANDLER_MS);
    const answers = await store.ack(jobs.map(({ id, token }) => ({ id, token })));
    for (const [index, { id, token }] of jobs.entries()) console.log(`acked ${id} ${token} ${answers[index]}`);
  } catch (error) {
    console.log(error instanceof HoldfastError ? `failed ${error.code} ${error.outcome}` : `failed ${String(error)}`);
    await pause(HANDLER_MS);
  }
}
await store.close();

/** Its first connections may be ended like any other. */
async function opened(openStore: (options: object) => Promise<JobStore>): Promise<JobStore> {
  for (;;) {
    try {
      return await openStore(JSON.parse(options) as object);
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'STORE_OPEN_FAILED') throw error;
      await pause(HANDLER_MS);
    }
  }
}
