import { InvalidArgumentError, type LeaseRef, type NoteItem } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { type Bench, refOf, untyped } from '../bench.js';
import type { Rules } from '../rules.js';

const AT_MS = 1_700_000_000_000;

function line(text: string, atMs = AT_MS) {
  return { atMs, text };
}

/** The lines `from` to `to - 1`. */
function numbered(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => line(`line ${from + index}`, AT_MS + from + index));
}

async function note(bench: Bench, ref: LeaseRef, told: Omit<NoteItem, keyof LeaseRef>) {
  return (await bench.note([{ ...refOf(ref), ...told }]))[0];
}

async function attempts(bench: Bench, id: string) {
  return (await bench.job(id)).attemptLog.map(({ progress, lines, droppedLines }) => ({
    progress,
    lines: lines?.map(({ text }) => text),
    droppedLines,
  }));
}

export const notingRules: Rules = {
  async 'shows progress and lines while the job runs, and changes nothing else'(bench) {
    const job = await bench.leased();
    const before = await bench.job(job.id);
    await bench.time.advance(10);
    expect(await note(bench, job, { progress: '0.25', lines: [line('begun'), line('going')] })).toBe('ok');
    const { progress, attemptLog, ...rest } = await bench.job(job.id);
    expect(progress).toBe('0.25');
    expect(attemptLog).toMatchObject([{ progress: '0.25', lines: [line('begun'), line('going')], outcome: 'running' }]);
    expect(attemptLog[0]).not.toHaveProperty('droppedLines');
    expect({ ...rest, attemptLog: [], lease: {} }).toEqual({ ...before, attemptLog: [], lease: {} });
    expect(await bench.store.leases(1)).toMatchObject([{ id: job.id, progress: '0.25', extensions: 0 }]);
  },

  async 'shows nothing of a job that told nothing'(bench) {
    const job = await bench.leased();
    await note(bench, job, {});
    const shown = await bench.job(job.id);
    for (const row of [shown, ...shown.attemptLog, ...(await bench.store.leases(1))]) {
      for (const key of ['progress', 'lines', 'droppedLines']) expect(row).not.toHaveProperty(key);
    }
  },

  async 'replaces progress, keeps what a note does not mention, and appends lines'(bench) {
    const job = await bench.leased();
    await note(bench, job, { progress: '{"step":"read"}' });
    await note(bench, job, { lines: [line('a')] });
    await note(bench, job, { progress: '"half"' });
    await note(bench, job, { lines: [line('b'), line('c')] });
    expect(await attempts(bench, job.id)).toEqual([
      { progress: '"half"', lines: ['a', 'b', 'c'], droppedLines: undefined },
    ]);
  },

  async 'keeps them beside the attempt that told them, however it ended'(bench) {
    const job = await bench.leased({ backoff: { kind: 'fixed', baseMs: 0 } });
    await note(bench, job, { progress: '1', lines: [line('one')] });
    await bench.fail(job, 0);
    const second = await bench.claimOne();
    expect((await bench.job(job.id)).progress).toBeUndefined();
    await note(bench, second, { progress: '2', lines: [line('two')] });
    await bench.release(second);
    const third = await bench.claimOne();
    await note(bench, third, { lines: [line('three')] });
    await bench.ack(third, '"done"');
    const shown = await bench.job(job.id);
    expect(shown).toMatchObject({ state: 'completed', result: '"done"' });
    expect(shown.progress).toBeUndefined();
    expect(await attempts(bench, job.id)).toEqual([
      { progress: '1', lines: ['one'], droppedLines: undefined },
      { progress: '2', lines: ['two'], droppedLines: undefined },
      { progress: undefined, lines: ['three'], droppedLines: undefined },
    ]);
  },

  async 'are refused with a token that is not the live one'(bench) {
    const first = await bench.leased();
    await bench.release(first);
    expect(await note(bench, first, { progress: '1' })).toBe('stale');
    const second = await bench.claimOne();
    expect(await note(bench, first, { progress: '1', lines: [line('late')] })).toBe('stale');
    expect(await attempts(bench, first.id)).toEqual(Array(2).fill({}));
    await bench.store.cancel({ ids: [second.id] }, { actor: 'olga' });
    expect(await note(bench, second, { progress: '1' })).toBe('cancelled');
    const done = await bench.leased();
    await bench.ack(done);
    expect(await note(bench, done, { progress: '1' })).toBe('stale');
    expect(await note(bench, { id: 'unknown', token: done.token }, { progress: '1' })).toBe('missing');
  },

  async 'answers each of many, in order'(bench) {
    await bench.enqueue({}, {}, {});
    const [one, two, three] = (await bench.claim()).map(refOf) as [LeaseRef, LeaseRef, LeaseRef];
    await bench.ack(two);
    const items = [one, two, { ...three, token: one.token }, three].map((ref, index) => ({
      ...ref,
      progress: `${index}`,
    }));
    expect(await bench.note(items)).toEqual(['ok', 'stale', 'stale', 'ok']);
    expect((await bench.job(one.id)).progress).toBe('0');
    expect((await bench.job(three.id)).progress).toBe('3');
    expect(await bench.note([])).toEqual([]);
  },

  async 'keeps the last lines of a job and counts the others'(bench) {
    const max = STORE_LIMITS.logLinesMax;
    const first = await bench.leased({ backoff: { kind: 'fixed', baseMs: 0 } });
    await note(bench, first, { lines: numbered(0, 30) });
    await bench.fail(first, 0);
    const second = await bench.claimOne();
    await note(bench, second, { lines: numbered(0, max - 10), droppedLines: 5 });
    expect(await attempts(bench, first.id)).toEqual([
      { lines: numbered(20, 30).map(({ text }) => text), droppedLines: 20 },
      { lines: numbered(0, max - 10).map(({ text }) => text), droppedLines: 5 },
    ]);
    await note(bench, second, { lines: numbered(max, 3 * max) });
    expect(await attempts(bench, first.id)).toEqual([
      { droppedLines: 30 },
      { lines: numbered(2 * max, 3 * max).map(({ text }) => text), droppedLines: 2 * max - 10 + 5 },
    ]);
  },

  async 'keeps no more bytes of lines than the limit, and cuts a long line'(bench) {
    const job = await bench.leased();
    const bytes = STORE_LIMITS.logLineBytesMax;
    const long = 'ü'.repeat(bytes);
    const fitting = STORE_LIMITS.logBytesMax / bytes;
    await note(bench, job, { lines: [line('first'), ...Array.from({ length: fitting }, () => line(long))] });
    const cut = 'ü'.repeat(bytes / 2);
    expect(await attempts(bench, job.id)).toEqual([{ lines: Array(fitting).fill(cut), droppedLines: 1 }]);
    await note(bench, job, { lines: [line('last')] });
    expect(await attempts(bench, job.id)).toEqual([
      { lines: [...Array(fitting - 1).fill(cut), 'last'], droppedLines: 2 },
    ]);
  },

  async 'keeps odd texts as they are'(bench) {
    const job = await bench.leased();
    const odd = ['', 'two\nlines', '\u0000', 'привет 🙂', '"quoted"'];
    await note(bench, job, { progress: '{"text":"привет 🙂"}', lines: odd.map((text) => line(text)) });
    expect(await attempts(bench, job.id)).toMatchObject([{ progress: '{"text":"привет 🙂"}', lines: odd }]);
  },

  async 'refuses what no store can keep, and then notes nothing of the call'(bench) {
    const job = await bench.leased();
    const ref = refOf(job);
    const bad = [
      { ...ref, progress: 'no JSON' },
      { ...ref, progress: untyped<string>(0.5) },
      { ...ref, progress: JSON.stringify('x'.repeat(STORE_LIMITS.progressBytesMax)) },
      { ...ref, lines: untyped<[]>('line') },
      { ...ref, lines: [untyped<{ atMs: number; text: string }>('line')] },
      { ...ref, lines: [{ atMs: Number.NaN, text: 'line' }] },
      { ...ref, droppedLines: -1 },
      { id: job.id, token: untyped<string>(7) },
    ];
    for (const item of bad) {
      await expect(bench.note([{ ...ref, progress: '1' }, item])).rejects.toThrow(InvalidArgumentError);
    }
    expect((await bench.job(job.id)).progress).toBeUndefined();
  },

  async 'survive an end of the store'(bench) {
    const job = await bench.leased({ maxAttempts: 2, backoff: { kind: 'fixed', baseMs: 0 } });
    await note(bench, job, { progress: '0.5', lines: [line('before')] });
    await bench.release(job);
    await bench.reopen('closed');
    const again = await bench.claimOne();
    await note(bench, again, { lines: [line('after')] });
    await bench.ack(again);
    expect(await attempts(bench, job.id)).toEqual([{ progress: '0.5', lines: ['before'] }, { lines: ['after'] }]);
  },
};
