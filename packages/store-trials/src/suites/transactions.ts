import { type LeasedJob, RequestMismatchError } from '@holdfast/contract';
import type { SqlStore } from '@holdfast/sql-store';
import { expect } from 'vitest';
import type { OverRig } from './trial-rig.js';

/** With what libraries may take for parameters. */
const JOB = { queue: 'mail', name: 'send', payload: '{"a":"it\'s ?$1 ?? :a"}' };
const KEYED = { ...JOB, dedupe: { key: 'once' } };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

class Undone extends Error {}

/** Does the work in a transaction, and commits it unless the work throws. */
export type InTransaction<Transaction> = (work: (transaction: Transaction) => Promise<void>) => Promise<void>;

/** What each library calls a transaction. @returns how to work in one, and how to let go of the library */
export type Library<Transaction> = (
  url: string,
) => Promise<{ readonly run: InTransaction<Transaction>; readonly end: () => Promise<unknown> }>;

interface Processes<Transaction> {
  readonly producer: SqlStore<Transaction>;
  readonly worker: SqlStore<Transaction>;
  /** The one of them that hears of the commit. */
  readonly waiter: SqlStore<Transaction>;
}

export interface TransactionSuite<Transaction> {
  readonly libraries: Readonly<Record<string, Library<Transaction>>>;
  /** What makes a transaction of that of the driver: named where something else is given. */
  readonly adapter: string;
  /** Who hears at once of what another process has committed: everybody, or only the one that stored it. */
  readonly hears: 'everybody' | 'producer';
}

/** The rigs poll so seldom that only the commit can have woken anybody. */
export function exerciseTransactions<Transaction>(
  overRig: OverRig<Transaction>,
  { libraries, adapter, hears }: TransactionSuite<Transaction>,
): void {
  for (const [name, library] of Object.entries(libraries)) {
    overRig(`${name}: what is rolled back was never there, and a commit wakes who waits`, async (rig) => {
      const { run, end } = await library(rig.url);
      try {
        const [producer, worker] = [await rig.open(), await rig.open()];
        const processes = { producer, worker, waiter: hears === 'everybody' ? worker : producer };
        await producer.pause('mail', { actor: 'test' });
        await producer.resume('mail', { actor: 'test' });
        await expectRollback(processes, run);
        await expectCommit(processes, run);
        await expectRequest(processes, run);
        await expectAck(processes, run);
      } finally {
        await end();
      }
    });
  }

  overRig('refuses what is no transaction', async (rig) => {
    const store = await rig.open();
    const enqueued = store.enqueue([JOB], { transaction: {} as Transaction });
    await expect(enqueued).rejects.toThrow(new RegExp(`enqueue\\.transaction.*${adapter}`));
  });
}

async function expectRollback<Transaction>(
  { producer }: Processes<Transaction>,
  run: InTransaction<Transaction>,
): Promise<void> {
  const undone = run(async (transaction) => {
    const answers = await producer.enqueue([JOB, KEYED], { transaction, requestId: 'undone' });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  expect((await producer.browse({}, { limit: 10 })).rows).toEqual([]);
  expect((await producer.queues())[0]?.counts.ready).toBe(0);
}

async function expectCommit<Transaction>(
  { producer, worker, waiter }: Processes<Transaction>,
  run: InTransaction<Transaction>,
): Promise<void> {
  let taken: LeasedJob[] | undefined;
  const waiting = waiter.claim({ ...CLAIM, waitMs: 25_000 }).then((jobs) => {
    taken = jobs;
  });
  const ids: string[] = [];
  await run(async (transaction) => {
    const answers = await producer.enqueue([JOB, KEYED, KEYED, { ...JOB, delayMs: 60_000 }], { transaction });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'duplicate', 'created']);
    expect(answers.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'scheduled']);
    ids.push(...answers.map(({ id }) => id));
    // Nobody can see them yet.
    expect(await worker.claim(CLAIM)).toEqual([]);
    expect(taken).toBeUndefined();
  });
  await waiting;
  expect(taken?.map(({ id, payload }) => [id, payload])).toEqual(ids.slice(0, 2).map((id) => [id, JOB.payload]));
}

async function expectRequest<Transaction>(
  { producer }: Processes<Transaction>,
  run: InTransaction<Transaction>,
): Promise<void> {
  const requestId = 'order-1';
  const answers: unknown[] = [];
  for (let call = 0; call < 2; call++) {
    await run(async (transaction) => {
      answers.push(await producer.enqueue([JOB], { transaction, requestId }));
    });
  }
  expect(answers[1]).toEqual(answers[0]);
  const other = run(async (transaction) => {
    await producer.enqueue([JOB, JOB], { transaction, requestId });
  });
  await expect(other).rejects.toThrow(RequestMismatchError);
}

async function expectAck<Transaction>(
  { producer, worker }: Processes<Transaction>,
  run: InTransaction<Transaction>,
): Promise<void> {
  await producer.enqueue([{ ...JOB, queue: 'acks' }]);
  const [job] = await worker.claim({ ...CLAIM, queues: ['acks'] });
  const ref = { id: job?.id ?? '', token: job?.token ?? '' };
  const undone = run(async (transaction) => {
    expect(await worker.ack([{ ...ref, result: 'first' }], { transaction })).toEqual(['ok']);
    expect(await worker.ack([ref, { ...ref, token: 'x' }], { transaction })).toEqual(['ok', 'stale']);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  expect(await producer.job(ref.id)).toMatchObject({ state: 'leased', attempts: 1 });
  await run(async (transaction) => {
    expect(await worker.ack([{ ...ref, result: 'second' }], { transaction })).toEqual(['ok']);
  });
  expect(await producer.job(ref.id)).toMatchObject({ state: 'completed', result: 'second', attempts: 1 });
  await expect(worker.ack([ref], { transaction: {} as Transaction })).rejects.toThrow(/ack\.transaction/);
}
