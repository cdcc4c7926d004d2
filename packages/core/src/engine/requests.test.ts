import { RequestMismatchError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { type Answer, EngineRig, newAnswer, noteIn, SHAPE } from '../../test/model/engine-rig.js';
import type { EnqueueAnswer } from './engine-calls.js';
import { inColumns } from './engine-jobs.js';

const FINGERPRINT = 'ab'.repeat(16);

function start(rig: EngineRig, id: string, payload = '{}', fingerprint = FINGERPRINT): Answer<EnqueueAnswer> {
  const answer = newAnswer<EnqueueAnswer>();
  rig.engine.enqueue(inColumns([{ shape: SHAPE, payload }]), noteIn(answer), { id, fingerprint });
  return answer;
}

describe('a repeated request', () => {
  it('is answered when the first one is durable, and not before', () => {
    const rig = new EngineRig();
    const first = start(rig, 'one');
    rig.engine.endTurn();
    const second = start(rig, 'one');
    rig.engine.endTurn();
    expect([first.called, second.called]).toEqual([0, 0]);
    rig.files.finishSyncs();
    expect([first.value?.firstId, second.value?.firstId]).toEqual([1, 1]);
    const third = start(rig, 'one');
    rig.settle();
    expect(third.value).toEqual(first.value);
    expect(rig.claim()).toHaveLength(1);
  });

  it('is a new one where the machine did not keep the first', () => {
    const rig = new EngineRig({ seed: 3 });
    start(rig, 'one');
    rig.engine.endTurn();
    rig.reopen('crashed');
    const again = start(rig, 'one');
    rig.settle();
    expect(again.called).toBe(1);
    expect(rig.claim()).toHaveLength(1);
  });

  it('is refused with other jobs, also while the first is on its way', () => {
    const rig = new EngineRig();
    start(rig, 'one');
    const other = start(rig, 'one', '{}', 'cd'.repeat(16));
    rig.settle();
    expect(other.error).toBeInstanceOf(RequestMismatchError);
    expect(rig.fatal).toEqual([]);
    expect(rig.claim()).toHaveLength(1);
  });

  it('waits behind what waits for the disk', () => {
    const rig = new EngineRig({ segmentBytes: 256 * 1024 * 1024 });
    const payload = 'x'.repeat(1024 * 1024);
    for (let call = 0; call < 3; call++) rig.startEnqueue(...Array.from({ length: 12 }, () => ({ payload })));
    const first = start(rig, 'one');
    const second = start(rig, 'one');
    rig.engine.endTurn();
    for (let sync = 0; sync < 4; sync++) rig.files.finishSyncs();
    expect(first.value).toMatchObject({ firstId: 37 });
    expect(second.value).toEqual(first.value);
  });

  it('is known when every segment that knew it was retired', () => {
    const rig = new EngineRig({ segmentBytes: 64 * 1024, completedKept: 0 });
    const firsts = Array.from({ length: 1200 }, (_, index) => start(rig, `request ${index}`));
    rig.settle();
    rig.ack(...rig.claim({ limit: 1000 }));
    rig.ack(...rig.claim({ limit: 1000 }));
    const before = rig.engine.storage().segments[0]!.file;
    for (let round = 0; round < 60; round++) {
      rig.enqueue({ payload: 'x'.repeat(20_000) });
      rig.ack(...rig.claim());
      rig.advance(1000);
    }
    const { segments } = rig.engine.storage();
    expect(segments.map(({ file }) => file)).not.toContain(before);
    for (const how of ['killed', 'crashed'] as const) {
      rig.reopen(how);
      const again = firsts.map((_, index) => start(rig, `request ${index}`));
      rig.settle();
      expect(again.map(({ value }) => value)).toEqual(firsts.map(({ value }) => value));
      expect(rig.claim()).toEqual([]);
    }
  });
});
