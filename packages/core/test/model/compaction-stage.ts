import type { JobDetail } from '@holdfast/contract';
import { parseId } from '../../src/identity.js';
import { EngineRig, type RigOptions, SHAPE } from './engine-rig.js';

export const YEAR_MS = 365 * 86_400_000;
const RESULT = `{"sum":${'7'.repeat(90)}}`;
const ERROR = { class: 'RangeError', message: 'the parcel has no address', stack: 'at sort (parcels.js:12)' };

/**
 * A store in which jobs of every state lie in segments full of what is over. No timer has run yet, so compaction has not begun:
 * `compact` lets it.
 */
export function stage(options: RigOptions = {}): EngineRig {
  const rig = new EngineRig({ segmentBytes: 2000, compactionStepJobs: 2, completedKept: 3, ...options });
  const twice = { ...SHAPE, maxAttempts: 2 };
  rig.enqueue({ payload: '"next year"', delayMs: YEAR_MS }, { payload: new Uint8Array([1, 2, 3]) });
  rig.enqueue({ shape: twice, payload: '"dies"' }, { payload: '"released"' }, { payload: '"redriven"' });
  rig.enqueue({ payload: '"completed"' }, { shape: { ...SHAPE, queue: 'idle', priority: 7 }, payload: '"ready"' });
  const [bytes, dies, released, redriven, completed] = rig.claim();
  rig.fail(dies!, 'backoff', ERROR);
  rig.fail(redriven!, 'dead', ERROR);
  rig.act('redrive', { ids: [rig.text(redriven!.id)] }, { actor: 'olga', reason: 'address found' });
  rig.release({ ...released!, delayMs: 500 });
  rig.ack({ ...completed!, result: RESULT });
  rig.fail(bytes!, { retryInMs: 700 }, ERROR);
  rig.clock.stall(1000);
  const again = rig.claim();
  rig.fail(again.find(({ id }) => id === dies!.id)!, 'dead', ERROR);
  for (let round = 0; round < 16; round++) {
    rig.enqueue(...Array.from({ length: 6 }, () => ({ shape: { ...SHAPE, queue: 'noise' }, payload: '"noise"' })));
    rig.ack(...rig.claim({ queues: ['noise'] }));
  }
  rig.pause('noise');
  const spare = { ...SHAPE, queue: 'acts' };
  rig.enqueue({ shape: spare, payload: '"may expire"', delayMs: YEAR_MS / 2, expiresInMs: YEAR_MS });
  const acted = rig.enqueue(
    ...Array.from({ length: 6 }, () => ({ shape: spare, payload: '"acted"', delayMs: YEAR_MS })),
  );
  const ids = (...places: number[]) => ({ ids: places.map((place) => rig.text(acted[place]!)) });
  rig.act('cancel', ids(0, 1), { actor: 'olga', reason: 'no longer wanted' });
  rig.act('runNow', ids(2));
  rig.act({ kind: 'reprioritise', priority: 3 }, ids(2, 3));
  rig.act('remove', ids(4));
  rig.act({ kind: 'transfer', queue: 'elsewhere' }, ids(5), { actor: 'olga', reason: 'too many here' });
  // So much that compaction has to move everything above.
  for (let round = 0; round < 8; round++) {
    rig.enqueue({ shape: { ...SHAPE, queue: 'late' }, payload: `"${'late'.repeat(80)}"` });
    rig.ack(...rig.claim({ queues: ['late'] }));
  }
  // Its sync makes everything before it durable: whatever a power cut takes from now on is compaction's.
  rig.enqueue({ payload: '"last"' });
  return rig;
}

/** Time passes until compaction has nothing more to do. The leases of the stage are longer. */
export function compact(rig: EngineRig): void {
  for (let turn = 0; turn < 400 && rig.fatal.length === 0; turn++) rig.advance(2);
}

/** Everything that is known of all jobs, but for where they lie. `leases`: as an open leaves it. */
export function allJobs(rig: EngineRig): unknown[] {
  const rows: unknown[] = rig.engine
    .queues()
    .map(({ name, counts, retrying, paused }) => ({ name, counts, retrying, paused }));
  let cursor: string | undefined;
  do {
    const page = rig.engine.browse({}, cursor === undefined ? { limit: 200 } : { limit: 200, cursor });
    for (const { id } of page.rows) rows.push(canonical(rig.engine.job(id)!));
    cursor = page.next;
  } while (cursor !== undefined);
  return rows;
}

/** The time at which an open ends a lease is its own: it is left out. */
function canonical({ record: _, updatedAtMs, runAtMs, lease, ...job }: JobDetail): unknown {
  const last = job.attemptLog.at(-1);
  const endedByOpen = last?.outcome === 'processEnded';
  const attemptLog = job.attemptLog.map(({ endedAtMs, ...attempt }) =>
    attempt.outcome === 'processEnded' ? attempt : { ...attempt, endedAtMs },
  );
  const times = endedByOpen ? {} : { updatedAtMs, runAtMs };
  return { ...job, ...times, attemptLog, ...(lease === undefined ? {} : { token: lease.token, worker: lease.worker }) };
}

export function idsOf(rig: EngineRig): number[] {
  const { rows } = rig.engine.browse({}, { limit: 200 });
  return rows.map(({ id }) => parseId(rig.engine.storeTag, id) ?? 0);
}
