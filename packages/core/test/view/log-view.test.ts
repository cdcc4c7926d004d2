import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JobStore, StoreOpenError, StoreReadOnlyError } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { openLogView } from '@holdfast/core/view';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchDirectory } from '../thread/scratch-directory.js';

const BECAUSE = 'A test looks at it.';
const JOB = { queue: 'mail', name: 'send', payload: '{"to":"ada"}' };
const BY = { actor: 'grace' };
/** Small segments, so that a test sees some come and go. */
const SEGMENT_BYTES = 64 * 1024;

async function own(directory: string): Promise<JobStore> {
  const store = await openLogStore({ directory, segmentBytes: SEGMENT_BYTES });
  onTestFinished(() => store.close());
  return store;
}

async function view(directory: string, everyMs = 20): Promise<JobStore> {
  const store = await openLogView({ directory, because: BECAUSE, everyMs });
  onTestFinished(() => store.close());
  return store;
}

function lease(store: JobStore, limit = 1) {
  return store.claim({ queues: ['mail'], limit, leaseMs: 60_000, worker: 'w1' });
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await delay(5);
}

/** Of every file: name, size, time of its last change, contents. */
function stateOf(directory: string): string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(join(directory, name));
      const sum = createHash('sha256').update(readFileSync(join(directory, name)));
      return `${name} ${ino} ${size} ${mtimeMs} ${sum.digest('hex')}`;
    });
}

/** All that a page of the dashboard could ask for, without what time changes. */
async function shownBy(store: JobStore) {
  const { rows, total } = await store.browse({}, { limit: 100 });
  const jobs = await Promise.all(rows.map(({ id }) => store.job(id)));
  const queues = await store.queues();
  return {
    rows: rows.map(({ lease: _, keptUntilMs: __, ...row }) => row),
    total,
    jobs: jobs.map((job) => ({ ...job, lease: job?.lease?.token, keptUntilMs: undefined })),
    queues: queues.map(({ throughput: _, ...queue }) => queue),
    deadGroups: await store.deadGroups?.({}, { limit: 10 }),
    found: (await store.browse({ payload: { path: 'to', value: '"ada"' } }, { limit: 10 })).rows.map(({ id }) => id),
    leases: (await store.leases(10)).map(({ remainingMs: _, extensions: __, ...shown }) => shown),
    plan: (await store.plan?.({ all: { state: 'dead' } }))?.states,
  };
}

/** A store with a job in each state, and with acts behind it. */
async function fill(store: JobStore): Promise<void> {
  await store.enqueue([JOB, JOB, { ...JOB, maxAttempts: 1 }, { ...JOB, maxAttempts: 2 }, { ...JOB, priority: 9 }]);
  await store.enqueue([{ ...JOB, delayMs: 3_600_000, dedupe: { key: 'k', onConflict: 'keep' } }]);
  const [done, held, dead, retried] = await lease(store, 4);
  await store.note?.([{ ...held!, progress: '0.5', lines: [{ atMs: Date.now(), text: 'half' }] }]);
  await store.ack([{ ...done!, result: '"sent"' }]);
  const error = { class: 'TypeError', message: 'no mailbox', stack: 'TypeError: no mailbox' };
  await store.fail([
    // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
    { ...dead!, error, then: 'backoff' },
    // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
    { ...retried!, error, then: { retryInMs: 3_600_000 } },
  ]);
  await store.pause('slow', BY);
}

it('shows what the owner shows, while that has the log open', async () => {
  const directory = scratchDirectory();
  const owner = await own(directory);
  await fill(owner);
  const shown = await view(directory);
  expect(await shownBy(shown)).toEqual(await shownBy(owner));
  const { rows } = await shown.browse({}, { limit: 100 });
  expect(rows).toHaveLength(6);
  expect(rows.map(({ keptUntilMs }) => keptUntilMs)).toEqual(rows.map(() => undefined));
  expect(shown.capabilities).toEqual({ ...owner.capabilities, readOnly: { because: BECAUSE } });
  const [report, own_] = [await shown.storage(), await owner.storage()];
  expect(report).toMatchObject({ kind: 'log', storeId: own_.storeId, bytes: own_.bytes, segments: own_.segments });
  expect(own_.recovery.kind).toBe('new');
  // How the owner ended, or will end, nobody can tell from a log that is open.
  expect(report.recovery).toMatchObject({ kind: 'read', epoch: own_.recovery.epoch });
});

it('counts a lease from its beginning, because extensions are not in the log', async () => {
  const directory = scratchDirectory();
  const owner = await own(directory);
  await owner.enqueue([JOB]);
  const [job] = await lease(owner);
  await owner.extend([{ ...job!, leaseMs: 3_600_000 }]);
  const [shown] = await (await view(directory)).leases(1);
  expect(shown?.remainingMs).toBeLessThanOrEqual(60_000);
  expect(shown?.extensions).toBe(0);
});

