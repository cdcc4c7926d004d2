import { openLogStore } from '@holdfast/core';

/** Makes the store that the dashboard looks at; a process of its own, so that what it leaves in memory is not measured. Prints one line of JSON. */
export interface FilledStore {
  readonly bigJobId: string;
}

/** As many as an application with a queue for each kind of work has. */
const QUEUES = 200;
const BATCH = 2000;
const DEAD_PART = 0.05;
const COMPLETED = 500;
const CLAIMED = 1000;
/** What a store takes at most: a payload of 1 MiB. */
const BIG_BYTES = 1024 * 1024;

const [, , directory, jobsText] = process.argv;
if (directory === undefined || jobsText === undefined) throw new Error('Usage: fill-store <directory> <jobs>');
process.stdout.write(`${JSON.stringify(await fill(directory, Number(jobsText)))}\n`);

async function fill(into: string, jobs: number): Promise<FilledStore> {
  const store = await openLogStore({ directory: into });
  const [big] = await store.enqueue([{ queue: 'documents', name: 'index', payload: bigPayload() }]);
  for (let done = 0; done < jobs; done += BATCH) {
    await store.enqueue(Array.from({ length: Math.min(BATCH, jobs - done) }, (_, index) => jobOf(done + index)));
  }
  await endSome(Math.floor(jobs * DEAD_PART), 'dead');
  await endSome(COMPLETED, 'completed');
  await store.close();
  return { bigJobId: big!.id };

  async function endSome(count: number, how: 'dead' | 'completed'): Promise<void> {
    const queues = Array.from({ length: QUEUES }, (_, index) => queueOf(index));
    for (let done = 0; done < count; ) {
      const limit = Math.min(CLAIMED, count - done);
      const claimed = await store.claim({ queues, limit, leaseMs: 60_000, waitMs: 5000, worker: 'filler' });
      if (claimed.length === 0) return;
      done += claimed.length;
      if (how === 'completed') await store.ack(claimed);
      else await store.fail(claimed.map(({ id, token }, index) => deadly(id, token, index)));
    }
  }
}

function queueOf(number: number): string {
  return `queue-${String(number % QUEUES).padStart(3, '0')}`;
}

/** A tenth waits for tomorrow; the others are ready. */
function jobOf(number: number) {
  const payload = JSON.stringify({ order: number, to: `customer-${number % 1000}@example.org`, text: 'x'.repeat(60) });
  const job = { queue: queueOf(number), name: number % 3 === 0 ? 'send' : 'place', payload, maxAttempts: 1 };
  return number % 10 === 9 ? { ...job, delayMs: 86_400_000 } : job;
}

function deadly(id: string, token: string, number: number) {
  const message = `connect ECONNREFUSED 10.0.0.${number % 200}:5432`;
  const stack = `Error: ${message}\n    at send (/app/src/mailer-${number % 20}.js:10:3)`;
  // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited.
  return { id, token, error: { class: 'Error', message, stack }, then: 'dead' as const };
}

/** Thousands of small members, because each is looked at for secrets. */
function bigPayload(): string {
  const lines: string[] = [];
  let bytes = 2;
  for (let number = 0; ; number++) {
    const line = JSON.stringify({
      sku: `sku-${number}`,
      title: 'A thing of some kind',
      quantity: number % 7,
      price: 1.25,
    });
    bytes += line.length + 1;
    if (bytes > BIG_BYTES) return `[${lines.join(',')}]`;
    lines.push(line);
  }
}
