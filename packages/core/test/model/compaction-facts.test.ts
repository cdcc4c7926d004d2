import { describe, expect, it } from 'vitest';
import type { EnqueueAnswer } from '../../src/engine/engine-calls.js';
import { inColumns } from '../../src/engine/engine-jobs.js';
import { answered, EngineRig, newAnswer, noteIn, type RigOptions, SHAPE } from './engine-rig.js';

const SEGMENT_BYTES = 64 * 1024;
const MANY = 3000;
const AT_ONCE = 100;
const FINGERPRINT = 'ab'.repeat(16);
const DAY_MS = 86_400_000;

/** What the store has to remember beside its jobs, and how it shows that it does. */
interface Facts {
  readonly options?: RigOptions;
  make(rig: EngineRig, names: readonly string[]): void;
  check(rig: EngineRig, names: readonly string[]): void;
}

const NAMES = Array.from({ length: MANY }, (_, index) => `${'n'.repeat(30)} ${index}`);

function inGroups(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / AT_ONCE);
  return Array.from({ length: count }, (_, group) => names.slice(group * AT_ONCE, (group + 1) * AT_ONCE));
}

function finish(rig: EngineRig, queues: readonly string[]): void {
  for (let jobs = rig.claim({ queues }); jobs.length > 0; jobs = rig.claim({ queues })) rig.ack(...jobs);
}

function request(rig: EngineRig, id: string): EnqueueAnswer {
  const answer = newAnswer<EnqueueAnswer>();
  rig.engine.enqueue(inColumns([{ shape: SHAPE, payload: '{}' }]), noteIn(answer), { id, fingerprint: FINGERPRINT });
  rig.settle();
  return answered(answer);
}

const REQUESTS: Facts = {
  make: (rig, names) => {
    for (const name of names) request(rig, name);
    finish(rig, ['mail']);
  },
  check: (rig, names) => {
    for (const [index, name] of names.entries()) expect(request(rig, name).firstId).toBe(index + 1);
  },
};

const KEYS: Facts = {
  make: (rig, names) => {
    for (const group of inGroups(names)) {
      rig.enqueue(...group.map((key) => ({ dedupe: { key, onConflict: 'keep', forMs: DAY_MS } as const })));
      finish(rig, ['mail']);
    }
  },
  check: (rig, names) => {
    for (const key of names) {
      const [answer] = rig.tryEnqueue({ dedupe: { key, onConflict: 'keep', forMs: 0 } });
      expect(answer).toMatchObject({ state: 'completed', outcome: 'duplicate' });
    }
  },
};

const FORGOTTEN: Facts = {
  options: { retention: { completed: { ageMs: 1000 } } },
  make: (rig, names) => {
    for (const queues of inGroups(names)) {
      rig.enqueue(...queues.map((queue) => ({ shape: { ...SHAPE, queue } })));
      finish(rig, queues);
    }
    pass(rig, 5000);
  },
  check: (rig) => {
    rig.options = { ...rig.options, retention: {} };
    rig.reopen('closed');
    const completed = rig.engine.queues().reduce((sum, { counts }) => sum + counts.completed, 0);
    expect(completed).toBe(0);
  },
};

const PAUSES: Facts = {
  make: (rig, names) => {
    for (const name of names) rig.pause(name, undefined, { actor: 'olga', reason: 'until the move is over' });
  },
  check: (rig, names) => {
    expect(rig.engine.queues().filter(({ paused }) => paused !== undefined)).toHaveLength(names.length);
  },
};

/** Jobs come and go until all segments of now are gone. */
function churn(rig: EngineRig): void {
  const last = rig.engine.storage().segments.at(-1)!.number;
  for (let round = 0; rig.engine.storage().segments[0]!.number <= last; round++) {
    expect(round).toBeLessThan(400);
    rig.enqueue({ shape: { ...SHAPE, queue: 'noise' }, payload: 'x'.repeat(20_000) });
    finish(rig, ['noise']);
    rig.advance(100);
  }
}

/** Time passes, and syncs end on the way. */
function pass(rig: EngineRig, ms: number): void {
  for (let passed = 0; passed < ms; passed += 50) rig.advance(50);
}

/** What nobody but the store itself writes in a time. */
function writtenIn(rig: EngineRig, ms: number): number {
  let written = 0;
  rig.files.wrote = (bytes) => {
    written += bytes;
  };
  pass(rig, ms);
  return written;
}

describe('facts beside the jobs', () => {
  it.each([
    ['requests', REQUESTS],
    ['keys', KEYS],
    ['forgotten jobs', FORGOTTEN],
    ['pauses', PAUSES],
  ])('comes to rest, and keeps them, where they are more than a segment holds: %s', { timeout: 60_000 }, (_, facts) => {
    const rig = new EngineRig({ segmentBytes: SEGMENT_BYTES, completedKept: 0, ...facts.options });
    facts.make(rig, NAMES);
    for (let round = 0; round < 2; round++) {
      pass(rig, 5000);
      expect(writtenIn(rig, 1000)).toBe(0);
      expect(rig.engine.storage().compaction!.running).toBe(false);
      churn(rig);
    }
    pass(rig, 5000);
    const { segments, bytes } = rig.engine.storage();
    const live = segments.reduce((sum, { liveBytes }) => sum + liveBytes!, 0);
    expect(live).toBeGreaterThan(SEGMENT_BYTES);
    expect(bytes).toBeLessThan(2 * live + 2 * SEGMENT_BYTES);
    rig.reopen('crashed');
    facts.check(rig, NAMES);
  });

  it('are not written again where there is no room for them', () => {
    const rig = new EngineRig({ segmentBytes: SEGMENT_BYTES, completedKept: 0 });
    let freeBytes = 1000;
    rig.files.freeBytes = () => freeBytes;
    REQUESTS.make(rig, NAMES.slice(0, 100));
    const first = rig.engine.storage().segments[0]!.number;
    for (let round = 0; round < 10; round++) {
      rig.enqueue({ payload: 'x'.repeat(20_000) });
      finish(rig, ['mail']);
      rig.advance(100);
    }
    const { segments, compaction } = rig.engine.storage();
    expect(segments[0]!.number).toBe(first);
    expect(compaction).toMatchObject({ running: false, stoppedBy: { problem: expect.stringContaining('1000 bytes') } });
    freeBytes = 1e9;
    pass(rig, 5000);
    churn(rig);
    expect(rig.engine.storage().segments[0]!.number).toBeGreaterThan(first);
  });
});
