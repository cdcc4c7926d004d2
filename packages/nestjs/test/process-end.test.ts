import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { expect, it } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The application of `programs/stubborn-app.ts`, with a job that never ends in progress. */
async function startStubbornApp(QUEUE_DIRECTORY: string): Promise<{ program: ChildProgram; script: string }> {
  const source = readFileSync(new URL('programs/stubborn-app.ts', import.meta.url), 'utf8');
  const script = join(await compileProgram(new Map([['src/main.ts', source]])), 'main.js');
  const program = new ChildProgram(script, { QUEUE_DIRECTORY, ENQUEUE: 'yes' });
  await Promise.all([program.said(/^up$/), program.said(/endless job began/)]);
  return { program, script };
}

it('SIGTERM hands an endless job back, uncounted, and the process ends', async () => {
  const directory = temporaryDirectory();
  const { program } = await startStubbornApp(directory);
  program.signal('SIGTERM');
  expect(await program.ended).toBe('SIGTERM');
  expect(await program.said(/was handed back/)).toMatch(/Job \S+ \(work\/endless\), attempt 1 of 5,/);
  const store = await openLogStore({ directory });
  expect((await store.storage()).recovery).toMatchObject({ kind: 'clean', leasesEnded: { retried: 0, dead: 0 } });
  const [job] = (await store.browse({ queue: 'work' }, { limit: 10 })).rows;
  expect(job).toMatchObject({ state: 'ready', attempts: 0 });
  await store.close();
}, 60_000);

it('app.close() alone leaves nothing that holds the process', async () => {
  const { program } = await startStubbornApp(temporaryDirectory());
  program.signal('SIGUSR2');
  expect(await program.ended).toBe(0);
}, 60_000);

it('T4: SIGKILL counts the attempt though the job may take six hours, frees the directory, and the job runs again', async () => {
  const directory = temporaryDirectory();
  const { program, script } = await startStubbornApp(directory);
  program.signal('SIGKILL');
  expect(await program.ended).toBe('SIGKILL');
  const again = new ChildProgram(script, { QUEUE_DIRECTORY: directory });
  await again.said(/endless job began/);
  again.signal('SIGTERM');
  await again.ended;
  expect(await again.said(/was handed back/)).toMatch(/attempt 2 of 5,/);
}, 60_000);

it('a directory that a running process holds ends the boot, naming directory and pid', async () => {
  const directory = temporaryDirectory();
  const { program, script } = await startStubbornApp(directory);
  const second = new ChildProgram(script, { QUEUE_DIRECTORY: directory });
  expect(await second.ended).not.toBe(0);
  await second.said(new RegExp(`${directory} is in use by process ${program.pid}\\. .*stop that one`));
}, 60_000);

it('an application that is started while the old one still ends waits for it, and goes on with its job', async () => {
  const directory = temporaryDirectory();
  const { program, script } = await startStubbornApp(directory);
  const next = new ChildProgram(script, { QUEUE_DIRECTORY: directory, LOCK_WAIT_MS: '45000' });
  await next.said(new RegExp(`in use by process ${program.pid}\\. Waiting up to 45000 ms for it to end\\.`));
  program.signal('SIGTERM');
  await program.ended;
  await next.said(/endless job began/);
}, 60_000);
