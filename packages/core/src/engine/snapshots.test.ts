import { SnapshotFailedError, type SnapshotReport } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { type Answer, answered, EngineRig, newAnswer, noteIn } from '../../test/model/engine-rig.js';
import { keeping } from '../../test/model/keeping.js';
import { SimFileSystem } from '../../test/sim/sim-file-system.js';
import { inColumns } from './engine-jobs.js';
import { LogEngine } from './log-engine.js';

const TARGET = '/backup';
const PIECE_BYTES = 1024 * 1024;

function start(rig: EngineRig, target = TARGET): Answer<SnapshotReport> {
  const answer = newAnswer<SnapshotReport>();
  rig.engine.snapshot(target, noteIn(answer));
  return answer;
}

function snapshot(rig: EngineRig, target = TARGET): Answer<SnapshotReport> {
  const answer = start(rig, target);
  for (let turn = 0; turn < 100 && answer.called === 0; turn++) {
    rig.settle();
    rig.advance(1);
  }
  return answer;
}

/** The store that the backup opens as; it knows the jobs of `ids`. */
function open(rig: EngineRig): LogEngine {
  return LogEngine.open({
    log: { directory: TARGET, segmentBytes: 1024 * 1024 },
    fileSystem: new SimFileSystem(rig.disk, rig.random),
    clock: rig.clock,
    random: rig.random,
    retention: keeping(1000),
    onFatal: (error) => {
      throw error;
    },
    onLeasesDue: () => {},
  });
}

function known(engine: LogEngine, rig: EngineRig, ids: readonly number[]): number[] {
  return ids.filter((id) => engine.job(rig.text(id)) !== undefined);
}

