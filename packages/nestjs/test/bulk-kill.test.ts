import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  BulkAct,
  BulkOperation,
  BulkOperationAnswer,
  BulkPlanAnswer,
  BulkTarget,
  JobAnswer,
  JobDetail,
  JobId,
  JobStore,
} from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { temporaryDirectory } from './temporary-directory.js';

const KILLS = 3;
const RATE = 200;
const JOBS = 600;
const LATER = 20;
const WAIT = { timeout: 120_000, interval: 50 };
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };

let script: string;
const removals: (() => void)[] = [];

beforeAll(async () => {
  const source = readFileSync(new URL('programs/bulk-app.ts', import.meta.url), 'utf8');
  script = join(await compileProgram(new Map([['src/main.ts', source]]), (remove) => removals.push(remove)), 'main.js');
  return () => {
    for (const remove of removals) remove();
  };
}, 300_000);

/** A process with the dashboard's API over the store in the directory. */
class Server {
  readonly program: ChildProgram;
  readonly #api: Promise<string>;

  constructor(QUEUE_DIRECTORY: string) {
    this.program = new ChildProgram(script, { QUEUE_DIRECTORY });
    this.#api = this.program.said(/^up at /).then((line) => `${line.slice('up at '.length)}/ops/api/v1/`);
    this.#api.catch(() => {});
  }

  async get<Answer>(path: string): Promise<Answer> {
    return (await (await fetch(`${await this.#api}${path}`)).json()) as Answer;
  }

  async post<Answer>(path: string, body: unknown): Promise<Answer> {
    const request = { method: 'POST', headers: OWN, body: JSON.stringify(body) };
    return (await (await fetch(`${await this.#api}${path}`, request)).json()) as Answer;
  }

  async operation(id: string): Promise<BulkOperation> {
    return (await this.get<BulkOperationAnswer>(`bulk/operations/${id}`)).operation;
  }

  /** Starts what the target says, at the rate of these tests. */
  async operate(target: BulkTarget): Promise<BulkOperation> {
    const { planId } = await this.post<BulkPlanAnswer>('bulk/plans', target);
    const started = { planId, ratePerSecond: RATE, reason: 'a test' };
    return (await this.post<BulkOperationAnswer>('bulk/operations', started)).operation;
  }

  async hasActedOn(id: JobId): Promise<void> {
    await vi.waitFor(async () => expect((await this.get<JobAnswer>(`jobs/${id}`)).job.acts).toHaveLength(1), WAIT);
  }

  async kill(): Promise<void> {
    this.program.signal('SIGKILL');
    await this.program.ended;
  }
}

async function inStore<Value>(directory: string, use: (store: JobStore) => Promise<Value>): Promise<Value> {
  const store = await openLogStore({ directory });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Jobs that nobody works on. */
async function enqueue(directory: string, count: number): Promise<JobId[]> {
  const jobs = Array.from({ length: count }, () => ({ queue: 'mail', name: 'send', payload: '{}' }));
  return inStore(directory, async (store) => (await store.enqueue(jobs)).map(({ id }) => id));
}

async function everyJob(directory: string, ids: readonly JobId[]): Promise<JobDetail[]> {
  return inStore(directory, async (store) => {
    const jobs = await Promise.all(ids.map((id) => store.job(id)));
    return jobs.filter((job) => job !== undefined);
  });
}

/** Kills the server again and again while the operation is under way, then lets it come to its end. */
async function throughKills(
  directory: string,
  target: BulkTarget,
  inOrder: readonly JobId[],
  meanwhile: (server: Server) => Promise<void> = async () => {},
): Promise<BulkOperation> {
  const seed = Number(process.env.HOLDFAST_SEED ?? randomInt(2 ** 31));
  console.log(`HOLDFAST_SEED=${seed}`);
  let server = new Server(directory);
  const { id, planned } = await server.operate(target);
  await meanwhile(server);
  for (let kill = 0; kill < KILLS; kill++) {
    const after = 30 + ((seed >>> (kill * 7)) % 100) + kill * 120;
    // Progress is written down every second; what was done is seen in the jobs themselves.
    await server.hasActedOn(inOrder[after]!);
    await server.kill();
    server = new Server(directory);
  }
  await vi.waitFor(async () => expect((await server.operation(id)).status).toBe('done'), WAIT);
  const operation = await server.operation(id);
  server.program.signal('SIGTERM');
  await server.program.ended;
  expect(operation.planned).toBe(planned);
  return operation;
}

const sum = (skipped: BulkOperation['skipped']) => Object.values(skipped).reduce((total, count) => total + count, 0);

describe(`an operation on many jobs whose server is killed ${KILLS} times`, () => {
  it('does each job of the plan once and no other, and counts every one', async () => {
    const directory = temporaryDirectory();
    const ids = await enqueue(directory, JOBS);
    const act: BulkAct = { kind: 'cancel' };
    const target: BulkTarget = { act, selection: { filter: { queue: 'mail' } } };
    // The newest are done first: those at the other end are still as they were.
    const gone = ids.slice(0, 5);
    const operation = await throughKills(directory, target, ids.toReversed(), async (server) => {
      for (const id of gone) await server.post(`jobs/${id}/acts/reprioritise`, { priority: 9 });
    });
    expect(operation.done + sum(operation.skipped)).toBe(JOBS);
    const jobs = await everyJob(directory, ids);
    const touched = jobs.filter(({ acts }) => acts.some(({ reason }) => reason === 'a test'));
    expect(touched.map(({ id }) => id).sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
    expect(touched.every(({ state, acts }) => state === 'cancelled' && acts.length === 1)).toBe(true);
    // What was done in the last second before a kill is not counted as done.
    expect(operation.done).toBeLessThanOrEqual(touched.length);
    expect(operation.skipped.changed ?? 0).toBeGreaterThanOrEqual(gone.length);
  }, 300_000);

  it('does each of the jobs that were named once, also where its state stays the same', async () => {
    const directory = temporaryDirectory();
    const ids = await enqueue(directory, JOBS);
    const act: BulkAct = { kind: 'reprioritise', priority: 7 };
    const operation = await throughKills(directory, { act, selection: { ids } }, ids);
    expect(operation).toMatchObject({ done: JOBS, skipped: {} });
    const jobs = await everyJob(directory, ids);
    expect(jobs.every(({ priority, acts }) => priority === 7 && acts.length === 1)).toBe(true);
  }, 300_000);

  it('leaves alone what came after the plan', async () => {
    const directory = temporaryDirectory();
    const ids = await enqueue(directory, JOBS);
    const target: BulkTarget = { act: { kind: 'cancel' }, selection: { filter: { queue: 'mail', state: 'ready' } } };
    let server = new Server(directory);
    const { id } = await server.operate(target);
    await server.hasActedOn(ids.at(-1)!);
    await server.kill();
    const later = await enqueue(directory, LATER);
    server = new Server(directory);
    onTestFinished(() => server.kill());
    await vi.waitFor(async () => expect((await server.operation(id)).status).toBe('done'), WAIT);
    await server.kill();
    const jobs = await everyJob(directory, later);
    expect(jobs.every(({ state, acts }) => state === 'ready' && acts.length === 0)).toBe(true);
  }, 300_000);
});
