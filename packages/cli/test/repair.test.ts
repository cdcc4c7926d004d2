import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogStore, openLogStore } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { type JobLog, jobsOf, makeJobLog } from './job-log.js';
import { cutEnd, flipByte, holdfast, jsonLines, scratchDirectory, segmentsOf, stateOf } from './rig.js';

interface Report {
  readonly target: string | null;
  readonly nothingLost: boolean;
  readonly storeIdKept: boolean;
  readonly damage: readonly Record<string, unknown>[];
  readonly tornEnd: Record<string, unknown> | null;
  readonly jobsLost: readonly { readonly job: string; readonly lastKnown: string }[];
  readonly jobsNeverSeen: readonly Record<string, unknown>[];
  readonly jobsNeverSeenAtMost: number | null;
  readonly historyGaps: readonly { readonly job: string; readonly lost: string }[];
  readonly mayComeBack: { readonly likely: readonly string[]; readonly possible: readonly string[] };
}

async function repair(directory: string) {
  const target = join(scratchDirectory(), 'new');
  const before = stateOf(directory);
  const { code, out, err } = await holdfast(['repair', directory, '--to', target, '--json']);
  expect(err).toBe('');
  expect(stateOf(directory)).toEqual(before);
  return { code, target, report: JSON.parse(out) as Report };
}

/** Where the frame is that holds the first record of this kind, or the last. */
async function frameOf(
  directory: string,
  kind: string,
  which: 'first' | 'last' = 'first',
): Promise<{ file: string; offset: number; bytes: number }> {
  const lines = jsonLines((await holdfast(['dump', directory])).out);
  const records = lines.filter(({ name }) => name === kind);
  const record = records.at(which === 'first' ? 0 : -1);
  const frame = lines.find(({ type, seq }) => type === 'frame' && seq === record?.seq);
  const file = lines.find(({ type, segment }) => type === 'segment' && segment === frame?.segment)?.file;
  return {
    file: join(directory, String(file)),
    offset: Number(frame?.offset),
    bytes: 64 + Number(frame?.recordsBytes),
  };
}

function zero(file: string, offset: number, bytes: number): void {
  const contents = readFileSync(file);
  contents.fill(0, offset, offset + bytes);
  writeFileSync(file, contents);
}

async function expectSound(target: string): Promise<void> {
  expect(await holdfast(['verify', target])).toMatchObject({ code: 0, err: '' });
}

describe('a sound log', () => {
  it('is copied whole: same jobs, same ids, later tokens', async () => {
    const log = await makeJobLog('closed');
    const { code, target, report } = await repair(log.directory);
    expect(code).toBe(0);
    expect(report).toMatchObject({ nothingLost: true, damage: [], jobsLost: [], historyGaps: [] });
    await expectSound(target);
    expect(await jobsOf(target)).toEqual(await jobsOf(log.directory));
    const next = async (directory: string) => {
      const store = await openLogStore({ directory });
      const [job] = await store.enqueue([{ queue: 'new', name: 'n', payload: '' }]);
      const [lease] = await store.claim({ queues: ['new'], limit: 1, leaseMs: 1000, worker: 'w' });
      await store.close();
      return { id: job?.id, token: lease?.token ?? '' };
    };
    const before = await next(log.directory);
    const after = await next(target);
    expect(after.id).toBe(before.id);
    expect(after.token >= before.token).toBe(true);
  });

  it('keeps what operators did', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory });
    const jobs = await store.enqueue(
      [1, 2, 3, 4, 5].map((n) => ({ queue: 'mail', name: 'n', payload: `${n}`, delayMs: 9e6 })),
    );
    const [cancelled = '', removed = '', started = '', moved = '', cloned = ''] = jobs.map(({ id }) => id);
    const by = { actor: 'olga', reason: 'because' };
    await store.cancel({ ids: [cancelled] }, by);
    await store.remove({ ids: [removed] }, by);
    await store.runNow({ ids: [started] }, by);
    await store.reprioritise({ ids: [moved] }, 7, by);
    await store.transfer?.({ ids: [moved] }, 'files', by);
    await store.clone(cloned, by, { payload: 'other' });
    await store.pause('mail', by);
    await store.pause('files', by);
    await store.resume('files', by);
    const shown = async (of: typeof store) => ({
      queues: (await of.queues()).map(({ throughput: _, ...queue }) => queue),
      jobs: await Promise.all((await of.browse({}, { limit: 200 })).rows.map(({ id }) => jobWithoutPlace(of, id))),
    });
    const before = await shown(store);
    await store.close();
    const { code, target } = await repair(directory);
    expect(code).toBe(0);
    const copy = await openLogStore({ directory: target });
    const after = await shown(copy);
    await copy.close();
    expect(after).toEqual(before);
    expect(after.jobs.map(({ state }) => state).sort()).toEqual([
      'cancelled',
      'ready',
      'ready',
      'scheduled',
      'scheduled',
    ]);
  });

  it('is copied as an open would see it where its end is torn', async () => {
    const log = await makeJobLog('killed');
    const last = segmentsOf(log.directory).at(-1) ?? '';
    cutEnd(last, 20);
    const { code, target, report } = await repair(log.directory);
    expect(code).toBe(0);
    // The last frame is small where the engine had nothing else to write at that moment: then it is its header.
    expect(report.tornEnd).toMatchObject({ problem: expect.stringMatching(/^a frame (header )?is cut off$/) });
    expect(await jobsOf(target)).toEqual(await jobsOf(log.directory));
  });
});

