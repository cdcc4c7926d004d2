import { inColumns } from '../../src/engine/engine-jobs.js';
import { allJobs, compact, stage, YEAR_MS } from '../model/compaction-stage.js';
import { answered, EngineRig, newAnswer, noteIn, SHAPE } from '../model/engine-rig.js';
import { SimInode } from '../sim/sim-inode.js';

const HOUR_MS = 3_600_000;
const ERROR = {
  class: 'RangeError',
  message: 'no such street',
  stack: 'RangeError: no such street\n    at find (a.js:1)',
};

/** So that whatever a later version keeps by default, the same jobs are there. */
export const GOLDEN_RETENTION = {
  completed: { count: 3, ageMs: 2 * HOUR_MS },
  cancelled: { count: 50, ageMs: null },
  dead: { count: 50, ageMs: null },
  queues: { brief: { completed: { count: 50, ageMs: HOUR_MS }, dead: { count: 50, ageMs: HOUR_MS } } },
} as const;

/** A call that is made again after the open. */
export const GOLDEN_REQUEST = { id: 'order-4711', fingerprint: '0123456789abcdef0123456789abcdef' } as const;

/** A life in which every kind of record is written, with as many of its forms as there are. It ends in the midst of its work. */
export function liveGolden(): EngineRig {
  const rig = stage({ retention: GOLDEN_RETENTION });
  remember(rig, GOLDEN_REQUEST);
  keepWindow(rig);
  for (let round = 0; round < 8; round++) {
    rig.enqueue({ shape: { ...SHAPE, queue: 'late' }, payload: `"${'late'.repeat(80)}"` });
    rig.ack(...rig.claim({ queues: ['late'] }));
  }
  compact(rig);
  // From here on no timer runs, so no compaction takes the records of what follows away.
  endAttempts(rig);
  passAges(rig);
  act(rig);
  dedupe(rig);
  remember(rig, { ...GOLDEN_REQUEST, id: 'order-4712' });
  rig.claim({ limit: 1, worker: 'ends with the process' });
  return rig;
}

/** What an open of a store shows, and when it was opened. */
export interface GoldenView {
  readonly wallMs: number;
  readonly jobs: readonly object[];
}

export function viewAfterOpen(rig: EngineRig): GoldenView {
  const wallMs = rig.clock.now();
  rig.reopen('killed');
  return { wallMs, jobs: JSON.parse(JSON.stringify(allJobs(rig))) as object[] };
}

/** Bytes by name. */
export function filesOf(rig: EngineRig): Map<string, Uint8Array> {
  const files = [...rig.disk.directory('/store').current].filter(([name]) => name.endsWith('.segment'));
  return new Map(files.map(([name, { current }]) => [name, Uint8Array.from(current)]));
}

/** A job that was completed and forgotten still takes its key. */
function keepWindow(rig: EngineRig): void {
  const windows = { ...SHAPE, queue: 'windows' };
  rig.enqueue({ shape: windows, dedupe: { key: 'report-1', onConflict: 'keep', forMs: YEAR_MS } });
  rig.ack(...rig.claim({ queues: ['windows'] }));
  rig.enqueue(...[1, 2, 3, 4].map(() => ({ shape: windows })));
  rig.ack(...rig.claim({ queues: ['windows'] }));
}

function endAttempts(rig: EngineRig): void {
  rig.enqueue(
    { payload: '"retried"', extras: { headers: { traceparent: '00-1-2-01', language: 'de' }, timeoutMs: 5000 } },
    { payload: new Uint8Array([0, 255, 128]) },
    { payload: '"dies"' },
    { payload: '"withdrawn"' },
    { payload: '"released"' },
  );
  const [retried, bytes, dies, withdrawn, released] = rig.claim({ worker: 'worker-2' }).slice(-5);
  const lines = [{ atMs: 1, text: 'half of it is there' }];
  rig.note({ ...retried!, note: { progress: '{"done":1}', lines, droppedLines: 0 } });
  rig.note({ ...retried!, note: { progress: '0.5', lines: [], droppedLines: 3 } });
  rig.fail(retried!, { retryInMs: YEAR_MS }, ERROR);
  rig.ack({ ...bytes!, result: new Uint8Array([1, 2, 3]) });
  rig.fail(dies!, 'dead', ERROR);
  rig.fail(withdrawn!, 'cancel', { class: 'CancelJob', message: 'the order was withdrawn' });
  rig.release({ ...released!, delayMs: YEAR_MS });
}

