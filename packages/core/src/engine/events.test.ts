import type { EventsPage } from '@holdfast/contract/rules';
import { describe, expect, it } from 'vitest';
import { answered, EngineRig, newAnswer, noteIn } from '../../test/model/engine-rig.js';
import type { EngineEvents } from './engine-calls.js';

function pull(rig: EngineRig, request: Partial<EngineEvents> = {}) {
  const answer = newAnswer<EventsPage>();
  const pending = rig.engine.events({ waitMs: 10_000, ...request }, noteIn(answer));
  rig.settle();
  return { answer, pending };
}

/** The place of now. */
function cursor(rig: EngineRig): string {
  return answered(pull(rig, { waitMs: 0 }).answer).cursor;
}

describe('events of an engine', () => {
  it('come many with one answer', () => {
    const rig = new EngineRig();
    const after = cursor(rig);
    rig.enqueue({}, {}, {});
    rig.ack(...rig.claim());
    rig.advance(100);
    const { answer } = pull(rig, { after });
    expect(answered(answer).events.map(({ kind }) => kind)).toEqual([
      'enqueued',
      'completed',
      'completed',
      'completed',
    ]);
  });

  it('wait for the first one, and end without one in their time', () => {
    const rig = new EngineRig();
    const { answer } = pull(rig);
    rig.advance(1000);
    expect(answer.called).toBe(0);
    rig.pause('mail');
    rig.advance(20);
    expect(answered(answer).events).toMatchObject([{ kind: 'paused', queue: 'mail', actor: 'olga' }]);
    const later = pull(rig, { after: answered(answer).cursor, waitMs: 500 });
    rig.advance(499);
    expect(later.answer.called).toBe(0);
    rig.advance(1);
    expect(answered(later.answer).events).toEqual([]);
  });

  it('are remembered for a minute for who comes back, and not for ever', () => {
    const rig = new EngineRig();
    const after = cursor(rig);
    rig.advance(59_000);
    rig.pause('mail');
    const soon = answered(pull(rig, { after }).answer);
    expect(soon.events.map(({ kind }) => kind)).toEqual(['paused']);
    rig.advance(61_000);
    rig.resume('mail');
    rig.pause('mail');
    const late = answered(pull(rig, { after: soon.cursor }).answer);
    expect(late.events.map(({ kind }) => kind)).toEqual(['gap']);
  });

  it('of another run of the store are a gap', () => {
    const rig = new EngineRig();
    const after = cursor(rig);
    rig.reopen('killed');
    const { answer } = pull(rig, { after });
    expect(answered(answer).events.map(({ kind }) => kind)).toEqual(['gap']);
    expect(answered(answer).cursor > after).toBe(true);
  });

  it('do not keep a store from closing', () => {
    const rig = new EngineRig();
    const { answer } = pull(rig);
    rig.close();
    expect(answered(answer).events).toEqual([]);
  });

  it('are none where a pull is cancelled, which is answered at once: its call would be kept for ever', () => {
    const rig = new EngineRig();
    const { answer, pending } = pull(rig);
    pending.cancel();
    rig.engine.endTurn();
    expect(answered(answer).events).toEqual([]);
  });
});
