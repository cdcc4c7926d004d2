import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { type Bench, present } from '../bench.js';
import type { Rules } from '../rules.js';

/** Names that code, SQL, patterns, collations or terminals may trip over. All of them are different names. */
const NAMES = [
  'mail',
  'Mail',
  'MAIL',
  'mail ',
  ' mail',
  'máil',
  'ma\u0301il',
  'ｍａｉｌ',
  'mail\u0000',
  'mail\n',
  '%',
  '_ail',
  'm%',
  '\\',
  "'; drop table jobs; --",
  '"quoted"',
  '`ticked`',
  '$1',
  '$' + '{mail}',
  '../mail',
  '/',
  '.',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  '0',
  '00',
  '\u202eliam',
  '\ufeffmail',
  '\ufffd',
  'ß',
  'ss',
  'İ',
  'i',
  '😀',
  '👩‍👩‍👧',
  'ä'.repeat(50),
  'n'.repeat(100),
];

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\r\n',
  '\u2028\u2029',
  "'; drop table jobs; --",
  '\\\\"\'`$${}%s%d',
  '😀 née \u0301 \u202e',
  '\ufeff{}',
  '\ufffd',
  '\u{10ffff}',
  'x'.repeat(70_000),
];

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);

async function throughStore(bench: Bench, payload: string | Uint8Array): Promise<unknown[]> {
  const id = await bench.add({ payload });
  const job = await bench.claimOne();
  await bench.store.ack([{ id, token: job.token, result: payload }]);
  const { payload: kept, result } = await bench.job(id);
  return [job.payload, kept, result];
}

export const hostileValueRules: Rules = {
  async 'keeps queues apart whose names differ in anything'(bench) {
    const answers = await bench.enqueue(...NAMES.map((queue) => ({ queue, payload: queue })));
    expect((await bench.store.queues()).map(({ name }) => name)).toEqual(NAMES.toSorted());
    for (const [index, queue] of NAMES.entries()) {
      expect((await bench.store.browse({ queue }, { limit: 10 })).rows, queue).toMatchObject([{ queue }]);
      expect(await bench.store.queues([queue]), queue).toMatchObject([{ name: queue }]);
      expect(await bench.claim({ queues: [queue], leaseMs: 60_000 }), queue).toMatchObject([
        { id: present(answers[index]).id, queue, payload: queue },
      ]);
    }
  },

  async 'keeps names of jobs apart that differ in anything'(bench) {
    await bench.enqueue(...NAMES.map((name) => ({ name, payload: name })));
    for (const name of NAMES) {
      expect((await bench.store.browse({ name }, { limit: 10 })).rows, name).toMatchObject([{ name }]);
      expect(await bench.claim({ names: [name], leaseMs: 60_000 }), name).toMatchObject([{ name, payload: name }]);
    }
    expect(await bench.claim()).toEqual([]);
  },

  async 'keeps every text as it was'(bench) {
    for (const text of TEXTS) {
      expect(await throughStore(bench, text), JSON.stringify(text.slice(0, 20))).toEqual([text, text, text]);
    }
  },

  async 'keeps bytes as bytes'(bench) {
    for (const bytes of [new Uint8Array(0), everyByte, new TextEncoder().encode('{"a":1}')]) {
      for (const kept of await throughStore(bench, bytes)) {
        expect(kept).toBeInstanceOf(Uint8Array);
        expect([...(kept as Uint8Array)]).toEqual([...bytes]);
      }
    }
  },

  async 'keeps the part of a buffer that it was given, and leaves the buffer whole'(bench) {
    const whole = Uint8Array.from({ length: 64 }, (_, index) => index);
    const part = whole.subarray(10, 20);
    const id = await bench.add({ payload: part });
    expect(whole.byteLength).toBe(64);
    expect(part.byteLength).toBe(10);
    whole.fill(255);
    const kept = (await bench.job(id)).payload as Uint8Array;
    expect([...kept]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  },

  async 'keeps the largest numbers'(bench) {
    const { priorityMax, maxAttemptsMax, delayMsMax, runAtMsMax, backoffMsMax } = STORE_LIMITS;
    const backoff = { kind: 'fixed', baseMs: backoffMsMax, maxMs: backoffMsMax, jitter: 'none' } as const;
    const largest = { priority: priorityMax, maxAttempts: maxAttemptsMax, backoff };
    const { id } = await bench.leased(largest);
    await bench.fail({ id, token: present((await bench.store.leases(1))[0]).token });
    const job = await bench.job(id);
    expect(job).toMatchObject({ priority: priorityMax, maxAttempts: maxAttemptsMax });
    expect(job.runAtMs - job.updatedAtMs).toBe(backoffMsMax);
    const delayed = await bench.job(await bench.add({ delayMs: delayMsMax }));
    expect(delayed.runAtMs - delayed.enqueuedAtMs).toBe(delayMsMax);
    expect((await bench.job(await bench.add({ runAtMs: runAtMsMax }))).runAtMs).toBe(runAtMsMax);
  },

  async 'keeps who did what, whatever they are called'(bench) {
    for (const text of ["olga'); --", '😀', 'a\u0000b', 'x'.repeat(255)]) {
      const id = await bench.dead();
      await bench.store.redrive({ ids: [id] }, { actor: text, reason: text });
      expect((await bench.job(id)).acts).toMatchObject([{ actor: text, reason: text }]);
      const job = await bench.claimOne({ worker: text.slice(0, 100) });
      expect((await bench.store.leases(1))[0]?.worker).toBe(text.slice(0, 100));
      await bench.ack(job);
    }
  },

  async 'records an error whose texts no encoding can hold'(bench) {
    const job = await bench.leased();
    const error = { class: '\ud800', message: 'a\udfffb\u0000' };
    expect(await bench.fail(job, 'dead', error)).toBe('ok');
    const kept = (await bench.job(job.id)).attemptLog[0]?.error;
    expect(kept).toMatchObject({ class: '\ufffd', message: 'a\ufffdb\u0000' });
  },

  async 'looks at a job when it is called, not later'(bench) {
    const job = { queue: 'mail', name: 'send', payload: 'before', priority: 1 };
    const jobs = [job];
    const enqueued = bench.store.enqueue(jobs);
    Object.assign(job, { payload: 'after', queue: 'print', priority: 2 });
    jobs.push({ queue: 'mail', name: 'send', payload: 'more', priority: 0 });
    expect(await enqueued).toHaveLength(1);
    expect(await bench.claim()).toMatchObject([{ queue: 'mail', payload: 'before', priority: 1 }]);
  },
};
