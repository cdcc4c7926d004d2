import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { JobAnswer, JobsAnswer, LeasesAnswer, MetaAnswer, OverviewAnswer, Problem } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeOf, linesOf, start, textOf } from './child.js';
import { holdfast, scratchDirectory, stateOf, until } from './rig.js';
import { ServedDashboard } from './served-dashboard.js';

const JOB = { queue: 'mail', name: 'send', payload: '{"to":"ada"}' };

/** A directory with a closed store of one job in it. */
async function freeDirectory() {
  const directory = scratchDirectory();
  const store = await openLogStore({ directory });
  const [job] = await store.enqueue([JOB]);
  await store.close();
  return { directory, id: job?.id ?? '' };
}

/** A directory that a process of its own has open, and how to have it write. */
async function heldDirectory() {
  const directory = scratchDirectory();
  const owner = start('own-store', [directory]);
  await linesOf(owner, 1);
  const write = () => owner.stdin?.write('\n');
  return { directory, owner, write };
}

/** So that nothing but the dashboard could write. */
async function freeze(owner: ChildProcess): Promise<void> {
  owner.kill('SIGSTOP');
  const status = `/proc/${owner.pid}/status`;
  // Where the system does not tell, the signal has all the time in which the dashboard starts.
  if (existsSync(status)) await until(async () => /^State:\s+T/m.test(readFileSync(status, 'utf8')));
}

function readyOf({ queues }: OverviewAnswer): number {
  return queues.find(({ name }) => name === 'mail')?.counts.ready ?? 0;
}

describe('over a directory that nobody has open', () => {
  it('opens the store, acts on it, and closes it in order', async () => {
    const { directory, id } = await freeDirectory();
    const served = await ServedDashboard.start(directory);
    await served.enter();
    const meta = await served.json<MetaAnswer>('meta');
    expect(meta).toMatchObject({ role: 'admin', actor: expect.stringContaining('(holdfast dashboard)') });
    expect(meta.readOnly).toBeUndefined();
    expect(readyOf(await served.json('overview'))).toBe(1);
    expect((await served.act(`jobs/${id}/acts/cancel`, { reason: 'not needed' })).status).toBe(200);
    const { job } = await served.json<JobAnswer>(`jobs/${id}`);
    expect(job).toMatchObject({
      state: 'cancelled',
      acts: [{ act: 'cancel', reason: 'not needed', actor: meta.actor }],
    });
    expect(served.err).toContain('owns the log');
    expect(await served.stop('SIGINT')).toBe(0);
    expect(JSON.parse((await holdfast(['verify', directory, '--json'])).out)).toMatchObject({
      verdict: { kind: 'clean' },
      owner: null,
    });
  });

  it('keeps an application out meanwhile, which is told by whom', async () => {
    const { directory } = await freeDirectory();
    await ServedDashboard.start(directory);
    const application = start('own-store', [directory]);
    expect(await textOf(application.stderr)).toMatch(/is in use by process \d+/);
  });

  it('forgets no job that an application keeps', async () => {
    const directory = scratchDirectory();
    const retention = { completed: { count: 5000 } };
    const store = await openLogStore({ directory, retention });
    for (let round = 0; round < 2; round++) {
      await store.enqueue(Array.from({ length: 600 }, () => JOB));
      await store.ack(await store.claim({ queues: ['mail'], limit: 600, leaseMs: 60_000, worker: 'w' }));
    }
    await store.close();
    const served = await ServedDashboard.start(directory);
    await served.enter();
    expect((await served.json<JobsAnswer>('jobs?state=completed')).total.value).toBe(1200);
    await served.stop();
    const again = await openLogStore({ directory, retention });
    onTestFinished(() => again.close());
    expect((await again.queues())[0]?.counts.completed).toBe(1200);
  });

  it('only reads it with --read-only, and leaves every byte as it is', async () => {
    const { directory, id } = await freeDirectory();
    const before = stateOf(directory);
    const served = await ServedDashboard.start(directory, '--read-only');
    await served.enter();
    expect((await served.json<JobAnswer>(`jobs/${id}`)).job.state).toBe('ready');
    expect(await served.stop()).toBe(0);
    expect(stateOf(directory)).toEqual(before);
  });
});

