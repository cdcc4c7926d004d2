import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { temporaryDirectory } from './temporary-directory.js';

interface Started {
  readonly program: ChildProgram;
  readonly directory: string;
  readonly again: (environment: Record<string, string>) => ChildProgram;
}

/** The application of `programs/draining-app.ts`, at work on the jobs that are named. */
async function start(environment: { JOBS: string; GRACE_MS?: string; PLATFORM?: string }): Promise<Started> {
  const source = readFileSync(new URL('programs/draining-app.ts', import.meta.url), 'utf8');
  const script = join(await compileProgram(new Map([['src/main.ts', source]])), 'main.js');
  const directory = temporaryDirectory();
  const again = (more: Record<string, string>) => new ChildProgram(script, { QUEUE_DIRECTORY: directory, ...more });
  const program = again(environment);
  const jobs = environment.JOBS.split(',').filter(Boolean);
  await Promise.all([program.said(/^up/), ...jobs.map((job) => program.said(new RegExp(`^${job} began`)))]);
  return { program, directory, again };
}

async function jobsIn(directory: string, name: string) {
  const store = await openLogStore({ directory });
  const { kind } = (await store.storage()).recovery;
  const { rows } = await store.browse({ queue: 'work', name }, { limit: 200 });
  const leases = await store.leases(10);
  await store.close();
  return { kind, rows, leases };
}

describe('SIGTERM', () => {
  it('T12, T15: lets a job work on for longer than its lease and enqueue 100 others; all are kept', async () => {
    const { program, directory } = await start({ JOBS: 'long' });
    program.signal('SIGTERM');
    expect(await program.ended).toBe('SIGTERM');
    expect((await jobsIn(directory, 'long')).rows).toMatchObject([{ state: 'completed', attempts: 1 }]);
    const { rows, kind } = await jobsIn(directory, 'later');
    expect(rows).toHaveLength(100);
    expect(kind).toBe('clean');
  }, 60_000);

  it('T16: twice, changes nothing: what hears no signal is handed back, and the next process gets it at once', async () => {
    const { program, directory, again } = await start({ JOBS: 'deaf,failing', GRACE_MS: '100' });
    program.signal('SIGTERM');
    program.signal('SIGTERM');
    expect(await program.ended).toBe('SIGTERM');
    expect(await jobsIn(directory, 'deaf')).toMatchObject({
      kind: 'clean',
      leases: [],
      rows: [{ state: 'ready', attempts: 0 }],
    });
    expect((await jobsIn(directory, 'failing')).rows).toMatchObject([
      { state: expect.stringMatching(/^scheduled|ready$/), attempts: 1 },
    ]);
    const next = again({ JOBS: '' });
    await next.said(/^deaf began/);
  }, 60_000);
});

it.each(['express', 'fastify'])(
  'app.close() leaves nothing open that holds the process: %s',
  async (PLATFORM) => {
    const { program } = await start({ JOBS: 'deaf,failing', GRACE_MS: '100', PLATFORM });
    program.signal('SIGUSR2');
    expect(await program.ended).toBe(0);
  },
  60_000,
);
