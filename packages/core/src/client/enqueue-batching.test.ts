import { InvalidArgumentError, InvalidJobError, type NewJob } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { listedJobs } from '../../test/client/listed-jobs.js';
import { LIMITS } from '../limits.js';
import { EnqueueBatching } from './enqueue-batching.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BACKOFF = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' };

/** What a program without types may pass. */
function untyped<Value>(value: unknown): Value {
  return value as Value;
}

function jobsOf(...jobs: NewJob[]) {
  const batching = new EnqueueBatching(() => 'abcde');
  batching.begin(jobs);
  for (const [index, job] of jobs.entries()) batching.append(job, index);
  return listedJobs(batching.take().args);
}

it('weighs nothing of a call that was refused', () => {
  const batching = new EnqueueBatching(() => 'abcde');
  batching.append(JOB, 0);
  const { count, weight } = batching;
  batching.append({ ...JOB, payload: JSON.stringify('a'.repeat(5000)) }, 0);
  batching.cutTo(count, weight);
  expect(batching.weight).toBe(weight);
  batching.append(JOB, 0);
  expect(batching.weight).toBe(2 * weight);
});

describe('a job', () => {
  it('gets the defaults of the contract', () => {
    expect(jobsOf(JOB)[0]?.shape).toEqual({
      queue: 'mail',
      name: 'send',
      priority: 0,
      maxAttempts: 5,
      backoff: { kind: 'exponential', baseMs: 1000, maxMs: 3_600_000, jitter: 'full' },
    });
  });

  it('shares its shape with those of its kind only', () => {
    const jobs = jobsOf(JOB, { ...JOB, priority: 1 }, JOB, { ...JOB, maxAttempts: null }, { ...JOB, priority: 1 });
    expect(jobs[0]?.shape).toBe(jobs[2]?.shape);
    expect(jobs[1]?.shape).toBe(jobs[4]?.shape);
    expect(new Set(jobs.map(({ shape }) => shape)).size).toBe(3);
  });

  it('is not changed when the caller changes its objects afterwards', () => {
    const backoff = { ...BACKOFF, kind: 'fixed' as const, jitter: 'none' as const };
    const batching = new EnqueueBatching(() => 'abcde');
    batching.append({ ...JOB, backoff }, 0);
    backoff.baseMs = 99;
    batching.append({ ...JOB, backoff }, 1);
    const jobs = listedJobs(batching.take().args);
    expect(jobs.map(({ shape }) => shape.backoff.baseMs)).toEqual([1, 99]);
  });

  it('has the payload that was checked, also where a getter gives another one each time', () => {
    const payloads: unknown[] = ['{}', Symbol('not checked')];
    const job = {
      ...JOB,
      get payload(): string {
        return untyped(payloads.shift());
      },
    };
    const batching = new EnqueueBatching(() => 'abcde');
    batching.append(job, 0);
    expect(batching.weight).toBeGreaterThan(0);
    expect(listedJobs(batching.take().args)).toMatchObject([{ payload: '{}' }]);
  });

  it('has the backoff of its own name, though all else is alike', () => {
    const named = { kind: 'named' as const, baseMs: 1000, maxMs: 60_000, jitter: 'full' as const };
    const [one, other] = jobsOf(
      { ...JOB, backoff: { ...named, name: 'slowly' } },
      { ...JOB, backoff: { ...named, name: 'quickly' } },
    );
    expect([one?.shape.backoff.name, other?.shape.backoff.name]).toEqual(['slowly', 'quickly']);
  });

  it('starts at a whole millisecond, never early', () => {
    expect(jobsOf({ ...JOB, delayMs: 0.1 }, { ...JOB, runAtMs: 5.5 })).toMatchObject([{ delayMs: 1 }, { runAtMs: 6 }]);
  });

  it.each<[string, unknown]>([
    ['queue', { queue: '' }],
    ['queue', { queue: 'q'.repeat(101) }],
    ['queue', { queue: 7 }],
    ['name', { name: 'a\udc00' }],
    ['payload', { payload: { to: 1 } }],
    ['payload', { payload: 'lone \ud800' }],
    ['payload', { payload: 'ä'.repeat(LIMITS.payloadBytesMax / 2 + 1) }],
    ['payload', { payload: new Uint8Array(LIMITS.payloadBytesMax + 1) }],
    ['priority', { priority: -1 }],
    ['priority', { priority: 2 ** 32 }],
    ['maxAttempts', { maxAttempts: 0 }],
    ['maxAttempts', { maxAttempts: '5' }],
    ['delayMs', { delayMs: -1 }],
    ['delayMs', { delayMs: Number.NaN }],
    ['runAtMs', { runAtMs: 9e15 }],
    ['runAtMs', { runAtMs: 1, delayMs: 1 }],
    ['backoff', { backoff: 5 }],
    ['backoff.kind', { backoff: { ...BACKOFF, kind: 'linear' } }],
    ['backoff.jitter', { backoff: { ...BACKOFF, jitter: true } }],
    ['backoff.baseMs', { backoff: { ...BACKOFF, baseMs: 0.5 } }],
    ['backoff.maxMs', { backoff: { ...BACKOFF, maxMs: 2 ** 32 } }],
  ])('is refused for its %s: %o', (field, change) => {
    try {
      jobsOf(JOB, { ...JOB, ...untyped<object>(change) });
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidJobError);
      expect(error).toMatchObject({ index: 1, field });
      return;
    }
    expect.unreachable('The job was taken.');
  });

  it('may have the largest payload, in a text of any kind', () => {
    const texts = ['a'.repeat(LIMITS.payloadBytesMax), 'ä'.repeat(LIMITS.payloadBytesMax / 2)];
    expect(jobsOf(...texts.map((payload) => ({ ...JOB, payload }))).map(({ payload }) => payload)).toEqual(texts);
  });
});

describe('a call', () => {
  it('is refused when it has too many jobs, too many bytes, or is no list', () => {
    const batching = new EnqueueBatching(() => 'abcde');
    const many = new Array<NewJob>(LIMITS.enqueueJobsMax + 1).fill(JOB);
    expect(() => batching.begin(many)).toThrow(InvalidArgumentError);
    const large = new Array<NewJob>(17).fill({ ...JOB, payload: 'a'.repeat(1024 * 1024) });
    expect(() => batching.begin(large)).toThrow(/bytes of payload/);
    expect(() => batching.begin(untyped(JOB))).toThrow(/must be an array of jobs/);
  });

  it('answers with the id and state of each job', () => {
    const batching = new EnqueueBatching(() => 'abcde');
    const answer = { firstId: 35, scheduled: Uint8Array.of(0, 1) };
    expect(batching.result(answer, 0)).toEqual({ id: 'abcde-z', state: 'ready', outcome: 'created' });
    expect(batching.result(answer, 1)).toEqual({ id: 'abcde-10', state: 'scheduled', outcome: 'created' });
  });
});
