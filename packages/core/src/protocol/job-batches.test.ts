import type { Backoff } from '@holdfast/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listedJobs } from '../../test/client/listed-jobs.js';
import type { ClaimedJob, EngineJob, JobShape } from '../engine/engine-calls.js';
import { formatId, formatToken, makeToken } from '../identity.js';
import { readClaimed, writeClaimed } from './claimed-batch.js';
import { EnqueueBatchWriter, withKnownShapes, writeEnqueued } from './enqueue-batch.js';
import { buffersOf } from './payload-column.js';
import {
  AckBatchWriter,
  ExtendBatchWriter,
  FailBatchWriter,
  ReleaseBatchWriter,
  readAckBatch,
  readExtendBatch,
  readFailBatch,
  readReleaseBatch,
  settleAnswerAt,
  writeSettled,
} from './settle-batch.js';
import { ShapeInterner } from './shape-column.js';

const BACKOFF: Backoff = { kind: 'fixed', baseMs: 1, maxMs: 2, jitter: 'none' };
const SHAPES: JobShape[] = ['mail', 'sms', 'push'].map((name, index) => ({
  queue: `queue ${index % 2}`,
  name,
  priority: index,
  maxAttempts: index === 0 ? null : index,
  backoff: BACKOFF,
}));

const anyShape = fc.constantFrom(...SHAPES);
const anyPayload = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array());
const anyJob = fc.record({
  shape: anyShape,
  payload: anyPayload,
  delayMs: fc.option(fc.nat(), { nil: undefined }),
  runAtMs: fc.option(fc.nat(), { nil: undefined }),
  expiresInMs: fc.option(fc.nat(), { nil: undefined }),
  extras: fc.constantFrom(undefined, undefined, { timeoutMs: 7 }, { headers: { trace: 'a' } }),
  dedupe: fc.constantFrom(undefined, undefined, { key: 'a', onConflict: 'keep' as const, forMs: 0 }),
});

function cross(jobs: readonly EngineJob[]): EngineJob[] {
  const writer = new EnqueueBatchWriter();
  for (const { shape, payload, delayMs, runAtMs, expiresInMs, extras, dedupe } of jobs) {
    writer.add(shape, payload, delayMs, runAtMs, expiresInMs, extras, dedupe);
  }
  const batch = writer.take();
  const arrived = structuredClone(batch, { transfer: [...buffersOf(batch.payloads)] });
  return listedJobs(withKnownShapes(arrived, (shape) => shape));
}

describe('enqueue batch', () => {
  it('gives back the jobs that were added', () => {
    fc.assert(
      fc.property(fc.array(anyJob), (jobs) => {
        expect(cross(jobs)).toEqual(jobs);
      }),
    );
  });

  it('names each shape once and gives jobs of one shape one object', () => {
    const jobs = cross([0, 1, 0, 1].map((index) => ({ shape: SHAPES[index]!, payload: '' })));
    expect(jobs[0]!.shape).toBe(jobs[2]!.shape);
    expect(jobs[1]!.shape).toBe(jobs[3]!.shape);
  });

  it('turns shapes of different messages into one object where they are equal', () => {
    const interner = new ShapeInterner();
    const intern = (shape: JobShape) =>
      interner.intern(shape.queue, shape.name, shape.priority, shape.maxAttempts, shape.backoff, () => shape);
    expect(intern(structuredClone(SHAPES[0]!))).toBe(intern(structuredClone(SHAPES[0]!)));
    expect(intern({ ...SHAPES[0]!, queue: 'a', name: 'bc' })).not.toBe(
      intern({ ...SHAPES[0]!, queue: 'ab', name: 'c' }),
    );
  });

  it('tells which jobs are scheduled only if some are', () => {
    expect(writeEnqueued({ firstId: 7, scheduled: Uint8Array.of(0, 0) })).toEqual({ firstId: 7 });
    expect(writeEnqueued({ firstId: 7, scheduled: Uint8Array.of(0, 1) })).toEqual({
      firstId: 7,
      scheduled: Uint8Array.of(0, 1),
    });
  });
});

