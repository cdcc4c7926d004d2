import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Payload } from '@holdfast/contract';
import { type LogStore, openLogStore } from '@holdfast/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchDirectory } from './scratch-directory.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], leaseMs: 30_000, worker: 'w' };

async function openStore(directory = scratchDirectory()): Promise<LogStore> {
  const store = await openLogStore({ directory });
  onTestFinished(() => store.close());
  return store;
}

/** A megabyte of bytes is compared a thousand times faster as one text. */
function comparable(payload: Payload): readonly [string, string] {
  return typeof payload === 'string' ? ['text', payload] : ['bytes', Buffer.from(payload).toString('base64')];
}

describe('a store on its own thread', () => {
  it('takes a job from enqueue over claim to ack', async () => {
    const store = await openStore();
    const [job] = await store.enqueue([{ ...JOB, priority: 3, maxAttempts: null }]);
    const claimed = await store.claim({ ...CLAIM, limit: 10 });
    expect(claimed).toEqual([
      {
        ...JOB,
        id: job?.id,
        token: expect.any(String),
        priority: 3,
        attempt: 1,
        maxAttempts: null,
        enqueuedAtMs: expect.any(Number),
        leaseMs: 30_000,
      },
    ]);
    const { id, token } = claimed[0]!;
    expect(await store.ack([{ id, token, result: 'sent' }])).toEqual(['ok']);
    expect(
      await store.ack([
        { id, token },
        { id: 'other-1', token },
      ]),
    ).toEqual(['ok', 'missing']);
    expect(await store.job(id)).toMatchObject({ state: 'completed', result: 'sent', attempts: 1 });
  });

  it('retries, releases, extends and redrives', async () => {
    const store = await openStore();
    await store.enqueue([{ ...JOB, maxAttempts: 2 }]);
    const claim = async () => (await store.claim({ ...CLAIM, limit: 1 }))[0]!;
    const lease = async () => {
      const { id, token, attempt } = await claim();
      return { ref: { id, token }, attempt };
    };
    const first = await lease();
    expect(await store.extend([{ ...first.ref, leaseMs: 60_000 }])).toEqual(['ok']);
    expect((await store.leases(10))[0]).toMatchObject({ leaseMs: 60_000, extensions: 1 });
    expect(await store.release([first.ref])).toEqual(['ok']);
    const second = await lease();
    expect(second.attempt).toBe(1);
    const error = { class: 'TypeError', message: 'no \ud800 way', stack: 'at x' };
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    expect(await store.fail([{ ...second.ref, error, then: { retryInMs: 0 } }])).toEqual(['ok']);
    const third = await lease();
    expect(third.attempt).toBe(2);
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    expect(await store.fail([{ ...third.ref, error, then: 'backoff' }])).toEqual(['ok']);
    expect(await store.job(third.ref.id)).toMatchObject({ state: 'dead' });
    const outcome = await store.redrive({ ids: [third.ref.id] }, { actor: 'me', reason: 'fixed' });
    expect(outcome).toEqual({ matched: 1, done: 1, skipped: {} });
    expect((await lease()).attempt).toBe(1);
  });

  it('keeps hostile payloads as they are', async () => {
    const payloads: Payload[] = [
      '',
      '𝕳😀\u0000\n"',
      'ä'.repeat(500_000),
      new Uint8Array(0),
      Uint8Array.from({ length: 1024 * 1024 }, (_, index) => index * 7),
      'HFRM',
    ];
    const directory = scratchDirectory();
    const first = await openStore(directory);
    const jobs = await first.enqueue(payloads.map((payload) => ({ ...JOB, payload })));
    await first.close();
    const store = await openStore(directory);
    const claimed = await store.claim({ ...CLAIM, limit: 10 });
    expect(claimed.map(({ payload }) => comparable(payload))).toEqual(payloads.map(comparable));
    const details = await Promise.all(jobs.map(({ id }) => store.job(id)));
    expect(details.map((detail) => comparable(detail!.payload))).toEqual(payloads.map(comparable));
  });

  it('answers a thousand calls in flight, each with its own job', async () => {
    const store = await openStore();
    const producer = async (number: number) => {
      const ids: string[] = [];
      for (let round = 0; round < 5; round++) {
        const [job] = await store.enqueue([{ ...JOB, payload: `${number}/${round}` }]);
        ids.push(job!.id);
      }
      return ids;
    };
    const ids = (await Promise.all(Array.from({ length: 1000 }, (_, number) => producer(number)))).flat();
    expect(new Set(ids).size).toBe(5000);
    const commits = (await store.metrics()).totals.commits;
    expect(commits).toBeLessThan(500);
    for (const index of [0, 1, 2499, 4999]) {
      const expected = `${Math.floor(index / 5)}/${index % 5}`;
      expect((await store.job(ids[index]!))?.payload).toBe(expected);
    }
  });

  it('wakes a waiting claim at once', async () => {
    const store = await openStore();
    // The first commit of a store also starts its sync thread, which is not measured here.
    await store.enqueue([{ ...JOB, queue: 'other' }]);
    const claim = store.claim({ ...CLAIM, limit: 1, waitMs: 60_000 });
    await store.queues();
    const startedMs = performance.now();
    await store.enqueue([JOB]);
    expect(await claim).toHaveLength(1);
    const tookMs = performance.now() - startedMs;
    console.log(`enqueue to waiting claim: ${tookMs.toFixed(2)} ms`);
    expect(tookMs).toBeLessThan(5000);
  });

  it('ends a waiting claim by its signal and gives its job to the next', async () => {
    const store = await openStore();
    const abort = new AbortController();
    const claim = store.claim({ ...CLAIM, limit: 1, waitMs: 60_000, signal: abort.signal });
    await store.queues();
    abort.abort();
    expect(await claim).toEqual([]);
    await store.enqueue([JOB]);
    expect(await store.claim({ ...CLAIM, limit: 1 })).toHaveLength(1);
  });

  it('hands leases back when it is closed, uncounted', async () => {
    const directory = scratchDirectory();
    const first = await openStore(directory);
    await first.enqueue([JOB]);
    await first.claim({ ...CLAIM, limit: 1 });
    await first.close();
    const store = await openStore(directory);
    expect((await store.storage()).recovery).toMatchObject({ kind: 'clean', leasesEnded: { retried: 0, dead: 0 } });
    expect(await store.claim({ ...CLAIM, limit: 1 })).toMatchObject([{ attempt: 1 }]);
  });

  it('takes a file URL', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory: pathToFileURL(join(directory, 'a b')) });
    onTestFinished(() => store.close());
    expect((await store.storage()).location).toBe(join(directory, 'a b'));
  });
});