it('shows what the owner writes later, and of which moment that is', async () => {
  const directory = scratchDirectory();
  const owner = await own(directory);
  const shown = await view(directory);
  const before = shown.health();
  expect(before).toMatchObject({ status: 'open', reopened: 0 });
  expect(await shown.queues()).toEqual([]);
  const [{ id } = { id: '' }] = await owner.enqueue([JOB]);
  await until(async () => (await shown.job(id)) !== undefined);
  expect(shown.health().asOfMs).toBeGreaterThan(before.asOfMs ?? Number.POSITIVE_INFINITY);
  const [job] = await lease(owner);
  await owner.ack([job!]);
  await until(async () => (await shown.job(id))?.state === 'completed');
});

it('goes on while segments are sealed, compacted and removed, and loses no call to a new reading', async () => {
  const directory = scratchDirectory();
  const owner = await own(directory);
  const kept = await owner.enqueue([{ ...JOB, queue: 'kept' }]);
  const shown = await view(directory, 10);
  const payload = JSON.stringify({ text: 'x'.repeat(1000) });
  const first = '0000000001.segment';
  let calls = 0;
  let over = false;
  const look = async () => {
    while (!over) {
      expect((await shown.queues()).length).toBeGreaterThan(0);
      expect((await shown.job(kept[0]!.id))?.payload).toBe(JOB.payload);
      await shown.browse({ errorText: 'nothing' }, { limit: 10 });
      calls++;
    }
  };
  const looking = look();
  await until(async () => {
    await owner.enqueue(Array.from({ length: 40 }, () => ({ ...JOB, payload })));
    await owner.ack(await lease(owner, 40));
    return !readdirSync(directory).includes(first);
  });
  over = true;
  await looking;
  expect(calls).toBeGreaterThan(0);
  expect(shown.health()).toMatchObject({ status: 'open', reopened: 0 });
  const counts = (await owner.queues()).map((queue) => queue.counts);
  await until(
    async () => JSON.stringify((await shown.queues()).map((queue) => queue.counts)) === JSON.stringify(counts),
  );
  expect(readdirSync(directory)).not.toContain(first);
});

describe('everything that would change something', () => {
  it('is refused, with the reason, and nothing is written into the directory', async () => {
    const directory = scratchDirectory();
    const owner = await openLogStore({ directory });
    const [{ id } = { id: '' }] = await owner.enqueue([JOB]);
    await owner.close();
    const before = stateOf(directory);
    const shown = await view(directory);
    const ids = { ids: [id] };
    const token = '000001.00000001';
    const calls = [
      () => shown.enqueue([JOB]),
      () => lease(shown),
      () => shown.ack([{ id, token }]),
      () => shown.fail([]),
      () => shown.release([{ id, token }]),
      () => shown.extend([{ id, token, leaseMs: 1000 }]),
      () => shown.redrive(ids, BY),
      () => shown.cancel(ids, BY),
      () => shown.remove(ids, BY),
      () => shown.runNow(ids, BY),
      () => shown.reprioritise(ids, 1, BY),
      () => shown.clone(id, BY),
      () => shown.pause('mail', BY),
      () => shown.resume('mail', BY),
    ];
    for (const call of calls) {
      const refused = await call().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(StoreReadOnlyError);
      expect(refused).toMatchObject({ code: 'STORE_READ_ONLY', outcome: 'rejected' });
      expect(String(refused)).toContain(BECAUSE);
    }
    expect([shown.transfer, shown.note, shown.events]).toEqual([undefined, undefined, undefined]);
    expect((await shown.job(id))?.state).toBe('ready');
    await shown.close();
    expect(stateOf(directory)).toEqual(before);
  });
});

describe('a log that cannot be read', () => {
  it('fails the open, and no directory is made', async () => {
    const directory = join(scratchDirectory(), 'none');
    await expect(openLogView({ directory, because: BECAUSE })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(openLogView({ directory: scratchDirectory(), because: BECAUSE })).rejects.toBeInstanceOf(
      StoreOpenError,
    );
  });

  it('leaves what was shown, says so, and is shown again when it is mended', async () => {
    const directory = scratchDirectory();
    const owner = await openLogStore({ directory });
    const [{ id } = { id: '' }] = await owner.enqueue([JOB]);
    await owner.close();
    const shown = await view(directory);
    const last = join(
      directory,
      readdirSync(directory)
        .filter((name) => name.endsWith('.segment'))
        .sort()
        .at(-1)!,
    );
    const { size } = statSync(last);
    writeFileSync(last, 'not a frame', { flag: 'a' });
    await until(() => shown.health().status === 'failed');
    expect(shown.health().detail).toContain('bytes follow the end of the log');
    expect((await shown.job(id))?.state).toBe('ready');
    truncateSync(last, size);
    await until(() => shown.health().status === 'open');
  });
});