describe('a damaged log', () => {
  it('loses one job to one byte in its payload, and keeps all others', async () => {
    const log = await makeJobLog('killed');
    const whole = await jobsOfCopy(log);
    const [first = ''] = segmentsOf(log.directory);
    flipByte(first, 40_000);
    expect((await holdfast(['verify', log.directory])).code).toBe(1);
    const { code, target, report } = await repair(log.directory);
    expect(code).toBe(1);
    expect(report.damage).toEqual([
      expect.objectContaining({ file: '0000000001.segment', recordsLost: 1, recordsSaved: 19 }),
    ]);
    const [lost] = report.jobsNeverSeen;
    expect(report.jobsNeverSeen).toEqual([{ firstJob: lost?.firstJob, lastJob: lost?.firstJob, jobsAtMost: 1 }]);
    const kept = await jobsOf(target);
    expect(kept.has(String(lost?.firstJob))).toBe(false);
    expect(kept.size).toBe(whole.size - 1);
    for (const [id, state] of kept) expect(whole.get(id)).toBe(state);
  });

  it('loses no job to a damaged header whose records fill the place between its neighbours', async () => {
    const log = await makeJobLog('killed');
    const { file, offset } = await frameOf(log.directory, 'ENQUEUE');
    flipByte(file, offset + 9);
    const { code, target, report } = await repair(log.directory);
    expect(report.damage).toEqual([expect.objectContaining({ recordsLost: 0, recordsSaved: 20 })]);
    expect({ code, nothingLost: report.nothingLost }).toEqual({ code: 0, nothingLost: true });
    expect((await jobsOf(target)).size).toBe(402);
  });

  it('finds the records behind one whose length is damaged', async () => {
    const log = await makeJobLog('killed');
    const { file, offset } = await frameOf(log.directory, 'ENQUEUE');
    const bytes = readFileSync(file);
    const second = offset + 64 + 12 + bytes.readUInt32LE(offset + 64);
    flipByte(file, second);
    const { report } = await repair(log.directory);
    expect(report.damage).toEqual([expect.objectContaining({ recordsLost: 1, recordsSaved: 19 })]);
    // It was completed, which other records tell.
    expect(report).toMatchObject({ jobsNeverSeenAtMost: 0, completedJobsWithoutBeginning: 1, jobsLost: [] });
    expect(report.jobsNeverSeen).toEqual([]);
  });

  it('names the completed jobs that come back when an ACK is lost', async () => {
    const log = await makeJobLog('killed');
    const { file, offset, bytes } = await frameOf(log.directory, 'ACK');
    zero(file, offset, bytes);
    const { code, target, report } = await repair(log.directory);
    expect(code).toBe(1);
    expect(report.mayComeBack.likely).toEqual(expect.arrayContaining([...log.completed]));
    // Nothing else can come back: to be leased and completed takes two frames, and the dead ones were heard of later.
    expect([...report.mayComeBack.likely].sort()).toEqual([...log.completed, ...log.leased].sort());
    expect(report.mayComeBack.possible).toEqual([]);
    const kept = await jobsOf(target);
    for (const id of log.completed) expect(kept.get(id)).toBe('waiting');
    for (const id of log.dead) expect(kept.get(id)).toBe('dead');
  });

  it('writes anew the attempts whose record is lost, so that their ends keep their meaning', async () => {
    const log = await makeJobLog('killed');
    const { file, offset, bytes } = await frameOf(log.directory, 'ATTEMPT');
    zero(file, offset, bytes);
    const { target, report } = await repair(log.directory);
    const started = report.historyGaps.filter(({ lost }) => lost === 'start of an attempt').map(({ job }) => job);
    expect(started.sort()).toEqual([...log.completed, ...log.dead].sort());
    const kept = await jobsOf(target);
    for (const id of log.completed) expect(kept.get(id)).toBe('completed');
    for (const id of log.dead) expect(kept.get(id)).toBe('dead');
    // The leases of the others are lost. Leased and completed they cannot be: that takes two frames.
    for (const id of log.leased) expect(kept.get(id)).toBe('waiting');
    expect(report.mayComeBack).toEqual({ likely: [], possible: [] });
  });

  it('names the jobs that may have run when several frames are lost', async () => {
    const log = await makeJobLog('killed');
    const attempt = await frameOf(log.directory, 'ATTEMPT');
    const dead = await frameOf(log.directory, 'DEAD');
    zero(attempt.file, attempt.offset, dead.offset + dead.bytes - attempt.offset);
    const { target, report } = await repair(log.directory);
    const kept = await jobsOf(target);
    const { likely, possible } = report.mayComeBack;
    expect(likely).toEqual([]);
    // All that waited then; of those that came later nothing can be lost.
    expect(possible).toEqual(expect.arrayContaining([...log.completed, ...log.dead, ...log.leased]));
    expect(possible).toHaveLength(400);
    for (const id of log.completed) expect(kept.get(id)).toBe('waiting');
  });

  it('names the jobs whose ENQUEUE is lost while later records speak of them', async () => {
    const log = await makeJobLog('killed');
    const { file, offset, bytes } = await frameOf(log.directory, 'ENQUEUE');
    zero(file, offset, bytes);
    const { report } = await repair(log.directory);
    // The first twenty jobs were leased first: ten were completed, five died, and five were still leased.
    const lost = new Map(report.jobsLost.map(({ job, lastKnown }) => [job, lastKnown]));
    expect([...lost.values()].sort()).toEqual([...Array(5).fill('dead'), ...Array(5).fill('leased')]);
    for (const id of log.dead) expect(lost.get(id)).toBe('dead');
    expect(report).toMatchObject({ completedJobsWithoutBeginning: 10, jobsNeverSeenAtMost: 0 });
  });

  it('gives out no id again, also when the last that was given out is lost', async () => {
    const log = await makeJobLog('closed');
    const { file, offset, bytes } = await frameOf(log.directory, 'ENQUEUE', 'last');
    zero(file, offset, bytes);
    const { target, report } = await repair(log.directory);
    expect(report.jobsNeverSeen).toEqual([expect.objectContaining({ firstJob: log.ready.at(-1) })]);
    const store = await openLogStore({ directory: target });
    const [job] = await store.enqueue([{ queue: 'mail', name: 'send', payload: '' }]);
    await store.close();
    expect(numberOf(job?.id)).toBeGreaterThan(numberOf(log.ready.at(-1)));
  });

  it('is salvaged from what is left when a header or a whole segment is lost', async () => {
    const log = await makeJobLog('killed');
    const [first = '', second = ''] = segmentsOf(log.directory);
    zero(first, 0, 256);
    const headless = await repair(log.directory);
    expect(headless.report).toMatchObject({ nothingLost: true, damage: [] });
    expect((await jobsOf(headless.target)).size).toBe(402);
    // The last one has no successor that names its end: there its first frame proves whose it is.
    zero(second, 0, 256);
    const bodies = await repair(log.directory);
    expect(bodies.report).toMatchObject({ nothingLost: true, storeIdKept: false });
    expect((await jobsOf(bodies.target)).size).toBe(402);
    rmSync(first);
    const half = await repair(log.directory);
    expect(half.code).toBe(1);
    expect(half.report.jobsNeverSeenAtMost).toBeGreaterThan(200);
    expect(half.report.damage[0]).toMatchObject({ file: '0000000001.segment', problem: 'the file is missing' });
    await expectSound(half.target);
  });
});

