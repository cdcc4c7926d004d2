import { storeTag } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { JobTable } from '../state/job-table.js';
import { Acts } from './acts.js';
import { Claims } from './claims.js';
import { type CommitOptions, Commits } from './commits.js';
import { Compaction, STEP_JOBS } from './compaction.js';
import type { EngineLeaseRef } from './engine-calls.js';
import type { EngineOptions } from './engine-options.js';
import { Enqueues } from './enqueues.js';
import { Events } from './events.js';
import { ExpiredJobs } from './expired-jobs.js';
import { Expiries } from './expiries.js';
import { JobSearch } from './job-search.js';
import { Metrics } from './metrics.js';
import { Notes } from './notes.js';
import { Pauses } from './pauses.js';
import { Payloads } from './payloads.js';
import { Reads } from './reads.js';
import { RetainedJobs } from './retained-jobs.js';
import { Settling } from './settling.js';
import { Shapes } from './shapes.js';
import { Snapshots } from './snapshots.js';
import { Tokens } from './tokens.js';
import { WorkerRegistry } from './worker-registry.js';

export type EngineParts = ReturnType<typeof makeEngineParts>;

/** What an engine is made of, each part with those that it needs. */
export function makeEngineParts(
  options: EngineOptions,
  table: JobTable,
  log: SegmentedLog,
  synced: CommitOptions['synced'],
) {
  const { clock, random } = options;
  const { segmentBytes } = options.log;
  const tag = storeTag(log.storeId);
  const metrics = new Metrics();
  const nextId = () => table.nextId;
  const rankFloorMs = () => table.ranks.floorMs;
  const anyLeased = () => table.leases.size > 0;
  const commits = new Commits({ log, clock, metrics, nextId, rankFloorMs, anyLeased, synced });
  const payloads = new Payloads(table, log, LIMITS.payloadCacheBytes);
  const events = new Events({ table, commits, clock, storeTag: tag, epoch: log.epoch });
  const shapes = new Shapes(table.shapes);
  const workers = new WorkerRegistry(clock, table.leases);
  const settling = new Settling({ table, commits, events, metrics, workers, clock, random });
  const reads = new Reads({ table, log, payloads, clock, storeTag: tag });
  const search = new JobSearch({ table, log, payloads, reads, clock, storeTag: tag });
  const tokens = new Tokens(log.epoch);
  const pauses = new Pauses({ table, commits, events, clock });
  const expired = new ExpiredJobs({ table, commits, events, clock });
  const onLeasesDue = () => options.onLeasesDue();
  const onLeasesCancelled = (leases: readonly EngineLeaseRef[]) => options.onLeasesCancelled?.(leases);
  const stepJobs = options.compactionStepJobs ?? STEP_JOBS;
  return {
    metrics,
    commits,
    payloads,
    settling,
    events,
    pauses,
    notes: new Notes({ table, commits, settling, clock, log }),
    enqueues: new Enqueues({ table, commits, payloads, events, shapes, metrics, clock, log }),
    workers,
    search,
    acts: new Acts({ table, commits, events, search, clock, storeTag: tag, onLeasesCancelled }),
    claims: new Claims({
      table,
      commits,
      payloads,
      shapes,
      settling,
      tokens,
      pauses,
      expired,
      workers,
      metrics,
      clock,
    }),
    expiries: new Expiries({ table, settling, events, metrics, clock, storeTag: tag, onLeasesDue }),
    retained: new RetainedJobs({ table, commits, clock }),
    reads,
    compaction: new Compaction({ table, log, commits, clock, segmentBytes, stepJobs }),
    snapshots: new Snapshots({ log, commits, clock }),
  };
}
