import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { holdfast, jsonLines } from './rig.js';
import { readAsStranger } from './stranger-reader.js';

const CORE = fileURLToPath(new URL('../../core/test/golden/v1', import.meta.url));
const JOBS = fileURLToPath(new URL('golden/jobs-v1', import.meta.url));

function recorded(name: string): string {
  return readFileSync(new URL(`golden/${name}.jsonl`, import.meta.url), 'utf8');
}

it.each([
  ['core-v1', CORE],
  ['jobs-v1', JOBS],
])('dumps the golden directory %s as recorded', async (name, directory) => {
  expect(await holdfast(['dump', directory])).toEqual({ code: 0, out: recorded(name), err: '' });
});

it('says what a reader says that was written from the page of the format alone', () => {
  const lines = jsonLines(recorded('jobs-v1'));
  const kinds = new Set(lines.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, undefined]);
  // How an id is written outside of the log is not on that page.
  const shown = lines.map((line) =>
    JSON.parse(JSON.stringify(line, (key, value) => (key === 'job' ? undefined : value))),
  );
  expect(shown).toEqual(readAsStranger(JOBS));
});

it('agrees with it on the headers of a log whose records are none of a job queue', () => {
  const lines = jsonLines(recorded('core-v1'));
  const shown = lines.map(({ problem: _, ...line }) => line);
  expect(lines.filter(({ type }) => type === 'record')).toHaveLength(28);
  expect(shown).toEqual(readAsStranger(CORE, (_, body) => ({ bodyBase64: body.toString('base64') })));
});

it('finds a golden log sound, and the other one full of records that make no sense', async () => {
  const jobs = await holdfast(['verify', JOBS]);
  expect(jobs).toMatchObject({ code: 0, err: '' });
  expect(jobs.out).toContain('3 segments, 19 frames, 19 records');
  expect(jobs.out).toContain('Jobs: 2 scheduled, 8 ready, 2 completed');
  const core = await holdfast(['verify', CORE]);
  expect(core.code).toBe(1);
  expect(core.out).toContain('Damaged: 0000000001.segment, byte 320: the record there is shorter than its fields.');
});
