import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';
import { parseToken } from '../identity.js';
import { EXPIRE_SLICE_LEASES } from './expiries.js';

describe('leases', () => {
  it('expire by a timer with no claim around, and are told with worker and lateness', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    rig.claim({ leaseMs: 1000, worker: 'w9' });
    rig.advance(999);
    expect(rig.state(id!)).toBe('leased');
    rig.clock.stall(41);
    rig.advance(0);
    expect(rig.job(id!)).toMatchObject({ state: 'scheduled', lastError: { class: 'LeaseExpired' } });
    expect(rig.job(id!)!.lastError!.message).toMatch(/w9.* 1000 ms .* 40 ms after/);
    const [expiry] = rig.engine.leaseExpiries();
    expect(expiry).toMatchObject({ id: rig.text(id!), worker: 'w9', attempt: 1, lateMs: 40 });
    expect(expiry?.then).toBe('scheduled');
    expect(rig.engine.metrics().totals).toMatchObject({ leaseExpiries: 1, failed: 1 });
  });

  it('stand while nobody answers for the application, which is asked once a second', () => {
    const rig = new EngineRig({ alive: false });
    const [id] = rig.enqueue({});
    const [job] = rig.claim({ leaseMs: 1000 });
    rig.advance(1000);
    expect(rig.leasesDue).toBe(1);
    rig.advance(5500);
    expect(rig.leasesDue).toBe(6);
    expect(rig.extend({ ...job!, leaseMs: 4000 })).toEqual(['ok']);
    rig.engine.expireLeases();
    rig.settle();
    expect(rig.state(id!)).toBe('leased');
    rig.advance(3999);
    expect(rig.leasesDue).toBe(6);
    rig.advance(1);
    expect(rig.leasesDue).toBe(7);
  });

  it('stand where they ran out after the question: their extension may lie behind its answer', () => {
    const rig = new EngineRig({ alive: false });
    const [first, second, third] = rig.enqueue({}, {}, {});
    rig.claim({ limit: 1, leaseMs: 1000 });
    const held = rig.claim({ limit: 2, leaseMs: 2500 });
    rig.advance(1000);
    rig.clock.stall(1700);
    rig.engine.expireLeases();
    expect(rig.extend({ ...held[0]!, leaseMs: 1000 })).toEqual(['ok']);
    rig.settle();
    expect([first, second, third].map((id) => rig.state(id!))).toEqual(['scheduled', 'leased', 'leased']);
    rig.advance(0);
    rig.engine.expireLeases();
    rig.settle();
    expect([first, second, third].map((id) => rig.state(id!))).toEqual(['scheduled', 'leased', 'scheduled']);
  });

  it('end some at a time where very many are over, and an extension that comes meanwhile still counts', () => {
    const rig = new EngineRig({ alive: false });
    const count = 2 * EXPIRE_SLICE_LEASES + 10;
    rig.enqueue(...Array.from({ length: count }, () => ({})));
    const held = [0, 1].flatMap(() => rig.claim({ limit: count / 2, leaseMs: 1000 }));
    rig.advance(1000);
    rig.engine.expireLeases();
    const leased = () => rig.engine.queues()[0]!.counts.leased;
    expect(leased()).toBe(count - EXPIRE_SLICE_LEASES);
    expect(rig.extend({ ...held.at(-1)!, leaseMs: 4000 })).toEqual(['ok']);
    for (let turn = 0; turn < 10 && leased() > 1; turn++) rig.advance(0);
    expect(rig.engine.leases(10)).toMatchObject([{ id: rig.text(held.at(-1)!.id) }]);
    expect(rig.engine.metrics().totals.leaseExpiries).toBe(count - 1);
    expect(rig.leasesDue).toBe(1);
    rig.advance(4000);
    expect(rig.leasesDue).toBe(2);
  });

  it('last as long as their last extension says, whatever the wall clock does', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    const [job] = rig.claim({ leaseMs: 1000 });
    rig.clock.setWall(86_400_000);
    rig.advance(600);
    rig.extend({ ...job!, leaseMs: 1000 });
    rig.advance(900);
    expect(rig.engine.leases(10)).toMatchObject([
      { id: rig.text(id!), extensions: 1, remainingMs: 100, leaseMs: 1000 },
    ]);
    expect(parseToken(rig.engine.leases(1)[0]!.token)).toBe(job!.token);
    rig.advance(100);
    expect(rig.engine.leases(10)).toEqual([]);
  });

  it('end with the process, are counted, and lead to dead after the last attempt', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ shape: { ...SHAPE, maxAttempts: 3 } });
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [job] = rig.claim();
      expect(job).toMatchObject({ id, attempt });
      rig.reopen('killed');
      const { leasesEnded, kind } = rig.engine.storage().recovery;
      expect(kind).toBe('unclean');
      expect(leasesEnded).toEqual(attempt === 3 ? { retried: 0, dead: 1 } : { retried: 1, dead: 0 });
      const { segments, durableSeq } = rig.engine.storage();
      expect(segments.at(-1)!.lastSeq).toBe(durableSeq);
      expect(rig.ack(job!)).toEqual(['stale']);
      rig.advance(1000);
    }
    expect(rig.job(id!)).toMatchObject({ state: 'dead', attempts: 3, lastError: { class: 'ProcessEnded' } });
    expect(rig.claim()).toEqual([]);
    rig.reopen('crashed');
    expect(rig.state(id!)).toBe('dead');
  });
});