describe.each([true, false])('a snapshot of a store (links: %s)', (canLink) => {
  function rigOf(): EngineRig {
    const rig = new EngineRig({ segmentBytes: 2000 });
    rig.files.canLink = canLink;
    return rig;
  }

  it('holds all that was answered before, and opens apart from the store', () => {
    const rig = rigOf();
    const ids = rig.enqueue(...Array.from({ length: 30 }, () => ({})));
    rig.ack(rig.claim({ limit: 1 })[0]!);
    const report = answered(snapshot(rig));
    expect(report.segments).toBeGreaterThan(1);
    expect(report.linkedBytes).toBe(canLink ? report.bytes : 0);
    const [held] = rig.claim({ limit: 1 });
    const [later] = rig.enqueue({});
    const copy = open(rig);
    expect(known(copy, rig, ids)).toEqual(ids);
    expect(copy.job(rig.text(ids[0]!))?.state).toBe('completed');
    expect(copy.job(rig.text(later!))).toBeUndefined();
    // Neither ids nor tokens of the store are given out by the copy.
    const enqueued = newAnswer<{ firstId: number }>();
    const shape = { queue: 'mail', name: 'send', priority: 0, maxAttempts: 5 };
    const backoff = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } as const;
    copy.enqueue(inColumns([{ shape: { ...shape, backoff }, payload: '' }]), noteIn(enqueued));
    const request = { queues: ['mail'], limit: 1, leaseMs: 1000, waitMs: 0, worker: 'w' };
    const claimed = newAnswer<readonly { token: number }[]>();
    copy.claim(request, noteIn(claimed));
    copy.endTurn();
    expect(answered(claimed)[0]!.token).toBeGreaterThan(held!.token + 999 * 2 ** 32);
    rig.settle();
    expect(rig.ack(held!)).toEqual(['ok']);
  });

  it('is not disturbed by jobs that come and segments that go meanwhile', () => {
    const rig = rigOf();
    const ids = rig.enqueue(...Array.from({ length: 20 }, () => ({})));
    const answer = start(rig);
    for (let round = 0; answer.called === 0; round++) {
      expect(round).toBeLessThan(200);
      rig.enqueue({}, {}, {});
      rig.ack(...rig.claim({ limit: 4 }));
      rig.advance(1);
    }
    answered(answer);
    expect(known(open(rig), rig, ids)).toEqual(ids);
    for (let round = 0; round < 100; round++) {
      rig.ack(...rig.claim());
      rig.enqueue({});
      rig.advance(20);
    }
    expect(rig.engine.storage().compaction!.freedBytes).toBeGreaterThan(0);
  });

  it('opens whole or not at all, wherever it is cut off', () => {
    let whole = 0;
    let steps = 0;
    for (let step = 0; steps === 0; step++) {
      const rig = new EngineRig({ segmentBytes: 2000, seed: step + 1 });
      const ids = rig.enqueue(...Array.from({ length: 20 }, () => ({})));
      rig.advance(200);
      rig.files.canLink = canLink;
      const first = rig.files.steps;
      rig.files.plan = { atStep: first + step, fault: 'end' };
      try {
        snapshot(rig);
      } catch {
        expect(rig.files.ended).toBe(true);
      }
      if (!rig.files.ended) steps = step;
      rig.disk.crash(rig.random);
      const names = [...(rig.disk.directories.get(TARGET)?.current.keys() ?? [])];
      if (!names.some((name) => name.endsWith('.segment'))) continue;
      let copy: LogEngine | undefined;
      try {
        copy = open(rig);
      } catch (error) {
        expect(error).toMatchObject({ code: 'LOG_CORRUPT' });
        continue;
      }
      whole++;
      expect(known(copy, rig, ids)).toEqual(ids);
    }
    expect(whole).toBeGreaterThan(0);
    expect(steps).toBeGreaterThan(5);
  });

  it.each(['EIO', 'ENOSPC'] as const)('that fails (%s) leaves nothing behind, and the store goes on', (fault) => {
    const rig = rigOf();
    const [id] = rig.enqueue({});
    const sealing = snapshotSteps(canLink);
    rig.files.plan = { atStep: rig.files.steps + sealing, fault };
    const { error } = snapshot(rig);
    expect(error).toBeInstanceOf(SnapshotFailedError);
    expect(rig.disk.directory(TARGET).current.size).toBe(0);
    expect(rig.fatal).toEqual([]);
    expect(rig.state(id!)).toBe('ready');
    answered(snapshot(rig));
  });

  /** Steps on the disk before the copy begins to be made, with one more. */
  function snapshotSteps(links: boolean): number {
    const rig = rigOf();
    rig.files.canLink = links;
    rig.enqueue({});
    const first = rig.files.steps;
    const start = newAnswer<SnapshotReport>();
    rig.engine.snapshot(TARGET, noteIn(start));
    for (let turn = 0; rig.disk.directories.get(TARGET) === undefined; turn++) {
      expect(turn).toBeLessThan(100);
      rig.settle();
      if (rig.disk.directories.get(TARGET) === undefined) rig.advance(1);
    }
    return Math.max(0, rig.files.steps - first - 1);
  }
});

describe('a snapshot', () => {
  it('is refused where something is, and in the store itself', () => {
    const rig = new EngineRig();
    answered(snapshot(rig));
    expect(snapshot(rig).error).toMatchObject({ code: 'SNAPSHOT_FAILED', target: TARGET });
    expect(snapshot(rig, '/store/backup').error?.message).toContain('lies in the directory of the store');
  });

  it('that is a copy makes it durable a piece at a time, so that nobody waits for the disk to take a whole segment', () => {
    const rig = new EngineRig({ segmentBytes: 8 * PIECE_BYTES });
    rig.files.canLink = false;
    for (let call = 0; call < 5; call++) rig.enqueue({ payload: 'p'.repeat(PIECE_BYTES) });
    let unsynced = 0;
    let most = 0;
    rig.files.wrote = (bytes) => {
      unsynced += bytes;
    };
    rig.files.watch = (kind) => {
      if (kind !== 'sync') return;
      most = Math.max(most, unsynced);
      unsynced = 0;
    };
    expect(answered(snapshot(rig)).bytes).toBeGreaterThan(5 * PIECE_BYTES);
    expect(most).toBeLessThan(1.1 * PIECE_BYTES);
  });

  it('is given up when the store closes', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const answer = start(rig);
    rig.close();
    expect(answer.error?.code).toBe('STORE_CLOSED');
  });
});
