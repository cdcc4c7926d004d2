// The program that is killed. `take`: takes orders for as long as it lives. `finish`: works off what is there, and ends.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openLogStore, Queue, startWorker } from '@holdfast/core';

interface ReceiptJobs {
  write: { order: string };
}

const CUSTOMERS = 20;
const [directory = 'data', task = 'finish', life = '0'] = process.argv.slice(2);
const receiptsFile = join(directory, 'receipts.txt');

const store = await openLogStore({ directory: join(directory, 'queue') });
const receipts = new Queue<ReceiptJobs>('receipts', {
  store,
  // Whoever is struck down with the process at each attempt would be dead after the fifth: here it is to go on for ever.
  defaults: { maxAttempts: null, backoff: { kind: 'fixed', baseMs: 50 } },
});
const { recovery } = await store.storage();
console.log(`opened ${JSON.stringify({ kind: recovery.kind, cutOff: recovery.leasesEnded.retried })}`);

const worker = startWorker<ReceiptJobs>({
  store,
  queue: 'receipts',
  concurrency: CUSTOMERS,
  handlers: {
    async write({ payload: { order } }) {
      await pause(2);
      appendFileSync(receiptsFile, `${order}\n`);
      await pause(2); // killed here, the receipt is written and the job not acked: it will be written again
    },
  },
});

if (task === 'take') await Promise.all(Array.from({ length: CUSTOMERS }, (_, customer) => placeOrders(customer)));
while (await somethingIsLeft()) await pause(50);
await worker.close();
await store.close();

/** A customer places an order, waits for the answer, and places the next one. */
async function placeOrders(customer: number): Promise<never> {
  for (let number = 1; ; number++) {
    const order = `${life}-${customer}-${number}`;
    await receipts.enqueue('write', { order });
    console.log(`confirmed ${order}`);
  }
}

async function somethingIsLeft(): Promise<boolean> {
  const { scheduled, ready, leased, dead } = await receipts.counts();
  if (dead > 0) throw new Error(`${dead} jobs are dead`);
  return scheduled + ready + leased > 0;
}
