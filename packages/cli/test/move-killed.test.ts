import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NewJob } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { expect, it } from 'vitest';
import { codeOf, start } from './child.js';
import { DATABASES, move } from './move-rig.js';
import { holdfast, scratchDirectory, segmentsOf, stateOf, until } from './rig.js';

const JOBS = 20_000;
const JOBS_A_CALL = 10_000;

function jobs(): NewJob[] {
  return Array.from({ length: JOBS_A_CALL }, (_, index) => ({
    queue: `q${index % 3}`,
    name: 'n',
    payload: JSON.stringify({ index, text: 'x'.repeat(200) }),
    ...(index % 5 === 0 ? { delayMs: 3_600_000 } : {}),
  }));
}

async function makeLog(): Promise<string> {
  const directory = join(scratchDirectory(), 'log');
  const store = await openLogStore({ directory });
  for (let done = 0; done < JOBS; done += JOBS_A_CALL) await store.enqueue(jobs());
  await store.close();
  return directory;
}

const MOMENTS = [
  ['while jobs are written', ['insert into %s.ready', 'insert into %s.job']],
  ['while they are read again', ['payload_size from %s.job', 'from %s.job j', 'join %s.job j', 'from %s.act a']],
] as const;
const SIGNALS = ['SIGKILL', 'SIGINT'] as const;
const WAYS = DATABASES.flatMap((database) =>
  MOMENTS.map(([when, texts], index) => ({ ...database, when, texts, signal: SIGNALS[index] ?? 'SIGKILL' })),
);

it.for(WAYS)(
  'ended by $signal on the way into $kind $when, leaves nothing and can be begun again',
  async ({ schemaFor, texts, signal }, context) => {
    const schema = schemaFor(context);
    const directory = await makeLog();
    const before = stateOf(directory);
    const words = [directory, schema.url, '--schema', schema.name];
    const child = start('holdfast', ['move', ...words]);
    const asked = texts.map((text) => text.replace('%s', schema.name));
    while (child.exitCode === null && (await schema.asking(...asked)) === 0);
    child.kill(signal);
    expect(await codeOf(child)).toBeNull();
    await schema.isFree();
    expect(await schema.counts()).toEqual([0, 0, 0, 0, 0]);
    expect(stateOf(directory)).toEqual(before);
    const moved = await move([...words, '--json']);
    expect(JSON.parse(moved.out)).toMatchObject({ jobs: JOBS, wasThere: false });
    expect(await schema.counts()).toEqual([JOBS, JOBS * 0.8, JOBS * 0.2, 3, 0]);
  },
);

it.for(DATABASES)(
  'disturbed or killed on the way from $kind into a log, leaves nothing that opens and can be begun again',
  async ({ schemaFor }, context) => {
    const schema = schemaFor(context);
    const store = await schema.open();
    for (let done = 0; done < JOBS; done += JOBS_A_CALL) await store.enqueue(jobs());
    await store.close();
    const directory = join(scratchDirectory(), 'moved');
    const words = [schema.url, directory, '--schema', schema.name];
    const unfinished = join(directory, 'unfinished-move');
    const written = () =>
      existsSync(unfinished) && segmentsOf(unfinished).some((file) => statSync(file).size > 100_000);
    const disturbed = start('holdfast', ['move', ...words]);
    await until(written);
    const code = await schema.disturb();
    expect(await codeOf(disturbed)).toBe(code);
    expect(readdirSync(directory)).toEqual([]);
    const child = start('holdfast', ['move', ...words]);
    await until(written);
    child.kill('SIGKILL');
    expect(await codeOf(child)).toBeNull();
    expect(readdirSync(directory)).toEqual(['lock', 'unfinished-move']);
    expect(await holdfast(['verify', directory])).toMatchObject({ code: 3 });
    expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: false });
    expect(await holdfast(['verify', directory])).toMatchObject({ code: 0 });
    await expectEachStepRepeats(directory, words);
  },
);

/** As a move leaves it that is cut off between its last steps. */
async function expectEachStepRepeats(directory: string, words: readonly string[]): Promise<void> {
  const unfinished = join(directory, 'unfinished-move');
  mkdirSync(unfinished);
  expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: true });
  expect(existsSync(unfinished)).toBe(false);
  mkdirSync(unfinished);
  for (const segment of segmentsOf(directory)) renameSync(segment, join(unfinished, basename(segment)));
  expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: false });
  expect(existsSync(unfinished)).toBe(false);
}
