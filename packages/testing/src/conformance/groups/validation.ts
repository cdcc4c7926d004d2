import {
  type ClaimRequest,
  InvalidArgumentError,
  InvalidJobError,
  type JobStore,
  type NewJob,
} from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { CLAIM, JOB, refOf, untyped } from '../bench.js';
import type { Rules } from '../rules.js';

const BACKOFF = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } as const;

/** What makes a job impossible to store, with the field that the error has to name. */
const badJobs: readonly (readonly [string, unknown])[] = [
  ['job', null],
  ['job', 'send'],
  ['queue', { queue: '' }],
  ['queue', { queue: 7 }],
  ['queue', { queue: 'ä'.repeat(51) }],
  ['queue', { queue: 'a\ud800' }],
  ['name', { name: '' }],
  ['name', { name: undefined }],
  ['name', { name: 'n'.repeat(101) }],
  ['payload', { payload: undefined }],
  ['payload', { payload: { a: 1 } }],
  ['payload', { payload: '\udfff' }],
  ['priority', { priority: -1 }],
  ['priority', { priority: 1.5 }],
  ['priority', { priority: 2 ** 32 }],
  ['priority', { priority: '1' }],
  ['maxAttempts', { maxAttempts: 0 }],
  ['maxAttempts', { maxAttempts: Number.POSITIVE_INFINITY }],
  ['delayMs', { delayMs: -1 }],
  ['delayMs', { delayMs: Number.NaN }],
  ['delayMs', { delayMs: STORE_LIMITS.delayMsMax + 1 }],
  ['delayMs', { delayMs: '1' }],
  ['runAtMs', { runAtMs: -1 }],
  ['runAtMs', { runAtMs: STORE_LIMITS.runAtMsMax + 1 }],
  ['runAtMs', { runAtMs: new Date(0) }],
  ['runAtMs', { delayMs: 1, runAtMs: 1 }],
  ['expiresInMs', { expiresInMs: 0 }],
  ['expiresInMs', { expiresInMs: '1' }],
  ['expiresInMs', { expiresInMs: STORE_LIMITS.delayMsMax + 1 }],
  ['expiresInMs', { expiresInMs: 100, delayMs: 100 }],
  ['dedupe', { dedupe: 'a' }],
  ['dedupe.key', { dedupe: {} }],
  ['dedupe.key', { dedupe: { key: '' } }],
  ['dedupe.key', { dedupe: { key: 'k'.repeat(256) } }],
  ['dedupe.ttlMs', { dedupe: { key: 'a', ttlMs: 1000 } }],
  ['backoff.delay', { backoff: { kind: 'fixed', baseMs: 1000, delay: 5000 } }],
  ['dedupe.onConflict', { dedupe: { key: 'a', onConflict: 'drop' } }],
  ['dedupe.forMs', { dedupe: { key: 'a', forMs: 0 } }],
  ['dedupe.forMs', { dedupe: { key: 'a', forMs: STORE_LIMITS.delayMsMax + 1 } }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: Number.NaN }],
  ['timeoutMs', { timeoutMs: 2 ** 32 }],
  ['headers', { headers: null }],
  ['headers', { headers: ['a'] }],
  ['headers', { headers: { a: 'b'.repeat(STORE_LIMITS.headersBytesMax) } }],
  ['headers: a name', { headers: { '': 'b' } }],
  ['headers: a name', { headers: { ['n'.repeat(256)]: 'b' } }],
  ['headers.a', { headers: { a: 7 } }],
  ['headers.a', { headers: { a: '\ud800' } }],
  ['backoff', { backoff: 'fixed' }],
  ['backoff.kind', { backoff: { ...BACKOFF, kind: 'linear' } }],
  ['backoff.jitter', { backoff: { ...BACKOFF, jitter: 'half' } }],
  ['backoff.baseMs', { backoff: { ...BACKOFF, baseMs: -1 } }],
  ['backoff.maxMs', { backoff: { ...BACKOFF, maxMs: 2 ** 32 } }],
  ['backoff.baseMs', { backoff: { kind: 'exponential' } }],
  ['backoff.jitter', { backoff: { ...BACKOFF, kind: 'fixed', jitter: 'decorrelated' } }],
  ['backoff.name', { backoff: { kind: 'named' } }],
  ['backoff.name', { backoff: { kind: 'named', name: '' } }],
  ['backoff.name', { backoff: { kind: 'named', name: 'n'.repeat(101) } }],
];

