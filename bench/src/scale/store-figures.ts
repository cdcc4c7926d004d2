import { openLogStore } from '@holdfast/core';
import { median } from '../statistics.js';

/** What a store of very many jobs shows from outside; a process of its own for each. Prints one line of JSON. */
export interface FillFigures {
  readonly residentBytes: number;
  readonly logBytes: number;
}

export interface OpenFigures {
  readonly openMs: number;
  readonly peakBytes: number;
  readonly residentBytes: number;
  /** Claim and ack of one job. */
  readonly fewMicros: number;
  readonly manyMicros: number;
}

const BATCH = 1000;
const CLAIMED = 100;
const ROUNDS = 40;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(89) });

const [, , act, directory, other] = process.argv;
if (directory === undefined || other === undefined) throw new Error('Usage: store-figures fill|open <directory> <…>');
const figures = act === 'fill' ? await fill(directory, Number(other)) : await open(directory, other);
process.stdout.write(`${JSON.stringify(figures)}\n`);

async function fill(into: string, jobs: number): Promise<FillFigures> {
  const store = await openLogStore({ directory: into });
  const batch = Array.from({ length: BATCH }, () => ({ queue: 'orders', name: 'place', payload: PAYLOAD }));
  for (let done = 0; done < jobs; done += 4 * BATCH) {
    await Promise.all([batch, batch, batch, batch].map((some) => store.enqueue(some.slice(0, jobs - done))));
  }
  const residentBytes = process.memoryUsage().rss;
  const { segments } = await store.storage();
  await store.close();
  return { residentBytes, logBytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function open(manyIn: string, fewIn: string): Promise<OpenFigures> {
  const startMs = performance.now();
  const many = await openLogStore({ directory: manyIn });
  const openMs = performance.now() - startMs;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const residentBytes = process.memoryUsage().rss;
  const few = await openLogStore({ directory: fewIn });
  const fewMicros: number[] = [];
  const manyMicros: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    fewMicros.push(await claimAndAck(few));
    manyMicros.push(await claimAndAck(many));
  }
  await few.close();
  await many.close();
  return { openMs, peakBytes, residentBytes, fewMicros: median(fewMicros), manyMicros: median(manyMicros) };
}

/** @returns microseconds a job */
async function claimAndAck(store: Awaited<ReturnType<typeof openLogStore>>): Promise<number> {
  const startMs = performance.now();
  const jobs = await store.claim({ queues: ['orders'], limit: CLAIMED, leaseMs: 60_000, worker: 'scale' });
  await store.ack(jobs);
  return ((performance.now() - startMs) * 1000) / jobs.length;
}
