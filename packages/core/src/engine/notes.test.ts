import { StoreFullError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig } from '../../test/model/engine-rig.js';

const NOTHING = { progress: undefined, lines: [], droppedLines: 0 };

function lines(...texts: string[]) {
  return { ...NOTHING, lines: texts.map((text, atMs) => ({ atMs, text })) };
}

function leased(rig: EngineRig) {
  rig.enqueue({});
  const [job] = rig.claim();
  return { id: job!.id, token: job!.token };
}

describe('notes', () => {
  it('cost a job that has none nothing, and go with their lease', () => {
    const rig = new EngineRig();
    const one = leased(rig);
    const other = leased(rig);
    rig.note({ ...one, note: { ...NOTHING, progress: '0.5' } });
    expect(rig.engine.leases(10).map(({ progress }) => progress)).toEqual(['0.5', undefined]);
    rig.ack(one);
    const third = leased(rig);
    expect(rig.engine.leases(10).map(({ progress }) => progress)).toEqual([undefined, undefined]);
    expect(rig.job(third.id)?.attemptLog).toEqual([expect.not.objectContaining({ progress: '0.5' })]);
    expect(rig.job(other.id)?.progress).toBeUndefined();
  });

  it('are one step on the way back through the history, however many there are', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const [first] = rig.claim();
    rig.fail(first!, { retryInMs: 0 }, { class: 'Error', message: 'the first' });
    rig.advance(1);
    const [second] = rig.claim();
    for (let step = 0; step < 2000; step++) rig.note({ ...second!, note: { ...NOTHING, progress: String(step) } });
    rig.release(second!);
    const { attemptLog, attempts } = rig.job(first!.id)!;
    expect(attempts).toBe(1);
    expect(attemptLog.map(({ outcome, progress }) => [outcome, progress])).toEqual([
      ['failed', undefined],
      ['released', '1999'],
    ]);
    expect(rig.engine.browse({}, { limit: 1 }).rows[0]?.attempts).toBe(1);
  });

  it('show the last error of a job whose later attempt told very much', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const [first] = rig.claim();
    rig.fail(first!, { retryInMs: 0 }, { class: 'Error', message: 'the first' });
    rig.advance(1);
    const [second] = rig.claim();
    for (let step = 0; step < 50; step++) rig.note({ ...second!, note: lines(`line ${step}`) });
    rig.release({ ...second!, delayMs: 1000 });
    expect(rig.engine.browse({}, { limit: 1 }).rows[0]?.lastError?.message).toBe('the first');
  });

  it('of a job that is moved while it runs go on where they were', () => {
    const rig = new EngineRig({ segmentBytes: 300, compactionStepJobs: 1 });
    const ref = leased(rig);
    for (let step = 0; step < 30; step++) {
      rig.note({ ...ref, note: { ...lines(`line ${step}`), progress: String(step), droppedLines: 1 } });
      rig.enqueue({ payload: 'x'.repeat(200) });
      rig.ack(...rig.claim());
      rig.advance(1000);
      rig.extend({ ...ref, leaseMs: 30_000 });
    }
    expect(rig.engine.storage().compaction?.movedJobs).toBeGreaterThan(10);
    const shown = () => rig.job(ref.id)?.attemptLog[0];
    const wanted = { progress: '29', droppedLines: 30, lines: Array.from({ length: 30 }, (_, step) => `line ${step}`) };
    const whole = (attempt = shown()) => ({ ...attempt, lines: attempt?.lines?.map(({ text }) => text) });
    expect(whole()).toMatchObject(wanted);
    rig.reopen('killed');
    expect(whole()).toMatchObject({ ...wanted, outcome: 'processEnded' });
  });

  it('are refused while the disk has no room, and the lease lives on', () => {
    const rig = new EngineRig({ reserveBytes: 64 * 1024 });
    rig.disk.capacityBytes = 1024 * 1024;
    rig.advance(100);
    const ref = leased(rig);
    rig.disk.capacityBytes -= rig.disk.freeBytes!;
    rig.advance(2000);
    expect(() => rig.note({ ...ref, note: lines('no room') })).toThrow(StoreFullError);
    expect(rig.ack(ref)).toEqual(['ok']);
    expect(rig.job(ref.id)?.attemptLog[0]?.lines).toBeUndefined();
  });
});
