import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../scripts/command.mjs';
import { installAside } from '../../scripts/workspace.mjs';
import { installedPrograms, PACKAGES } from './embedded-postgres/programs.mjs';
import { EmbeddedPostgres, NoEmbeddedPostgresError } from './embedded-postgres/server.mjs';
import type { TestResult } from './test-results.mjs';
import { TestServers } from './test-servers.mjs';

const SLOW = { timeout: 120_000 };
const WITHIN = { timeout: 30_000, interval: 50 };
/** Where nobody listens. */
const NO_POSTGRES = 'postgres://postgres@127.0.0.1:1/test';
const NOTHING_LOCAL = { localPostgres: NO_POSTGRES, localMysql: 'mysql://root@127.0.0.1:1/' };

/** Why no server of npm packages can be had here: the reason of a skip. */
const noPrograms = await missingPrograms();

async function missingPrograms(): Promise<string | undefined> {
  const failure = await installAside(PACKAGES);
  if (failure !== undefined) return failure;
  const programs = installedPrograms();
  return 'missing' in programs ? programs.missing : undefined;
}

function testServers(): TestServers {
  const servers = new TestServers();
  onTestFinished(() => servers.close());
  return servers;
}

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return (await client.query({ text, rowMode: 'array' })).rows.flat()[0];
  } finally {
    await client.end().catch(() => {});
  }
}

describe('what the environment says', () => {
  it('is refused when it is no choice, or two', async () => {
    const find = (env: Record<string, string>) => testServers().find({ env, ...NOTHING_LOCAL });
    await expect(find({ HOLDFAST_TEST_POSTGRES: 'docker' })).rejects.toThrow('HOLDFAST_TEST_POSTGRES is docker');
    const two = { HOLDFAST_TEST_POSTGRES: 'embedded', HOLDFAST_TEST_POSTGRES_URL: NO_POSTGRES };
    await expect(find(two)).rejects.toThrow('Unset one of them');
  });

  it('is not passed over when the server that it names does not answer', async () => {
    const found = testServers().find({ env: { HOLDFAST_TEST_POSTGRES_URL: NO_POSTGRES }, ...NOTHING_LOCAL });
    await expect(found).rejects.toThrow(/HOLDFAST_TEST_POSTGRES_URL names a server that does not answer.*ECONNREFUSED/);
  });
});

describe('a server of npm packages', () => {
  it(
    'is started where none answers, keeps the rules of the contract, and is gone after the run',
    SLOW,
    async ({ skip }) => {
      skip(noPrograms !== undefined, noPrograms);
      const servers = testServers();
      const { note } = await servers.find({ env: {}, ...NOTHING_LOCAL });
      expect(note).toMatch(
        /^PostgreSQL 18\.\d+ from npm packages; no MySQL and no MariaDB: none answers at 127\.0\.0\.1:1/,
      );
      const { HOLDFAST_TEST_POSTGRES_URL: url = '', HOLDFAST_TEST_POSTGRES_PROGRAMS: programs = '' } =
        servers.environment;
      expect(await ask(url, 'show fsync')).toBe('on');
      expect(existsSync(join(programs, 'initdb'))).toBe(true);

      // What it does when a run asks for it by name, with the tests as the runner of the unit step gets to them.
      const results = conformance({ ...servers.environment }, '(dedupe|the order of jobs|redrive) ');
      expect(results.length).toBeGreaterThan(10);
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(results[0]?.name).toContain('PostgreSQL 18.');

      await servers.close();
      await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
      expect(existsSync(programs)).toBe(false);
    },
  );

  it('is taken instead of one that answers when the environment says so', SLOW, async ({ skip }) => {
    skip(noPrograms !== undefined, noPrograms);
    const { note } = await testServers().find({ ...NOTHING_LOCAL, env: { HOLDFAST_TEST_POSTGRES: 'embedded' } });
    expect(note).toMatch(/^PostgreSQL 18\.\d+ from npm packages/);
  });

  it('ends with a run that is killed', SLOW, async ({ skip }) => {
    skip(noPrograms !== undefined, noPrograms);
    const hold = join(root, PACKAGES, 'hold.mjs');
    const run = spawn(process.execPath, [hold], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void run.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: run.stdout }), 'line');
    const { url, programs } = JSON.parse(String(line));
    expect(await ask(url, 'select 1')).toBe(1);
    run.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(programs)).toBe(false), WITHIN);
    await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('is refused with a reason where there is none for the machine', async () => {
    const programs = installedPrograms('freebsd', 'x64');
    expect(programs).toEqual({ missing: expect.stringContaining('there is no @embedded-postgres/freebsd-x64') });
    await expect(EmbeddedPostgres.start(programs)).rejects.toThrow(NoEmbeddedPostgresError);
  });

  it('is refused with a reason, and leaves nothing behind, where its programs do not run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-no-programs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const refusal = await EmbeddedPostgres.start({ folder }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NoEmbeddedPostgresError);
    const [, directory = ''] =
      /^spawn (.*)\/programs\/bin\/initdb ENOENT/.exec(String((refusal as Error).message)) ?? [];
    expect(directory).not.toBe('');
    expect(existsSync(directory)).toBe(false);
  });
});

/** Runs rules of the conformance suite of the store in a runner of its own. */
function conformance(environment: Readonly<Record<string, string>>, names: string): TestResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'results.json');
  const reporter = `--reporter=${join(import.meta.dirname, 'vitest-reporter.mjs')}`;
  const suite = ['--project', 'store-postgres', 'packages/store-postgres/test/conformance.test.ts', '-t', names];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', reporter, ...suite],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...environment, TEST_RESULTS_FILE: file } },
  );
  expect(existsSync(file), stdout + stderr).toBe(true);
  return JSON.parse(readFileSync(file, 'utf8'));
}