/** What makes a claim impossible, with the argument that the error has to name. */
const badClaims: readonly (readonly [string, unknown])[] = [
  ['claim.queues', { queues: [] }],
  ['claim.queues', { queues: 'mail' }],
  ['claim.queues[1]', { queues: ['mail', ''] }],
  ['claim.names', { names: [] }],
  ['claim.names[0]', { names: ['n'.repeat(101)] }],
  ['claim.limit', { limit: 0 }],
  ['claim.limit', { limit: 1.5 }],
  ['claim.limit', { limit: STORE_LIMITS.claimJobsMax + 1 }],
  ['claim.leaseMs', { leaseMs: STORE_LIMITS.leaseMsMin - 1 }],
  ['claim.leaseMs', { leaseMs: STORE_LIMITS.leaseMsMax + 1 }],
  ['claim.leaseMs', { leaseMs: Number.NaN }],
  ['claim.waitMs', { waitMs: -1 }],
  ['claim.waitMs', { waitMs: STORE_LIMITS.waitMsMax + 1 }],
  ['claim.worker', { worker: '' }],
  ['claim.worker', { worker: undefined }],
  ['claim.signal', { signal: { aborted: false } }],
];

/** Calls of operators that cannot be answered. */
const badReads: readonly (readonly [string, (store: JobStore) => Promise<unknown>])[] = [
  ['id', (store) => store.job(untyped(7))],
  ['page.limit', (store) => store.browse({}, { limit: 0 })],
  ['page.limit', (store) => store.browse({}, { limit: STORE_LIMITS.pageRowsMax + 1 })],
  ['names', (store) => store.queues(untyped('mail'))],
  ['names[1]', (store) => store.queues(['mail', ''])],
  ['page.cursor', (store) => store.browse({}, { limit: 1, cursor: untyped(7) })],
  ['filter.state', (store) => store.browse({ state: untyped('lost') }, { limit: 1 })],
  ['filter.queue', (store) => store.browse({ queue: '' }, { limit: 1 })],
  ['filter.name', (store) => store.browse({ name: untyped(7) }, { limit: 1 })],
  ['limit', (store) => store.leases(0)],
  ['limit', (store) => store.leases(1.5)],
  ['selection', (store) => store.redrive(untyped({}), { actor: 'olga' })],
  ['selection.ids[0]', (store) => store.redrive({ ids: [untyped(7)] }, { actor: 'olga' })],
  ['selection.all.queue', (store) => store.redrive({ all: { state: 'dead', queue: '' } }, { actor: 'olga' })],
  ['selection.all.state', (store) => store.cancel({ all: untyped({}) }, { actor: 'olga' })],
  ['selection.all.name', (store) => store.remove({ all: { state: 'dead', name: '' } }, { actor: 'olga' })],
  ['priority', (store) => store.reprioritise({ ids: [] }, -1, { actor: 'olga' })],
  ['id', (store) => store.clone(untyped(7), { actor: 'olga' })],
  ['clone.payload', (store) => store.clone('x', { actor: 'olga' }, { payload: untyped({}) })],
  ['queue', (store) => store.pause('', { actor: 'olga' })],
  ['pause.forMs', (store) => store.pause('mail', { actor: 'olga' }, { forMs: 0 })],
  ['queue', (store) => store.resume('q'.repeat(101), { actor: 'olga' })],
  ['by.actor', (store) => store.redrive({ ids: [] }, { actor: '' })],
  ['by.reason', (store) => store.redrive({ ids: [] }, { actor: 'olga', reason: untyped(7) })],
];

