import { checkedRetention } from '@holdfast/contract/rules';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogView } from '../../src/engine/log-view.js';
import { LogSnapshot } from '../../src/log/log-snapshot.js';
import { EngineLife } from './engine-life.js';
import type { EngineRig } from './engine-rig.js';
import { operation } from './operations.js';

const given = process.env.HOLDFAST_SEED;
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
const RUNS = Number(process.env.HOLDFAST_RUNS ?? 60);

/** A clock that is set back makes an engine remember that a job was due, which the log does not say. */
const operations = fc.array(
  operation.filter(({ act }) => act !== 'setWall'),
  { minLength: 10, maxLength: 40, size: 'max' },
);

function viewOf({ files, clock, options, engine }: EngineRig, formerStoreTag?: string): LogView {
  const directory = engine.storage().location;
  const fileSystem = LogSnapshot.take(files, directory);
  return LogView.open({
    ...{ directory, fileSystem, clock, formerStoreTag },
    retention: checkedRetention(options.retention),
  });
}

/** All that is shown, but for what is only in the memory of an engine: extensions, and the figures of its run. */
function shownBy(engine: Pick<LogView, 'browse' | 'job' | 'queues' | 'leases' | 'deadGroups'>) {
  const { rows, total, next } = engine.browse({}, { limit: 200 });
  return {
    ...{ total, next },
    jobs: rows.map(({ id }) => ({ ...engine.job(id), lease: engine.job(id)?.lease?.token })),
    rows: rows.map((row) => ({ ...row, lease: row.lease?.token })),
    queues: engine
      .queues()
      // The engine still lists a queue of which compaction has let the last record go; its next open does not.
      .filter(({ counts, paused }) => paused !== undefined || Object.values(counts).some((count) => count > 0))
      .map(({ throughput: _, ...queue }) => queue),
    leases: engine
      .leases(100)
      .map(({ token, worker, leasedAtMs }) => ({ token, worker, leasedAtMs }))
      .sort((one, other) => (one.token < other.token ? -1 : 1)),
    groups: deadGroupsOf(engine),
  };
}

/** Which of its jobs a group names is no part of what is durable: after a compaction another one may have died last. But dead they are. */
function deadGroupsOf(engine: Pick<LogView, 'job' | 'deadGroups'>) {
  const { groups, ...rest } = engine.deadGroups({}, { limit: 100 });
  return {
    ...rest,
    groups: groups.map(({ samples, ...group }) => ({
      ...group,
      areDead: samples.every((id) => engine.job(id)?.state === 'dead'),
    })),
  };
}

/** Whatever an engine has done so far, its log shows the same jobs to who only reads it. */
it.each([64 * 1024, 1000])(
  `shows what the engine shows, at every step (segments of %i bytes, seed ${seed}, ${RUNS} lives)`,
  {
    timeout: 300_000,
  },
  (segmentBytes) => {
    let jobs = 0;
    fc.assert(
      fc.property(operations, (steps) => {
        const life = new EngineLife(seed, { segmentBytes, compactionStepJobs: 1 });
        for (const one of steps) {
          life.step(one);
          const shown = shownBy(viewOf(life.rig));
          expect(shown).toEqual(shownBy(life.rig.engine));
          jobs += shown.rows.length;
        }
      }),
      { seed, numRuns: RUNS },
    );
    expect(jobs).toBeGreaterThan(RUNS);
  },
);

it('lets jobs become due and pauses end by its clock, without a new reading', () => {
  const { rig } = new EngineLife(1);
  rig.enqueue({ delayMs: 1000 });
  rig.engine.pause({ queue: 'mail', forMs: 2000, by: { actor: 'grace' } }, () => {});
  rig.settle();
  const view = viewOf(rig);
  expect(view.queues()).toMatchObject([{ counts: { scheduled: 1, ready: 0 }, paused: { actor: 'grace' } }]);
  rig.clock.stall(1000);
  expect(view.queues()).toMatchObject([{ counts: { scheduled: 0, ready: 1 }, paused: { actor: 'grace' } }]);
  rig.clock.stall(1000);
  expect(view.queues()[0]?.paused).toBeUndefined();
});

it('refuses another store in the place of the one that it showed', () => {
  const { rig } = new EngineLife(1);
  const view = viewOf(rig);
  expect(viewOf(rig, view.storeTag).storeTag).toBe(view.storeTag);
  expect(() => viewOf(rig, 'zzzzz')).toThrow('another store');
});
