import { openLogStore, Queue, startWorker } from '@holdfast/core';

/** Job names, and the payload of each. */
interface ReceiptJobs {
  send: { orderId: string; email: string };
}

const store = await openLogStore({ directory: process.env.QUEUE_DIRECTORY ?? 'data/queue' });
const receipts = new Queue<ReceiptJobs>('receipts', { store, defaults: { maxAttempts: 8 } });

const worker = startWorker<ReceiptJobs>({
  store,
  queue: 'receipts',
  concurrency: 10,
  handlers: {
    // May run twice for one job: the process can end between the work and its ack. `job.id` is the same each time.
    async send(job) {
      console.log(`sending the receipt of ${job.payload.orderId} to ${job.payload.email}, attempt ${job.attempt}`);
      if (job.attempt === 1) throw new Error('the mail server is not there yet');
      return { sentTo: job.payload.email };
    },
  },
});
worker.on('failed', ({ job, error }) => console.log(`attempt ${job.attempt} failed: ${(error as Error).message}`));

// When this resolves the job is on stable storage: no crash and no power cut takes it.
const { id } = await receipts.enqueue(
  'send',
  { orderId: 'o-1', email: 'ada@example.org' },
  { backoff: { kind: 'fixed', baseMs: 200 } },
);
console.log(`stored ${id}`);
console.log('done:', await receipts.waitFor(id));

await worker.close(); // lets jobs finish
await store.close();