describe('a store that cannot be opened says why', () => {
  it('when this process has it open already', async () => {
    const directory = scratchDirectory();
    await openStore(directory);
    await expect(openLogStore({ directory })).rejects.toMatchObject({ code: 'STORE_LOCKED', holderPid: process.pid });
  });

  it('when its directory is a file', async () => {
    const file = join(scratchDirectory(), 'file');
    writeFileSync(file, '');
    await expect(openLogStore({ directory: file })).rejects.toMatchObject({ code: 'STORE_OPEN_FAILED' });
  });

  it('when its log is damaged', async () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, '0000000001.segment'), 'x'.repeat(1000));
    await expect(openLogStore({ directory })).rejects.toMatchObject({ code: expect.stringMatching(/^LOG_/) });
  });

  it.each([
    ['directory', { directory: '' }],
    ['directory', { directory: new URL('https://example.org/') }],
    ['segmentBytes', { directory: 'x', segmentBytes: 1 }],
    ['segmentBytes', { directory: 'x', segmentBytes: null as never }],
    ['A name in openLogStore', { directory: 'x', segmentbytes: 1_000_000 } as never],
    ['retention.dead.count', { directory: 'x', retention: { dead: { count: -1 } } }],
    ['openTimeoutMs', { directory: 'x', openTimeoutMs: 0.5 }],
  ])('when an option can never work: %s', async (argument, options) => {
    await expect(openLogStore(options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });
});

it('makes a backup of itself while it is written to', async () => {
  const directory = scratchDirectory();
  const target = join(directory, 'backup');
  const store = await openLogStore({ directory: join(directory, 'log'), segmentBytes: 64 * 1024 });
  const job = { queue: 'mail', name: 'send', payload: 'x'.repeat(500) };
  const answered = await store.enqueue(Array.from({ length: 500 }, () => job));
  const later = Promise.all(Array.from({ length: 100 }, () => store.enqueue([job])));
  const report = await store.snapshot(target);
  expect(report).toMatchObject({ directory: target, linkedBytes: report.bytes });
  await expect(store.snapshot(target)).rejects.toMatchObject({ code: 'SNAPSHOT_FAILED', target });
  await later;
  await store.close();
  const copy = await openLogStore({ directory: target });
  for (const { id } of answered) expect(await copy.job(id)).toMatchObject({ state: 'ready', payload: job.payload });
  const [fresh] = await copy.enqueue([job]);
  expect(await copy.job(fresh!.id)).toMatchObject({ state: 'ready' });
  await copy.close();
  const again = await openLogStore({ directory: join(directory, 'log') });
  expect((await again.queues())[0]?.counts.ready).toBe(600);
  await again.close();
});

it('tells what happens in it to those who listen', async () => {
  const store = await openStore();
  const stop = new AbortController();
  const events = store.events({ kinds: ['completed', 'dead'], signal: stop.signal });
  const jobs = await store.enqueue(Array.from({ length: 1200 }, () => JOB));
  for (let left = jobs.length; left > 0; left -= 400) await store.ack(await store.claim({ ...CLAIM, limit: 400 }));
  const seen: string[] = [];
  for await (const event of events) {
    if (event.kind === 'completed') seen.push(event.id);
    if (seen.length === jobs.length) stop.abort();
  }
  expect(seen).toEqual(jobs.map(({ id }) => id));
});
