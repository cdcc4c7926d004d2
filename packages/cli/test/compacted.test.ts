import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdfast, jsonLines } from './rig.js';

let parent: string;
let directory: string;

/** A log of which the first segments are gone: a dead job and one that waits were in them. */
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'holdfast-compacted-'));
  directory = join(parent, 'log');
  const store = await openLogStore({ directory, segmentBytes: 64 * 1024 });
  const claim = { limit: 100, leaseMs: 60_000, worker: 'w' };
  await store.enqueue([{ queue: 'rare', name: 'n', payload: '"rare"', delayMs: 3_600_000_000 }]);
  await store.enqueue([{ queue: 'dies', name: 'n', payload: '"dies"', maxAttempts: 1 }]);
  const error = { class: 'Error', message: 'in vain' };
  for (const job of await store.claim({ ...claim, queues: ['dies'] })) {
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    await store.fail([{ ...job, error, then: 'dead' }]);
  }
  for (let round = 0; ((await store.storage()).compaction?.freedBytes ?? 0) === 0; round++) {
    expect(round).toBeLessThan(5000);
    await store.enqueue([{ queue: 'noise', name: 'n', payload: 'x'.repeat(20_000) }]);
    await store.ack(await store.claim({ ...claim, queues: ['noise'] }));
  }
  await store.close();
}, 60_000);

afterAll(() => rmSync(parent, { recursive: true, force: true }));

it('is sound for verify', async () => {
  const { code, out, err } = await holdfast(['verify', directory]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/dead/);
});

it('is shown by dump, with the jobs that were moved', async () => {
  const lines = jsonLines((await holdfast(['dump', directory])).out);
  expect(lines[0]).toMatchObject({ type: 'segment' });
  expect(Number(lines[0]!.segment)).toBeGreaterThan(1);
  const moves = lines.filter(({ name }) => name === 'MOVE');
  const facts = moves.map(({ queue, state, attempts }) => ({ queue, state, attempts }));
  expect(facts).toContainEqual({ queue: 'rare', state: 'scheduled', attempts: 0 });
  expect(facts).toContainEqual({ queue: 'dies', state: 'dead', attempts: 1 });
});

it('is repaired without a loss', async () => {
  const target = join(parent, 'new');
  const { code, out, err } = await holdfast(['repair', directory, '--to', target, '--json']);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ nothingLost: true });
  const states = jsonLines((await holdfast(['dump', target])).out).filter(({ name }) => name === 'MOVE');
  expect(states.map(({ queue }) => queue)).toEqual(expect.arrayContaining(['rare', 'dies']));
  expect((await holdfast(['verify', target])).code).toBe(0);
});