describe('claimed batch', () => {
  it('gives the jobs as the contract has them', () => {
    const anyClaimed = fc.record({
      id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      token: fc.integer({ min: 1, max: 2 ** 32 - 1 }).map((counter) => makeToken(2 ** 21 - 1, counter)),
      shape: anyShape,
      payload: anyPayload,
      attempt: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      enqueuedAtMs: fc.nat(),
      extras: fc.constantFrom(undefined, undefined, { timeoutMs: 7, headers: { trace: 'a' } }),
    });
    fc.assert(
      fc.property(fc.array(anyClaimed), (jobs) => {
        expect(claimed(jobs)).toEqual(jobs.map(leased));
      }),
    );
  });

  it('gives each payload of bytes a buffer of its own, which can be kept or sent on without the others', () => {
    const whole = { shape: SHAPES[0]!, attempt: 1, enqueuedAtMs: 1, extras: undefined };
    const payloads = [new Uint8Array(3).fill(7), 'text', new Uint8Array(1000).fill(8), new Uint8Array(0)];
    const jobs = payloads.map((payload, index) => ({
      ...whole,
      id: index + 1,
      token: makeToken(1, index + 1),
      payload,
    }));
    for (const batch of [jobs, jobs.slice(0, 1)]) {
      const read = claimed(batch).map(({ payload }) => payload);
      expect(read).toEqual(payloads.slice(0, batch.length));
      const bytes = read.filter((payload) => typeof payload !== 'string');
      expect(bytes.map(({ buffer }) => buffer.byteLength)).toEqual(bytes.map(({ length }) => length));
    }
  });

  function claimed(jobs: readonly ClaimedJob[]) {
    return readClaimed(structuredClone(writeClaimed(jobs, 0)), 'abcde', 500);
  }

  function leased({ id, token, shape, payload, attempt, enqueuedAtMs, extras }: ClaimedJob) {
    const { queue, name, priority, maxAttempts } = shape;
    const lease = { id: formatId('abcde', id), token: formatToken(token), leaseMs: 500 };
    return { ...lease, queue, name, payload, priority, attempt, maxAttempts, enqueuedAtMs, ...extras };
  }
});

describe('settle batches', () => {
  it('carry acks with and without results', () => {
    const writer = new AckBatchWriter();
    writer.add(1, 11, undefined);
    writer.add(2, 22, '');
    writer.add(3, 33, Uint8Array.of(1, 2));
    expect(readAckBatch(structuredClone(writer.take()))).toEqual([
      { id: 1, token: 11, result: undefined },
      { id: 2, token: 22, result: '' },
      { id: 3, token: 33, result: Uint8Array.of(1, 2) },
    ]);
    writer.add(4, 44, undefined);
    expect(writer.take().results).toBeUndefined();
  });

  it('carry failures, releases and extensions', () => {
    const error = { class: 'Error', message: 'no', stack: 'at x' };
    const fails = new FailBatchWriter();
    fails.add(1, 2, error, 'dead');
    fails.add(3, 4, error, { retryInMs: 5 });
    const nexts = readFailBatch(structuredClone(fails.take())).map((item) => [
      item.id,
      item.token,
      item.error,
      item.then,
    ]);
    expect(nexts).toEqual([
      [1, 2, error, 'dead'],
      [3, 4, error, { retryInMs: 5 }],
    ]);
    const releases = new ReleaseBatchWriter();
    releases.add(1, 2, 0);
    releases.add(3, 4, 5);
    expect(readReleaseBatch(releases.take()).map(({ delayMs }) => delayMs)).toEqual([0, 5]);
    const extensions = new ExtendBatchWriter();
    extensions.add(1, 2, 3);
    expect(readExtendBatch(extensions.take())).toEqual([{ id: 1, token: 2, leaseMs: 3 }]);
  });

  it('say what became of each item', () => {
    const answers = ['ok', 'missing', 'stale'] as const;
    const batch = structuredClone(writeSettled(answers));
    expect(answers.map((_, index) => settleAnswerAt(batch, index))).toEqual(answers);
    expect(writeSettled(['ok', 'ok'])).toEqual({});
    expect(settleAnswerAt({}, 1)).toBe('ok');
  });
});
