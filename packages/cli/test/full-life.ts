import type { JobStore, LeasedJob, NewJob } from '@holdfast/contract';

const HOUR_MS = 3_600_000;
export const HOSTILE_QUEUE = 'Ünï \u0000\u0001 "\\\' 名前';
/** Every byte there is. */
const BYTES = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
const NASTY = `\u0000\u0001\u202e'"\\x41 \\u0000 {"a":[1]} ${'\u{1f600}'} \u2028 $1 hf.job NULL\n\r\t`;

/** Ids by what was done to the jobs. */
export interface FullLife {
  readonly leased: readonly string[];
  readonly keyed: string;
  readonly windowed: string;
  readonly requested: readonly string[];
}

export const KEYED: NewJob = { queue: 'keys', name: 'n', payload: 'k', dedupe: { key: NASTY } };
export const WINDOWED: NewJob = { queue: 'keys', name: 'n', payload: 'w', dedupe: { key: 'w', forMs: HOUR_MS } };
export const REQUESTED: readonly NewJob[] = [
  { queue: 'requests', name: 'a', payload: '1' },
  { queue: 'requests', name: 'b', payload: '2', delayMs: HOUR_MS },
];
export const REQUEST_ID = `r ${NASTY}`.slice(0, 40);
const BY = { actor: 'Anna \u0000', reason: `because ${NASTY}` };

/** Jobs in every state that there is, with every field, and all that stands beside them. The last ones are leased still. */
export async function leadFullLife(store: JobStore): Promise<FullLife> {
  await waiting(store);
  await ended(store);
  await acted(store);
  await twice(store);
  const [keyed] = await store.enqueue([KEYED]);
  await store.enqueue([WINDOWED]);
  const both = await claim(store, 'keys', 2);
  const windowed = both.find(({ payload }) => payload === WINDOWED.payload);
  await store.release([refOf(both.find(({ payload }) => payload === KEYED.payload))]);
  await store.ack([refOf(windowed)]);
  const requested = await store.enqueue(REQUESTED, { requestId: REQUEST_ID });
  await store.pause('paused', BY);
  await store.pause('keys', { actor: 'b' }, { forMs: HOUR_MS });
  await store.enqueue([job('leased', { priority: 1 }), job('leased', { priority: 2, maxAttempts: 1 })]);
  const leased = await claim(store, 'leased', 2);
  await store.note?.([{ ...refOf(leased[0]), progress: '50', lines: [{ atMs: 5, text: NASTY }] }]);
  return {
    leased: leased.map(({ id }) => id),
    keyed: keyed!.id,
    windowed: windowed!.id,
    requested: requested.map(({ id }) => id),
  };
}

function job(queue: string, more: Partial<NewJob> = {}): NewJob {
  return { queue, name: 'n', payload: '{"a":1}', ...more };
}

async function claim(store: JobStore, queue: string, limit: number): Promise<LeasedJob[]> {
  return store.claim({ queues: [queue], limit, leaseMs: 60_000, worker: `worker ${NASTY}`.slice(0, 30) });
}

function refOf(leased: LeasedJob | undefined) {
  if (leased === undefined) throw new Error('Nothing was leased.');
  return { id: leased.id, token: leased.token };
}

async function one(store: JobStore, queue: string) {
  return refOf((await claim(store, queue, 1))[0]);
}

async function waiting(store: JobStore): Promise<void> {
  const headers = Object.fromEntries([
    ['__proto__', 'x'],
    ['traceparent', NASTY],
    ['empty', ''],
  ]);
  await store.enqueue([
    job('ready', { payload: NASTY, headers, priority: 4_294_967_295, timeoutMs: 1234, maxAttempts: null }),
    job('ready', { payload: BYTES, priority: 0, backoff: { kind: 'fixed', baseMs: 7 } }),
    job('ready', { payload: '', expiresInMs: 24 * HOUR_MS }),
    job('ready', { payload: new Uint8Array(0), backoff: { kind: 'named', name: 'mine' } }),
    job(HOSTILE_QUEUE, { name: NASTY.slice(0, 20), payload: 'x'.repeat(1024 * 1024) }),
    job('__proto__', { backoff: { kind: 'exponential', baseMs: 5, maxMs: 99, jitter: 'decorrelated' } }),
    job('later', { delayMs: HOUR_MS, expiresInMs: 2 * HOUR_MS }),
    job('later', { runAtMs: 4_000_000_000_000 }),
  ]);
  await store.enqueue([job('retried'), job('released')]);
  const error = { class: 'Err', message: NASTY, stack: `Err: x\n    at f (/app/a.js:1:2)\n${NASTY}` };
  for (let attempt = 0; attempt < 3; attempt++) {
    const ref = await one(store, 'retried');
    const lines = [{ atMs: attempt, text: `line ${attempt} ${NASTY}` }];
    await store.note?.([{ ...ref, progress: `{"at":${attempt}}`, lines, droppedLines: attempt }]);
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    await store.fail([{ ...ref, error, then: { retryInMs: attempt === 2 ? HOUR_MS : 0 } }]);
  }
  await store.release([await one(store, 'released')]);
  await store.release([{ ...(await one(store, 'released')), delayMs: HOUR_MS }]);
}

async function ended(store: JobStore): Promise<void> {
  await store.enqueue(Array.from({ length: 9 }, (_, index) => job('ended', { payload: `${index}` })));
  await store.ack([{ ...(await one(store, 'ended')), result: NASTY }]);
  await store.ack([{ ...(await one(store, 'ended')), result: BYTES }]);
  await store.ack([await one(store, 'ended')]);
  const error = {
    class: NASTY.slice(0, 40),
    message: `no such order 17 ${NASTY}`,
    stack: 'Error: x\n    at g (/app/b.js:1:1)',
  };
  for (const then of ['dead', 'dead', 'cancel'] as const)
    await store.fail([{ ...(await one(store, 'ended')), error, then }]);
  const revived = await one(store, 'ended');
  // biome-ignore lint/suspicious/noThenProperty: as above
  await store.fail([{ ...revived, error: { class: 'E', message: '' }, then: 'dead' }]);
  await store.redrive({ ids: [revived.id] }, BY);
  const cancelled = await one(store, 'ended');
  await store.cancel({ ids: [cancelled.id] }, { actor: 'c' });
  await store.enqueue([job('late', { expiresInMs: 1 })]);
  // By itself, as soon as somebody looks.
  while ((await store.browse({ queue: 'late', state: 'cancelled' }, { limit: 1 })).rows.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A completed job in the window of its key, which a live one takes too. */
async function twice(store: JobStore): Promise<void> {
  const again = job('twice', { dedupe: { key: 'k', forMs: HOUR_MS, onConflict: 'runOnceMore' } });
  await store.enqueue([again]);
  const first = await one(store, 'twice');
  await store.enqueue([again]);
  await store.ack([first]);
}

async function acted(store: JobStore): Promise<void> {
  const jobs = await store.enqueue([
    job('acted', { delayMs: HOUR_MS }),
    job('acted'),
    job('acted'),
    job('acted', { headers: { a: 'b' } }),
    job('acted'),
  ]);
  const [early, urgent, away, model, gone] = jobs.map(({ id }) => id);
  await store.runNow({ ids: [early!] }, BY);
  await store.reprioritise({ ids: [urgent!] }, 7, BY);
  await store.transfer?.({ ids: [away!] }, 'elsewhere', BY);
  await store.clone(model!, BY);
  await store.clone(model!, { actor: 'd' }, { payload: 'other' });
  await store.cancel({ ids: [gone!] }, BY);
}
