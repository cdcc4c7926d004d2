import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.js';

describe('VirtualClock', () => {
  it('stands still until it is advanced', async () => {
    const clock = new VirtualClock({ wallMs: 5000 });
    expect([clock.now(), clock.monotonicMs()]).toEqual([5000, 0]);
    await clock.advance(1.5);
    expect([clock.now(), clock.monotonicMs()]).toEqual([5001, 1.5]);
  });

  it('calls timers in order of their time, and those of one time in the order in which they were set', async () => {
    const clock = new VirtualClock();
    const calls: string[] = [];
    for (const [name, ms] of [['c', 20] as const, ['a', 10] as const, ['d', 20] as const, ['b', 10] as const]) {
      clock.setTimer(ms, () => calls.push(`${name} at ${clock.monotonicMs()}`));
    }
    clock.setTimer(31, () => calls.push('too late'));
    await clock.advance(30);
    expect(calls).toEqual(['a at 10', 'b at 10', 'c at 20', 'd at 20']);
    expect([clock.timers, clock.nextTimerMs]).toEqual([1, 1]);
  });

  it('calls timers that were set on the way, once promises have gone as far as they can', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const again = async (): Promise<void> => {
      await Promise.resolve();
      times.push(clock.monotonicMs());
      clock.setTimer(10, again);
    };
    clock.setTimer(10, again);
    await clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
    expect(clock.monotonicMs()).toBe(35);
  });

  it('lets no promise go on when it is advanced within a step', () => {
    const clock = new VirtualClock();
    let went = false;
    clock.setTimer(1, () => void Promise.resolve().then(() => (went = true)));
    clock.advanceNow(2);
    expect([went, clock.monotonicMs(), clock.timers]).toEqual([false, 2, 0]);
  });

  it('calls what came due while it was stalled late, and never goes back', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    clock.setTimer(10, () => times.push(clock.monotonicMs()));
    clock.stall(100);
    expect(times).toEqual([]);
    await clock.advance(0);
    expect(times).toEqual([100]);
  });

  it('moves the wall clock alone when somebody sets it', () => {
    const clock = new VirtualClock({ wallMs: 5000 });
    clock.setWall(-1000);
    expect([clock.now(), clock.monotonicMs()]).toEqual([4000, 0]);
  });

  it('forgets timers that are cleared or dropped', async () => {
    const clock = new VirtualClock();
    let called = 0;
    clock.clearTimer(clock.setTimer(1, () => called++));
    clock.setTimer(1, () => called++);
    clock.dropTimers();
    await clock.advance(10);
    expect([called, clock.timers, clock.nextTimerMs]).toEqual([0, 0, Number.POSITIVE_INFINITY]);
  });
});