describe('what it refuses', () => {
  it('a target that is not empty, or lies in the source, or is a file', async () => {
    const log = await makeJobLog('closed');
    const full = scratchDirectory();
    const file = join(full, 'notes');
    writeFileSync(file, '');
    for (const target of [full, file, log.directory, join(log.directory, 'new')]) {
      const before = [stateOf(log.directory), stateOf(full)];
      const { code, out, err } = await holdfast(['repair', log.directory, '--to', target]);
      expect({ code, out }).toEqual({ code: 5, out: '' });
      expect(err).toMatch(/holdfast: .*\n.*(Choose|remove)/);
      expect([stateOf(log.directory), stateOf(full)]).toEqual(before);
    }
  });

  it('a source that is open, naming its owner', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory });
    const target = join(scratchDirectory(), 'new');
    const { code, err } = await holdfast(['repair', directory, '--to', target]);
    await store.close();
    expect(code).toBe(5);
    expect(err).toContain(`is in use by process ${process.pid}`);
    expect(existsSync(target)).toBe(false);
    expect((await holdfast(['repair', directory, '--to', target])).code).toBe(0);
  });

  it('a command line without a target', async () => {
    const { code, err } = await holdfast(['repair', scratchDirectory()]);
    expect(code).toBe(2);
    expect(err).toContain('--to <new-dir> says where');
  });
});

