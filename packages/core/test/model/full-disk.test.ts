import { StoreFullError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { EngineRig, SHAPE } from './engine-rig.js';

const KIB = 1024;
const RESERVE = 64 * KIB;
const PAYLOAD = JSON.stringify('p'.repeat(500));

/** A store on a disk of some size, its reserve written. */
function rigOn(capacityBytes: number, options = {}): EngineRig {
  const rig = new EngineRig({ segmentBytes: 64 * KIB, reserveBytes: RESERVE, ...options });
  rig.disk.capacityBytes = capacityBytes;
  rig.advance(100);
  expect(rig.engine.storage().diskReserve).toEqual({ bytes: RESERVE, heldBytes: RESERVE });
  return rig;
}

/** Enqueues until that is refused. @returns ids of the jobs that were stored */
function fill(rig: EngineRig): number[] {
  const ids: number[] = [];
  for (let round = 0; round < 10_000; round++) {
    const answer = rig.startEnqueue({ payload: PAYLOAD });
    rig.settle();
    if (answer.error === undefined) ids.push(answer.value!.firstId);
    else return ids;
  }
  throw new Error('the disk has no end');
}

function refusalOf(rig: EngineRig): StoreFullError {
  const answer = rig.startEnqueue({ payload: PAYLOAD });
  rig.settle();
  expect(answer.error).toBeInstanceOf(StoreFullError);
  return answer.error as StoreFullError;
}

/** Claims and hands back, until the room ahead of the log's end is used up and the disk has refused a write. */
function claimUntilFull(rig: EngineRig): void {
  for (let calls = 0; calls < 1000 && rig.engine.full === undefined; calls++) {
    for (const { id, token } of rig.claim()) rig.engine.release([{ id, token, delayMs: 0 }], () => {});
    rig.settle();
  }
}

/** Somebody else writes to the disk until so many bytes are free. */
function leave(rig: EngineRig, freeBytes: number): void {
  rig.disk.capacityBytes -= rig.disk.freeBytes! - freeBytes;
}

it('refuses jobs before the disk is full, says so, and works off those that are there', () => {
  const rig = rigOn(1024 * KIB);
  const ids = fill(rig);
  expect(ids.length).toBeGreaterThan(500);
  const before = rig.files.steps;
  const { code, outcome, freeBytes, location, message } = refusalOf(rig);
  expect(rig.files.steps).toBe(before);
  expect({ code, outcome, location }).toEqual({ code: 'STORE_FULL', outcome: 'rejected', location: '/store' });
  expect(freeBytes).toBeLessThan(RESERVE / 4 + 2 * KIB);
  expect(message).toContain(`${freeBytes} bytes`);
  expect(rig.engine.full).toContain('Free some space');
  expect(rig.fullChanges).toBe(1);
  expect(rig.engine.storage().diskReserve).toMatchObject({ heldBytes: RESERVE, fullSinceMs: expect.any(Number) });

  const jobs = rig.claim({ limit: 1000 });
  expect(rig.ack(...jobs)).toEqual(jobs.map(() => 'ok'));
  rig.act('remove', rig.ids(...ids.slice(jobs.length, jobs.length + 100)));
  expect(rig.fatal).toEqual([]);
});

it('gives up its reserve to a disk that is quite full, half by half, and writes the same frame there', () => {
  const rig = rigOn(1024 * KIB);
  const ids = rig.enqueue(...Array.from({ length: 50 }, () => ({ payload: PAYLOAD })));
  leave(rig, 0);
  const jobs = rig.claim();
  expect(jobs).toHaveLength(50);
  expect(rig.engine.storage().diskReserve).toMatchObject({ heldBytes: RESERVE / 2 });
  expect(rig.engine.full).toBeDefined();
  rig.ack(...jobs.slice(0, 25));
  refusalOf(rig);
  rig.advance(200);
  rig.reopen('crashed');
  const states = ids.map((id) => rig.state(id));
  expect(states.filter((state) => state === 'completed')).toHaveLength(25);
  expect(rig.fatal).toEqual([]);
});

it('takes jobs again by itself when there is room, and fills the reserve up', () => {
  const rig = rigOn(1024 * KIB);
  rig.enqueue({ payload: PAYLOAD });
  leave(rig, 0);
  claimUntilFull(rig);
  refusalOf(rig);
  for (const [freeBytes, isFull] of [
    [RESERVE - KIB, true],
    [RESERVE + KIB, false],
  ] as const) {
    leave(rig, freeBytes);
    rig.advance(10_000);
    expect([freeBytes, rig.engine.full !== undefined]).toEqual([freeBytes, isFull]);
  }
  expect(rig.engine.storage().diskReserve).toEqual({ bytes: RESERVE, heldBytes: RESERVE });
  expect(rig.fullChanges).toBe(2);
  rig.enqueue({ payload: PAYLOAD });
  rig.advance(10_000);
  expect(rig.clock.timers).toBeLessThanOrEqual(1);
});

it('stays full after a refused write where the system counts free bytes that are not for it', () => {
  const rig = rigOn(1024 * KIB);
  rig.enqueue({ payload: PAYLOAD });
  leave(rig, 0);
  rig.files.freeBytes = () => 1e9;
  claimUntilFull(rig);
  expect(rig.engine.full).toBeDefined();
  // It tries to fill the reserve up, and what it got is there for the next ack.
  rig.advance(20_000);
  expect(rig.engine.full).toBeDefined();
  refusalOf(rig);
  leave(rig, 2 * RESERVE);
  rig.advance(10_000);
  expect(rig.engine.full).toBeUndefined();
});

it('refuses a call that alone finds no room, and no smaller one', () => {
  const rig = rigOn(1024 * KIB);
  leave(rig, 32 * KIB);
  rig.advance(1000);
  const large = rig.startEnqueue(...Array.from({ length: 100 }, () => ({ payload: PAYLOAD })));
  rig.settle();
  expect(large.error).toMatchObject({ code: 'STORE_FULL' });
  expect(rig.engine.full).toBeUndefined();
  rig.enqueue({ payload: PAYLOAD });
});

it('counts what others of the same turn were promised', () => {
  const rig = rigOn(1024 * KIB);
  leave(rig, RESERVE / 4 + 5 * KIB);
  rig.advance(1000);
  const answers = Array.from({ length: 20 }, () => rig.startEnqueue({ payload: PAYLOAD }));
  rig.settle();
  const taken = answers.filter(({ error }) => error === undefined).length;
  expect(taken).toBeGreaterThan(5);
  expect(taken).toBeLessThan(10);
  expect(rig.engine.storage().diskReserve).toMatchObject({ heldBytes: RESERVE });
});

it('frees a full disk by compaction, with the help of the reserve', () => {
  const rig = rigOn(700 * KIB, { completedKept: 0 });
  const kept = rig.enqueue({ shape: { ...SHAPE, queue: 'rare' }, payload: PAYLOAD });
  const ids = fill(rig);
  leave(rig, 0);
  const { bytes } = rig.engine.storage();
  for (let done = 0; done < ids.length * 0.8; ) {
    const jobs = rig.claim({ limit: 50 });
    rig.ack(...jobs);
    done += jobs.length;
    rig.advance(20);
  }
  for (let turn = 0; turn < 200; turn++) rig.advance(20);
  expect(rig.fatal).toEqual([]);
  const after = rig.engine.storage();
  expect(after.compaction).toMatchObject({ running: false });
  expect(after.compaction!.movedJobs).toBeGreaterThan(0);
  expect(after.bytes).toBeLessThan(bytes / 2);
  rig.advance(10_000);
  expect(rig.engine.full).toBeUndefined();
  rig.enqueue({ payload: PAYLOAD });
  rig.reopen('crashed');
  expect(rig.state(kept[0]!)).toBe('ready');
});

it('waits with compaction until there is room for what must be written first', () => {
  const rig = rigOn(700 * KIB, { completedKept: 0 });
  const ids = fill(rig);
  // The jobs of the second half end, so the oldest segment is full of live ones.
  rig.act('remove', rig.ids(...ids.slice(ids.length * 0.3)));
  leave(rig, 0);
  rig.claim({ limit: 1 });
  rig.advance(1000);
  const stopped = rig.engine.storage().compaction!.stoppedBy;
  expect(stopped?.problem).toContain('written again');
  leave(rig, 200 * KIB);
  for (let turn = 0; turn < 600; turn++) rig.advance(20);
  expect(rig.engine.storage().compaction).toMatchObject({ running: false });
  expect(rig.engine.storage().compaction!.freedBytes).toBeGreaterThan(200 * KIB);
  expect(rig.fatal).toEqual([]);
});

it('opens on a full disk with what is left of the reserve', () => {
  const rig = rigOn(1024 * KIB);
  const ids = rig.enqueue({ payload: PAYLOAD }, { payload: PAYLOAD });
  leave(rig, 0);
  rig.reopen('killed');
  expect(ids.map((id) => rig.state(id))).toEqual(['ready', 'ready']);
  expect(rig.engine.full).toBeDefined();
  expect(rig.ack(...rig.claim())).toEqual(['ok', 'ok']);
  rig.close();
  leave(rig, 2 * RESERVE);
  rig.reopen('killed');
  rig.advance(100);
  expect(rig.engine.storage().diskReserve).toEqual({ bytes: RESERVE, heldBytes: RESERVE });
});

it('fails as after any failed write where no reserve is left, and goes on from the log', () => {
  const rig = rigOn(1024 * KIB, { reserveBytes: RESERVE });
  const [id] = rig.enqueue({ payload: PAYLOAD });
  leave(rig, 0);
  for (let turn = 0; turn < 2000 && rig.fatal.length === 0; turn++) {
    const { answer } = rig.startClaim({ limit: 1 });
    rig.settle();
    for (const { id, token } of answer.value ?? []) rig.engine.release([{ id, token }], () => {});
  }
  expect(rig.fatal).toMatchObject([{ code: 'STORE_FAILED', outcome: 'unknown' }]);
  rig.disk.capacityBytes = 2048 * KIB;
  rig.reopen('killed');
  expect(rig.state(id!)).toBe('scheduled');
});

it('poisons the store when a sync finds no space', () => {
  const rig = rigOn(1024 * KIB);
  rig.startEnqueue({ payload: PAYLOAD });
  // The frame, the room ahead, the sync.
  rig.files.plan = { atStep: rig.files.steps + 2, fault: 'ENOSPC' };
  rig.settle();
  expect(rig.fatal).toMatchObject([{ code: 'STORE_FAILED' }]);
});