describe('over a directory that another process has open', () => {
  it('shows the jobs, refuses every act, and writes nothing', async () => {
    const { directory, owner } = await heldDirectory();
    await freeze(owner);
    const before = stateOf(directory);
    const served = await ServedDashboard.start(directory);
    await served.enter();
    const meta = await served.json<MetaAnswer>('meta');
    expect(meta.readOnly?.because).toContain(`Process ${owner.pid} had the log open`);
    const overview = await served.json<OverviewAnswer>('overview');
    expect(readyOf(overview)).toBe(2);
    expect(overview.health).toMatchObject({ status: 'open', asOfMs: expect.any(Number) });
    const { leases } = await served.json<LeasesAnswer>('leases');
    expect(leases).toMatchObject([{ worker: 'owner', queue: 'mail' }]);
    const { rows } = await served.json<JobsAnswer>('jobs?state=ready');
    expect((await served.json<JobAnswer>(`jobs/${rows[0]?.id}`)).job.payload.text).toBe(JOB.payload);
    const acts: [string, unknown][] = [
      [`jobs/${rows[0]?.id}/acts/cancel`, {}],
      [`jobs/${rows[0]?.id}/acts/remove`, {}],
      ['redrives', { allDead: {} }],
      ['queues/pause', { queue: 'mail' }],
      ['bulk/operations', { planId: 'x', ratePerSecond: 1 }],
    ];
    for (const [path, body] of acts) {
      const { status, text } = await served.act(path, body);
      expect([path, status, (JSON.parse(text) as Problem).code]).toEqual([path, 403, 'STORE_READ_ONLY']);
    }
    expect((await served.act('bulk/plans', { act: { kind: 'cancel' }, selection: { filter: {} } })).status).toBe(200);
    expect((await served.get('/jobs')).status).toBe(200);
    expect(served.err).toContain('Read-only');
    expect(await served.stop()).toBe(0);
    expect(stateOf(directory)).toEqual(before);
    expect(owner.exitCode).toBeNull();
  });

  it('shows what the owner writes later', async () => {
    const { directory, write } = await heldDirectory();
    const served = await ServedDashboard.start(directory);
    await served.enter();
    const first = await served.json<OverviewAnswer>('overview');
    expect(readyOf(first)).toBe(2);
    write();
    await until(async () => readyOf(await served.json('overview')) === 3);
    const { health } = await served.json<OverviewAnswer>('overview');
    expect(health.asOfMs).toBeGreaterThan(first.health.asOfMs ?? Number.POSITIVE_INFINITY);
  });

  it('goes on showing what there was when the owner is killed, and leaves the log to the next one', async () => {
    const { directory, owner } = await heldDirectory();
    const served = await ServedDashboard.start(directory);
    await served.enter();
    owner.kill('SIGKILL');
    await codeOf(owner);
    const next = await openLogStore({ directory });
    onTestFinished(() => next.close());
    await next.enqueue([JOB]);
    await until(async () => readyOf(await served.json('overview')) >= 3);
    expect((await served.act('queues/pause', { queue: 'mail' })).status).toBe(403);
  });
});