describe('what it writes', () => {
  it('nothing with --dry-run, and the same report', async () => {
    const log = await makeJobLog('killed');
    const [first = ''] = segmentsOf(log.directory);
    flipByte(first, 40_000);
    const target = join(scratchDirectory(), 'new');
    const dry = await holdfast(['repair', log.directory, '--to', target, '--dry-run', '--json']);
    expect(existsSync(target)).toBe(false);
    const { report, code } = await repair(log.directory);
    expect(dry.code).toBe(code);
    expect({ ...(JSON.parse(dry.out) as Report), target: report.target }).toEqual(report);
    const text = await holdfast(['repair', log.directory, '--to', target, '--dry-run']);
    expect(text.out).toContain('nothing was written');
    expect(text.out).toContain('1 record lost, 19 saved');
  });

  it('segments and the report into an empty directory, and nothing else', async () => {
    const log = await makeJobLog('closed');
    const target = scratchDirectory();
    mkdirSync(join(target, 'deeper'));
    const deeper = join(target, 'deeper');
    const { code, out } = await holdfast(['repair', log.directory, '--to', deeper]);
    expect(code).toBe(0);
    expect(out).toContain('Nothing is lost.');
    const names = readdirSync(deeper).sort();
    expect(names).toEqual([expect.stringMatching(/^\d{10}\.segment$/), 'lock', 'repair-report.json']);
    expect(JSON.parse(readFileSync(join(deeper, 'repair-report.json'), 'utf8'))).toMatchObject({ nothingLost: true });
  });
});

/** All that a store says of a job but for where its record lies. */
async function jobWithoutPlace(store: LogStore, id: string) {
  const found = await store.job(id);
  if (found === undefined) throw new Error(`The store does not know ${id}.`);
  const { record: _, ...job } = found;
  return job;
}

function numberOf(id: string | undefined): number {
  return Number.parseInt(id?.split('-')[1] ?? '', 36);
}

/** The jobs that an open of the undamaged log finds. */
async function jobsOfCopy({ directory }: JobLog): Promise<Map<string, string>> {
  const copy = join(scratchDirectory(), 'copy');
  cpSync(directory, copy, { recursive: true });
  return jobsOf(copy);
}