/** Jobs expire, and ended ones are forgotten for their age. */
function passAges(rig: EngineRig): void {
  const brief = { ...SHAPE, queue: 'brief' };
  rig.enqueue({ shape: brief }, { shape: brief }, { shape: { ...SHAPE, queue: 'late' }, expiresInMs: HOUR_MS });
  const [dies, done] = rig.claim({ queues: ['brief'] });
  rig.fail(dies!, 'dead', ERROR);
  rig.ack(done!);
  rig.clock.stall(HOUR_MS + 60_000);
  rig.settle();
}

function act(rig: EngineRig): void {
  const by = { actor: 'olga', reason: 'as the customer asked' };
  const [dead, waits, ready, gone, shown, leaves] = rig.enqueue(
    { shape: { ...SHAPE, queue: 'acts' } },
    ...[1, 2, 3, 4, 5].map(() => ({ shape: { ...SHAPE, queue: 'acts', priority: 4 }, delayMs: YEAR_MS })),
  );
  rig.fail(rig.claim({ queues: ['acts'] })[0]!, 'dead', ERROR);
  rig.act('redrive', rig.ids(dead!), by);
  rig.act('runNow', rig.ids(ready!), by);
  rig.act({ kind: 'reprioritise', priority: 9 }, rig.ids(waits!, ready!), by);
  rig.act('cancel', rig.ids(waits!), by);
  rig.act('remove', rig.ids(gone!), by);
  rig.act({ kind: 'transfer', queue: 'elsewhere' }, rig.ids(leaves!), by);
  rig.clone(shown!, '"changed"', by);
  rig.pause('acts', undefined, by);
  rig.resume('acts', by);
  rig.pause('acts', 2 * YEAR_MS, by);
}

function dedupe(rig: EngineRig): void {
  const work = (onConflict: 'keep' | 'replace' | 'runOnceMore', payload: string) => ({
    shape: { ...SHAPE, queue: 'keys' },
    payload,
    dedupe: { key: 'cart-7', onConflict, forMs: YEAR_MS },
  });
  rig.tryEnqueue(work('keep', '"first"'));
  rig.tryEnqueue({ ...work('replace', '"replaces"'), delayMs: HOUR_MS });
  rig.tryEnqueue(work('replace', '"replaces again"'));
  rig.claim({ queues: ['keys'] });
  rig.tryEnqueue(work('runOnceMore', '"once more"'));
}

function remember(rig: EngineRig, request: { readonly id: string; readonly fingerprint: string }): void {
  const answer = newAnswer();
  const jobs = [{ shape: SHAPE, payload: '"asked for once"', delayMs: YEAR_MS }];
  rig.engine.enqueue(inColumns(jobs), noteIn(answer), request);
  rig.settle();
  answered(answer);
}

/** The files of another version, opened by this one. */
export function openFiles(files: ReadonlyMap<string, Uint8Array>, wallMs: number): EngineRig {
  const rig = new EngineRig({ retention: GOLDEN_RETENTION, segmentBytes: 2000 });
  const directory = rig.disk.directory('/store');
  for (const name of filesOf(rig).keys()) directory.change({ kind: 'remove', name });
  for (const [name, bytes] of files) {
    const inode = new SimInode();
    inode.write(0, bytes);
    inode.sync();
    directory.change({ kind: 'create', name, inode });
  }
  directory.sync();
  rig.clock.setWall(wallMs - rig.clock.now());
  rig.reopen('killed');
  return rig;
}
