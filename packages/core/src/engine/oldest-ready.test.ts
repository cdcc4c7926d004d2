import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';

const step = fc.record({
  act: fc.constantFrom(
    'enqueue',
    'enqueue',
    'claim',
    'advance',
    'setBack',
    'reprioritise',
    'transfer',
    'runNow',
    'cancel',
    'reopen',
  ),
  amount: fc.nat({ max: 3000 }),
  priority: fc.nat({ max: 2 }),
  name: fc.constantFrom('a', 'b'),
});

describe('oldestReadyAtMs', () => {
  it('is the time of the ready job that could start first, whatever happened to it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean(), (steps, onePriority) => {
        const rig = new EngineRig();
        const ids: number[] = [];
        for (const { act, amount, name, priority } of steps) {
          const id = ids[amount % Math.max(1, ids.length)];
          if (act === 'enqueue') {
            const shape = { ...SHAPE, name, priority: onePriority ? 0 : priority, maxAttempts: null };
            ids.push(...rig.enqueue({ shape, delayMs: amount < 1000 ? amount : 0 }));
          } else if (act === 'claim') {
            const [first, second] = rig.claim({ limit: 2 });
            if (first !== undefined) rig.fail(first, { retryInMs: amount });
            if (second !== undefined) rig.release(second);
          } else if (act === 'advance') rig.advance(amount);
          else if (act === 'setBack') rig.clock.setWall(-amount);
          else if (act === 'reopen') rig.reopen();
          else if (id === undefined) continue;
          else if (act === 'transfer') {
            rig.act({ kind: act, queue: priority === 0 ? SHAPE.queue : 'other' }, rig.ids(id));
          } else rig.act(act === 'reprioritise' ? { kind: act, priority } : act, rig.ids(id));
          for (const { name: queue, oldestReadyAtMs } of rig.engine.queues()) {
            const ready = rig.engine
              .browse({ state: 'ready', queue }, { limit: 200 })
              .rows.map(({ runAtMs }) => runAtMs);
            expect(oldestReadyAtMs).toBe(ready.length === 0 ? undefined : Math.min(...ready));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