describe('who may enter', () => {
  it('whoever has the address: it is taken into a cookie that scripts and other sites do not get', async () => {
    const { directory } = await freeDirectory();
    const served = await ServedDashboard.start(directory, '--role', 'viewer');
    expect(served.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    for (const path of ['/', '/api/v1/meta', '/api/v1/events']) expect((await served.get(path)).status).toBe(403);
    const entered = await served.enter();
    expect([entered.status, entered.headers.location]).toEqual([303, '/']);
    expect(entered.headers['set-cookie']?.[0]).toMatch(
      /^holdfast-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(entered.headers['set-cookie']?.[0]).not.toContain(new URL(served.address).searchParams.get('token'));
    const page = await served.get('/');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<base href="/">')]);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect((await served.json<MetaAnswer>('meta')).role).toBe('viewer');
    const { status, text } = await served.act('queues/pause', { queue: 'mail' });
    expect([status, (JSON.parse(text) as Problem).code]).toEqual([403, 'ROLE_TOO_LOW']);
  });

  it('nobody with another token or cookie', async () => {
    const { directory } = await freeDirectory();
    const served = await ServedDashboard.start(directory, '--read-only');
    const wrong = served.address.replace(/token=./, (start) => (start.endsWith('x') ? 'token=y' : 'token=x'));
    const { pathname, search } = new URL(wrong);
    const refused = await served.get(`${pathname}${search}`);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    const entered = await served.enter();
    const [name] = entered.headers['set-cookie']?.[0]?.split('=') ?? [];
    expect((await served.get('/api/v1/meta', { Cookie: `${name}=${'x'.repeat(43)}` })).status).toBe(403);
    // Who has entered is not let in by a token that is wrong either.
    expect((await served.get(`${pathname}${search}`)).status).toBe(403);
  });

  it('nobody who came by another name for this machine', async () => {
    const { directory } = await freeDirectory();
    const served = await ServedDashboard.start(directory, '--read-only');
    await served.enter();
    const { port, search } = new URL(served.address);
    for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'localhost.', '[::2]', '0.0.0.0']) {
      expect([host, (await served.get('/api/v1/meta', { Host: host })).status]).toEqual([host, 403]);
      expect((await served.get(`/${search}`, { Host: host })).headers['set-cookie']).toBeUndefined();
    }
    for (const host of [`localhost:${port}`, '127.0.0.1:4900', `[::1]:${port}`]) {
      expect([host, (await served.get('/api/v1/meta', { Host: host })).status]).toEqual([host, 200]);
    }
  });

  it('no page of another site, though the browser has the cookie', async () => {
    const { directory, id } = await freeDirectory();
    const served = await ServedDashboard.start(directory);
    await served.enter();
    const { port } = new URL(served.address);
    const send = (headers: Record<string, string>) => served.get(`/api/v1/jobs/${id}`, headers);
    expect((await send({})).status).toBe(200);
    const act = await fetch(`http://127.0.0.1:${port}/api/v1/jobs/${id}/acts/cancel`, { method: 'POST', body: '{}' });
    expect(act.status).toBe(403);
  });
});

describe('what cannot be served', () => {
  it.each(['absent', 'empty', 'file'])('a directory that is %s: nothing is made there', async (kind) => {
    const parent = scratchDirectory();
    const directory = join(parent, 'queue');
    if (kind === 'empty') mkdirSync(directory);
    if (kind === 'file') writeFileSync(directory, '');
    const ended = await holdfast(['dashboard', directory]);
    expect([ended.code, ended.out]).toEqual([3, '']);
    expect(readdirSync(parent)).toEqual(kind === 'absent' ? [] : ['queue']);
    if (kind === 'empty') expect(readdirSync(directory)).toEqual([]);
  });

  it('a directory that cannot be owned: it can be looked at', async () => {
    const { directory } = await freeDirectory();
    rmSync(join(directory, 'lock'));
    mkdirSync(join(directory, 'lock'));
    const { code, err } = await holdfast(['dashboard', directory]);
    expect(code).toBe(3);
    expect(err).toMatch(/could not be opened: .*\nWith --read-only the jobs are shown, and nothing is written\.\n$/);
  });

  it('a port that is taken: the store is given back', async () => {
    const { directory } = await freeDirectory();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const child = start('holdfast', ['dashboard', directory, '--port', String(port)]);
    const err = textOf(child.stderr);
    expect(await codeOf(child)).toBe(3);
    expect(await err).toContain('Choose another port');
    const store = await openLogStore({ directory });
    await store.close();
  });

  it.each([
    [['dashboard'], 'missing'],
    [['dashboard', 'a', 'b'], 'more words'],
    [['dashboard', 'a', '--role', 'root'], 'viewer, operator, admin'],
    [['dashboard', 'a', '--port', '65536'], 'at most 65535'],
    [['dashboard', 'a', '--port', 'http'], 'whole number'],
  ])('%j', async (words, said) => {
    const { code, err } = await holdfast(words);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  });
});
