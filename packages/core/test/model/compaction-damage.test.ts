import { type JobDetail, LogCorruptError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { allJobs, compact, stage } from './compaction-stage.js';
import type { EngineRig } from './engine-rig.js';

/** In records of the history of several jobs. */
const STACK = 'at sort (parcels.js:12)';

const DAMAGES = [
  ['the record that holds a job whole', '"next year"'],
  ['a record of the history of a job', STACK],
] as const;

function stoppedBy(rig: EngineRig) {
  return rig.engine.storage().compaction!.stoppedBy;
}

function oldestFile(rig: EngineRig): string {
  return rig.engine.storage().segments[0]!.file;
}

/** Each job, or the error that reading it meets. */
function look(rig: EngineRig): Map<string, unknown> {
  const { rows } = rig.engine.browse({}, { limit: 200 });
  return new Map(rows.map(({ id }) => [id, tryJob(rig, id)]));
}

function tryJob(rig: EngineRig, id: string): unknown {
  try {
    return canonical(rig.engine.job(id)!);
  } catch (error) {
    if (error instanceof LogCorruptError) return error;
    throw error;
  }
}

/** Where it lies, and what passes by itself, is left out. */
function canonical({ record: _, lease, ...job }: JobDetail): unknown {
  return { ...job, ...(lease === undefined ? {} : { token: lease.token, worker: lease.worker }) };
}

describe.each(DAMAGES)('damage of %s', (_, text) => {
  it('is not copied: compaction stops, names file and place, and leaves the file and all other jobs alone', () => {
    const rig = stage();
    const file = oldestFile(rig);
    rig.damage(text);
    const damaged = rig.disk.contents().get(file);
    const before = look(rig);
    compact(rig);
    const stopped = stoppedBy(rig)!;
    expect(stopped.file).toBe(file);
    expect(stopped.problem).toContain('a record does not match its checksum');
    expect(stopped.problem).toMatch(/at byte \d+/);
    expect(rig.disk.contents().get(file)).toBe(damaged);
    expect(look(rig)).toEqual(before);
    expect(rig.fatal).toEqual([]);

    const [id] = rig.enqueue({ payload: '"one more"' });
    const jobs = rig.claim();
    expect(jobs.some((job) => job.id === id)).toBe(true);
    expect(rig.ack(...jobs)).toEqual(jobs.map(() => 'ok'));
    // It does not try again and again.
    rig.advance(60_000);
    rig.advance(60_000);
    expect(stoppedBy(rig)).toEqual(stopped);
    expect(rig.engine.storage().compaction!.running).toBe(false);
    expect(rig.clock.timers).toBeLessThanOrEqual(1);
  });

  it('is refused by the next open, which changes nothing', () => {
    const rig = stage();
    rig.damage(text);
    compact(rig);
    const contents = rig.disk.contents();
    expect(() => rig.reopen('killed')).toThrow(LogCorruptError);
    expect(rig.disk.contents()).toEqual(contents);
  });

  it('is over when its job is removed: then the segment goes, and the log is whole again', () => {
    const rig = stage();
    const file = oldestFile(rig);
    rig.damage(text);
    compact(rig);
    const isDamaged = (job: unknown) => job instanceof LogCorruptError || (job as JobDetail).payload === text;
    const damaged = [...look(rig)].filter(([, job]) => isDamaged(job)).map(([id]) => id);
    expect(damaged.length).toBeGreaterThan(0);
    rig.act('remove', { ids: damaged });
    const others = look(rig);
    compact(rig);
    expect(stoppedBy(rig)).toBeUndefined();
    expect(oldestFile(rig) > file).toBe(true);
    expect(look(rig)).toEqual(others);
    rig.reopen('killed');
    expect([...look(rig).keys()]).toEqual([...others.keys()]);
  });
});

it('waits where the disk cannot read a segment, and goes on when it can', () => {
  const rig = stage();
  const before = allJobs(rig);
  const file = oldestFile(rig);
  rig.files.readFailures = 1;
  compact(rig);
  expect(stoppedBy(rig)).toMatchObject({ file, problem: expect.stringContaining('EIO') });
  expect(rig.engine.storage().compaction).toMatchObject({ movedJobs: 0, freedBytes: 0 });
  expect(rig.fatal).toEqual([]);
  rig.files.readFailures = 0;
  expect(allJobs(rig)).toEqual(before);

  rig.advance(60_000);
  compact(rig);
  expect(stoppedBy(rig)).toBeUndefined();
  expect(rig.engine.storage().compaction!.movedJobs).toBeGreaterThan(4);
  expect(oldestFile(rig) > file).toBe(true);
});
