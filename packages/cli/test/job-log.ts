import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type LogStore, openLogStore } from '@holdfast/core';
import { scratchDirectory } from './rig.js';

/** What was done to the jobs of a log, by id. */
export interface JobLog {
  readonly directory: string;
  readonly ready: readonly string[];
  readonly leased: readonly string[];
  readonly completed: readonly string[];
  readonly dead: readonly string[];
}

const ENQUEUES = 20;
const JOBS_EACH = 20;

/**
 * A log of two segments with 402 jobs in all states: enqueued, twenty a frame; ten leased, acked and so on, each act in frames of its
 * own. Left as a killed process leaves it, or closed in order.
 */
export async function makeJobLog(end: 'killed' | 'closed'): Promise<JobLog> {
  const parent = scratchDirectory();
  const directory = join(parent, 'log');
  const store = await openLogStore({ directory: join(parent, 'live'), segmentBytes: 64 * 1024 });
  try {
    const log = { directory, ...(await workOn(store)) };
    if (end === 'killed') cpSync(join(parent, 'live'), directory, { recursive: true });
    return log;
  } finally {
    await store.close();
    if (end === 'closed') cpSync(join(parent, 'live'), directory, { recursive: true });
  }
}

async function workOn(store: LogStore) {
  const ids: string[] = [];
  for (let index = 0; index < ENQUEUES; index++) {
    const jobs = Array.from({ length: JOBS_EACH }, (_, job) => ({
      queue: 'mail',
      name: 'send',
      payload: JSON.stringify({ index, job, text: 'x'.repeat(150) }),
    }));
    ids.push(...(await store.enqueue(jobs)).map(({ id }) => id));
  }
  const leased = await store.claim({ queues: ['mail'], limit: 30, leaseMs: 3_600_000, worker: 'worker-1' });
  const refs = leased.map(({ id, token }) => ({ id, token }));
  const error = { class: 'Error', message: 'no' };
  await store.ack(refs.slice(0, 10).map((ref) => ({ ...ref, result: '"done"' })));
  // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
  await store.fail(refs.slice(10, 15).map((ref) => ({ ...ref, error, then: 'dead' })));
  // The first is durable with all before it, and the second proves that.
  for (const payload of ['first', 'second']) {
    ids.push(...(await store.enqueue([{ queue: 'mail', name: 'send', payload }])).map(({ id }) => id));
  }
  const names = refs.map(({ id }) => id);
  return {
    ready: ids.filter((id) => !names.includes(id)),
    leased: names.slice(15),
    completed: names.slice(0, 10),
    dead: names.slice(10, 15),
  };
}

/**
 * Opens a log with the engine. @returns the states of its jobs by id; those that wait are all `waiting`, because time makes the
 * scheduled ones ready
 */
export async function jobsOf(directory: string): Promise<Map<string, string>> {
  const store = await openLogStore({ directory });
  try {
    const states = new Map<string, string>();
    for (let cursor: string | undefined; ; ) {
      const page = await store.browse({}, { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      for (const { id, state } of page.rows) {
        states.set(id, state === 'ready' || state === 'scheduled' ? 'waiting' : state);
      }
      cursor = page.next;
      if (cursor === undefined) return states;
    }
  } finally {
    await store.close();
  }
}
