import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { expect, it } from 'vitest';
import { jobsOf, makeJobLog } from './job-log.js';
import { flipByte, holdfast, scratchDirectory, segmentsOf, stateOf } from './rig.js';

it.each(['killed', 'closed'] as const)('copies a log that was %s, and changes nothing', async (end) => {
  const { directory } = await makeJobLog(end);
  const target = join(scratchDirectory(), 'backups', 'today');
  const before = stateOf(directory);
  const { code, out } = await holdfast(['snapshot', directory, target, '--json']);
  expect(code).toBe(0);
  expect(stateOf(directory)).toEqual(before);
  expect(JSON.parse(out)).toMatchObject({ directory: target, segments: segmentsOf(target).length - 1, linkedBytes: 0 });
  expect((await holdfast(['verify', target])).code).toBe(0);
  const wanted = await jobsOf(directory);
  expect(await jobsOf(target)).toEqual(wanted);
});

it('copies a store that is open and written to, with all that was answered', async () => {
  const directory = join(scratchDirectory(), 'log');
  const target = join(scratchDirectory(), 'backup');
  const store = await openLogStore({ directory, segmentBytes: 64 * 1024 });
  try {
    const job = { queue: 'mail', name: 'send', payload: 'x'.repeat(1000) };
    const answered = await store.enqueue(Array.from({ length: 200 }, () => job));
    const later = Promise.all(Array.from({ length: 50 }, () => store.enqueue([job])));
    expect((await holdfast(['snapshot', directory, target])).code).toBe(0);
    await later;
    const states = await jobsOf(target);
    for (const { id } of answered) expect(states.get(id)).toBe('waiting');
  } finally {
    await store.close();
  }
});

it('shows on a terminal how far it has read, before it copies', async () => {
  const { directory } = await makeJobLog('closed');
  let now = 0;
  const monotonicMs = () => {
    now += 1000;
    return now;
  };
  const target = join(scratchDirectory(), 'backup');
  const { err } = await holdfast(['snapshot', directory, target], { isTTY: true, monotonicMs });
  expect(err).toContain('\r\u001b[KReading: ');
  expect(err.endsWith('\r\u001b[K')).toBe(true);
});

it('refuses a target that is not empty, or lies in the log, and a log that is damaged', async () => {
  const { directory } = await makeJobLog('closed');
  const target = scratchDirectory();
  writeFileSync(join(target, 'mine'), '');
  expect(await holdfast(['snapshot', directory, target])).toMatchObject({ code: 5 });
  expect(await holdfast(['snapshot', directory, join(directory, 'backup')])).toMatchObject({ code: 5 });
  expect(await holdfast(['snapshot', directory])).toMatchObject({ code: 2 });
  flipByte(segmentsOf(directory)[0]!, 400);
  const empty = join(scratchDirectory(), 'empty');
  mkdirSync(empty);
  expect(await holdfast(['snapshot', directory, empty])).toMatchObject({ code: 1 });
  expect(readdirSync(empty)).toEqual([]);
});
