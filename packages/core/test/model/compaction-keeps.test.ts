import { expect, it } from 'vitest';
import { EngineRig, type RigOptions, SHAPE } from './engine-rig.js';

/** Makes segments full of what is over, and lets compaction have them. */
function churn(rig: EngineRig, rounds = 30): void {
  const noise = { shape: { ...SHAPE, queue: 'noise' }, payload: `"${'n'.repeat(300)}"` };
  for (let round = 0; round < rounds; round++) {
    rig.enqueue(noise);
    rig.ack(...rig.claim({ queues: ['noise'] }));
    for (let tick = 0; tick < 8; tick++) rig.advance(10);
  }
}

function start(options: RigOptions = {}): EngineRig {
  return new EngineRig({ segmentBytes: 1000, completedKept: 2, ...options });
}

function firstSegment(rig: EngineRig): number {
  return rig.engine.storage().segments[0]!.number;
}

it('brings back no ended job that made room for one whose records are gone', () => {
  const rig = start();
  const [last] = rig.enqueue({});
  const first = firstSegment(rig);
  // Only the first job is in the first segment.
  rig.enqueue({ shape: { ...SHAPE, queue: 'noise' }, payload: `"${'n'.repeat(1000)}"` });
  rig.ack(...rig.claim({ queues: ['noise'] }));
  const older = rig.enqueue({}, {});
  // With so much that is alive only what is empty goes, and the records of the older ones stay where they are.
  const alive = { shape: { ...SHAPE, queue: 'idle' }, payload: `"${'a'.repeat(300)}"` };
  rig.enqueue(...Array.from({ length: 40 }, () => alive));
  const jobs = rig.claim();
  rig.ack(...jobs.filter(({ id }) => id !== last));
  rig.ack(jobs.find(({ id }) => id === last)!);
  rig.act('remove', rig.ids(last!));
  const known = () => older.map((id) => rig.state(id));
  expect(known()).toEqual([undefined, 'completed']);
  for (let tick = 0; tick < 20 && firstSegment(rig) === first; tick++) churn(rig, 1);
  rig.reopen('closed');
  expect(firstSegment(rig)).toBe(first + 1);
  expect(known()).toEqual([undefined, 'completed']);
});

it('keeps which ended job is the oldest when they are written again', () => {
  const rig = start({ completedKept: 3 });
  const ids = rig.enqueue({}, {}, {});
  const first = firstSegment(rig);
  for (const job of rig.claim().toReversed()) rig.ack(job);
  churn(rig);
  expect(firstSegment(rig)).toBeGreaterThan(first);
  rig.reopen('killed');
  const [next] = rig.enqueue({});
  rig.ack(...rig.claim());
  const known = [...ids, next!].filter((id) => rig.state(id) !== undefined);
  expect(known).toEqual([ids[0], ids[1], next]);
});

it('keeps the order of jobs after their first records are gone, also when the wall clock is set back then', () => {
  const rig = start();
  const [old] = rig.enqueue({});
  const first = firstSegment(rig);
  // No job comes after it: in what is left of the log nothing but the headers says how far the order had come.
  for (let round = 0; round < 60; round++) {
    rig.pause('idle', undefined, { actor: 'olga', reason: 'r'.repeat(300) });
    rig.resume('idle');
    for (let tick = 0; tick < 8; tick++) rig.advance(10);
  }
  expect(firstSegment(rig)).toBeGreaterThan(first);
  rig.reopen('closed');
  rig.clock.setWall(-86_400_000);
  const [young] = rig.enqueue({});
  expect(rig.claim().map(({ id }) => id)).toEqual([old, young]);
});

it('keeps the lease of a job that is written again, with who has it', () => {
  const rig = start();
  rig.enqueue({});
  const [job] = rig.claim({ worker: 'patient', leaseMs: 3_600_000 });
  const first = firstSegment(rig);
  churn(rig);
  expect(firstSegment(rig)).toBeGreaterThan(first);
  expect(rig.extend({ ...job!, leaseMs: 3_600_000 })).toEqual(['ok']);
  rig.reopen('killed');
  expect(rig.engine.storage().recovery.leasesEnded).toEqual({ retried: 1, dead: 0 });
  const { attemptLog, lastError } = rig.job(job!.id)!;
  expect(attemptLog).toMatchObject([{ attempt: 1, worker: 'patient', outcome: 'processEnded' }]);
  expect(lastError?.message).toContain('patient');
  rig.advance(1000);
  expect(rig.claim()[0]!.token).toBeGreaterThan(job!.token);
});

it('waits while there is no room for what it has to write, says so, and goes on when there is', () => {
  const rig = start();
  let freeBytes = 10;
  rig.files.freeBytes = () => freeBytes;
  const [stays] = rig.enqueue({});
  const first = firstSegment(rig);
  churn(rig);
  const { compaction } = rig.engine.storage();
  expect(compaction).toMatchObject({ movedJobs: 0, stoppedBy: { problem: expect.stringContaining('10 bytes') } });
  expect(firstSegment(rig)).toBe(first);
  freeBytes = 1e9;
  rig.act('remove', rig.ids(stays!));
  churn(rig);
  expect(firstSegment(rig)).toBeGreaterThan(first);
});

it('stops half way where others fill the disk, and leaves the reserve to the ends of jobs', () => {
  const KIB = 1024;
  const reserveBytes = 64 * KIB;
  const rig = start({ segmentBytes: 256 * KIB, reserveBytes, completedKept: 0, compactionStepJobs: 5 });
  rig.advance(1000);
  const idle = { shape: { ...SHAPE, queue: 'idle' }, payload: `"${'i'.repeat(500)}"` };
  rig.enqueue(...Array.from({ length: 400 }, () => idle));
  rig.enqueue({});
  const [job] = rig.claim({ leaseMs: 3_600_000 });
  const moved = () => rig.engine.storage().compaction!.movedJobs;
  for (let round = 0; moved() === 0; round++) {
    expect(round).toBeLessThan(200);
    rig.enqueue({ shape: { ...SHAPE, queue: 'noise' }, payload: 'n'.repeat(20_000) });
    rig.ack(...rig.claim({ queues: ['noise'] }));
    rig.advance(10);
  }
  const first = firstSegment(rig);
  rig.disk.capacityBytes = rig.disk.usedBytes + 1000;
  rig.advance(4000);
  const { compaction, diskReserve } = rig.engine.storage();
  expect(rig.fatal).toEqual([]);
  expect(compaction).toMatchObject({
    running: false,
    stoppedBy: { problem: expect.stringContaining('there is room for') },
  });
  expect(moved()).toBeLessThan(400);
  expect(diskReserve!.heldBytes).toBeGreaterThanOrEqual(reserveBytes / 4);
  expect(rig.ack(job!)).toEqual(['ok']);
  rig.disk.capacityBytes += 1e7;
  for (let tick = 0; firstSegment(rig) === first; tick++) {
    expect(tick).toBeLessThan(100);
    rig.advance(1000);
  }
  expect(rig.engine.full).toBeUndefined();
});