async function refused(call: () => Promise<unknown>): Promise<unknown> {
  // A refusal is a rejected promise: nobody has to catch twice.
  const answer = call();
  return answer.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export const validationRules: Rules = {
  async 'refuses a job that cannot be stored, names it and its field, and stores none of its call'({ store }) {
    for (const [field, change] of badJobs) {
      const bad = typeof change === 'object' && change !== null ? { ...JOB, ...change } : change;
      const error = await refused(() => store.enqueue([JOB, untyped<NewJob>(bad), JOB]));
      expect(error, field).toBeInstanceOf(InvalidJobError);
      expect(error, field).toMatchObject({ code: 'INVALID_JOB', outcome: 'rejected', index: 1, field });
    }
    expect(await store.queues()).toEqual([]);
    expect((await store.browse({}, { limit: 1 })).total.value).toBe(0);
  },

  async 'refuses a payload above its limit and takes one of exactly that size'({ store }) {
    const { payloadBytesMax } = store.capabilities;
    for (const payload of ['x'.repeat(payloadBytesMax + 1), new Uint8Array(payloadBytesMax + 1)]) {
      const error = await refused(() => store.enqueue([{ ...JOB, payload }]));
      expect(error).toMatchObject({ code: 'INVALID_JOB', index: 0, field: 'payload' });
    }
    const [answer] = await store.enqueue([{ ...JOB, payload: 'x'.repeat(payloadBytesMax) }]);
    expect((await store.job(answer?.id ?? ''))?.payloadBytes).toBe(payloadBytesMax);
  },

  async 'refuses more jobs in a call than it says, and what is no list'({ store }) {
    const jobs = Array.from({ length: store.capabilities.enqueueJobsMax + 1 }, () => JOB);
    const tooMany = await refused(() => store.enqueue(jobs));
    expect(tooMany).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'enqueue.jobs.length' });
    const noList = await refused(() => store.enqueue(untyped(JOB)));
    expect(noList).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'enqueue.jobs' });
  },

  async 'refuses a claim that can never work'({ store }) {
    for (const [argument, change] of badClaims) {
      const error = await refused(() => store.claim(untyped<ClaimRequest>({ ...CLAIM, ...untyped<object>(change) })));
      expect(error, argument).toBeInstanceOf(InvalidArgumentError);
      expect(error, argument).toMatchObject({ outcome: 'rejected', argument });
    }
  },

  async 'refuses a settling call for one impossible item, and settles none of it'(bench) {
    const { store } = bench;
    const ref = refOf(await bench.leased());
    const bad: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['ack', () => store.ack(untyped(ref))],
      ['ack[1].id', () => store.ack([ref, untyped({ token: 'x' })])],
      ['ack[1].token', () => store.ack([ref, untyped({ id: 'x' })])],
      ['ack[1].result', () => store.ack([ref, { ...ref, result: untyped({}) }])],
      ['ack[1].result', () => store.ack([ref, { ...ref, result: 'x'.repeat(STORE_LIMITS.resultBytesMax + 1) }])],
      ['fail[1].then', () => store.fail([failOf(ref, 'dead'), failOf(ref, untyped('later'))])],
      ['fail[1].then.retryInMs', () => store.fail([failOf(ref, 'dead'), failOf(ref, { retryInMs: -1 })])],
      ['release[1].delayMs', () => store.release([ref, { ...ref, delayMs: -1 }])],
      [
        'extend[1].leaseMs',
        () =>
          store.extend([
            { ...ref, leaseMs: 1000 },
            { ...ref, leaseMs: 1 },
          ]),
      ],
    ];
    for (const [argument, call] of bad) {
      expect(await refused(call), argument).toMatchObject({ code: 'INVALID_ARGUMENT', outcome: 'rejected', argument });
    }
    expect(await bench.ack(ref)).toBe('ok');
  },

  async 'refuses a transaction that is none, or that it can take no part in'(bench) {
    const transaction = untyped<never>({});
    const refused = { code: 'INVALID_ARGUMENT', outcome: 'rejected' };
    const enqueued = bench.store.enqueue([JOB], { transaction });
    await expect(enqueued).rejects.toMatchObject({ ...refused, argument: 'enqueue.transaction' });
    const ref = refOf(await bench.leased());
    const acked = bench.store.ack([ref], { transaction });
    await expect(acked).rejects.toMatchObject({ ...refused, argument: 'ack.transaction' });
    expect(await bench.state(ref.id)).toBe('leased');
    expect((await bench.store.browse({}, { limit: 10 })).rows).toHaveLength(1);
  },

  async 'refuses a question that has no answer'({ store }) {
    for (const [argument, call] of badReads) {
      const error = await refused(() => call(store));
      expect(error, argument).toMatchObject({ code: 'INVALID_ARGUMENT', outcome: 'rejected', argument });
    }
  },
};

function failOf(ref: { id: string; token: string }, ending: 'dead' | { readonly retryInMs: number }) {
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  return { ...ref, error: { class: 'E', message: 'm' }, then: ending };
}
