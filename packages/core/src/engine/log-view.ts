import {
  type Clock,
  type DeadGroupFilter,
  type DeadGroupPage,
  type HistogramSeries,
  type HistogramsRequest,
  type JobDetail,
  type JobFilter,
  type JobRow,
  type LeaseExpiry,
  type LeaseRow,
  type Page,
  type PageRequest,
  type QueueSummary,
  type StorageReport,
  type StoreMetrics,
  StoreOpenError,
  StoreReadOnlyError,
  type WorkerSummary,
} from '@holdfast/contract';
import { storeTag } from '../identity.js';
import { FrozenLog, type FrozenLogOptions } from '../log/frozen-log.js';
import { JobTable } from '../state/job-table.js';
import { deadGroupList } from './dead-group-list.js';
import type { Done, EnginePlan, PendingClaim, PlanPart } from './engine-calls.js';
import { JobSearch } from './job-search.js';
import type { LogEngine } from './log-engine.js';
import { Metrics } from './metrics.js';
import { Payloads } from './payloads.js';
import { Reads } from './reads.js';
import { withLive } from './recovery-report.js';
import { Replay } from './replay.js';

export interface LogViewOptions extends Omit<FrozenLogOptions, 'monotonicMs'> {
  readonly clock: Clock;
  readonly retention: ConstructorParameters<typeof JobTable>[0];
  /** Of the store that was shown before: another one is refused. */
  readonly formerStoreTag?: string | undefined;
}

/** Jobs that become due between two questions, at once. */
const DUE_BATCH = 10_000;
const NOTHING_WAITS: PendingClaim = { cancel: () => {} };

/**
 * The jobs of a log that was read, for showing: the answers of an engine without one. It appends nothing, has no timers, and refuses
 * every call that would change something. Time goes on for what the log leaves to the clock: jobs become due, pauses end.
 */
export class LogView implements Pick<LogEngine, keyof LogEngine> {
  /** Replays the log. Synchronous. @throws LogCorruptError, LogVersionError, StoreOpenError */
  static open(options: LogViewOptions): LogView {
    const { clock, directory, fileSystem, formerStoreTag, retention } = options;
    const table = new JobTable(retention);
    const log = FrozenLog.read({ directory, fileSystem, monotonicMs: () => clock.monotonicMs() }, new Replay(table));
    if (formerStoreTag !== undefined && storeTag(log.storeId) !== formerStoreTag) {
      throw new StoreOpenError(directory, 'it holds another store than it did before. Start anew to see that one.');
    }
    table.nextId = Math.max(table.nextId, log.idFloor);
    table.requests.settle();
    table.order();
    return new LogView(options, table, log);
  }

  readonly storeTag: string;
  readonly full: string | undefined = undefined;
  readonly #options: LogViewOptions;
  readonly #table: JobTable;
  readonly #log: FrozenLog;
  readonly #reads: Reads;
  readonly #search: JobSearch;
  readonly #readAtMs: number;
  #answers: (() => void)[] = [];

  private constructor(options: LogViewOptions, table: JobTable, log: FrozenLog) {
    const { clock } = options;
    this.#options = options;
    this.#table = table;
    this.#log = log;
    this.storeTag = storeTag(log.storeId);
    this.#readAtMs = clock.now();
    const payloads = new Payloads(table, log, 0);
    const parts = { table, log, payloads, clock, storeTag: this.storeTag };
    this.#reads = new Reads(parts);
    this.#search = new JobSearch({ ...parts, reads: this.#reads });
    this.#endLeasesByTheirBeginning();
  }

  queues(after = '', limit = Number.POSITIVE_INFINITY): QueueSummary[] {
    this.#letTimePass();
    return this.#reads.queues(after, limit);
  }

  namedQueues(names: readonly string[]): QueueSummary[] {
    this.#letTimePass();
    return this.#reads.namedQueues(names);
  }

  job(id: string): JobDetail | undefined {
    this.#letTimePass();
    return this.#reads.job(id);
  }

  browse(filter: JobFilter, page: PageRequest): Page<JobRow> {
    this.#letTimePass();
    return this.#search.browse(filter, page);
  }

  plan(plan: EnginePlan): PlanPart {
    this.#letTimePass();
    return this.#search.plan(plan);
  }

  deadGroups(filter: DeadGroupFilter, page: PageRequest): DeadGroupPage {
    return deadGroupList(this.#table, this.storeTag, filter, page);
  }

  leases(limit: number): LeaseRow[] {
    return this.#reads.leases(limit);
  }

  /** Who claims, and what the engine measures, only the memory of the owner knows. */
  workers(): WorkerSummary[] {
    return [];
  }

  leaseExpiries(): LeaseExpiry[] {
    return [];
  }

  metrics(): StoreMetrics {
    return new Metrics().read(this.#options.clock.now());
  }

  histograms(request: HistogramsRequest): HistogramSeries {
    return new Metrics().histograms(request, this.#options.clock.now());
  }

  storage(): StorageReport {
    const segments = this.#log.segments().map((segment) => withLive(segment, this.#table.kept));
    return {
      kind: 'log',
      location: this.#options.directory,
      storeId: Buffer.from(this.#log.storeId).toString('hex'),
      segments,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      durableSeq: String(this.#log.durableSeq),
      recovery: this.#log.reading(this.#readAtMs),
    };
  }

  enqueue(_jobs: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  claim(_request: unknown, done: Done<never>): PendingClaim {
    this.#refuse(done);
    return NOTHING_WAITS;
  }

  ack(_items: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  fail(_items: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  release(_items: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  extend(_items: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  note(_items: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  act(_act: unknown, _selection: unknown, _by: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  clone(_clone: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  pause(_pause: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  resume(_resume: unknown, done: Done<never>): void {
    this.#refuse(done);
  }

  events(_request: unknown, done: Done<never>): PendingClaim {
    this.#refuse(done);
    return NOTHING_WAITS;
  }

  snapshot(_directory: string, done: Done<never>): void {
    this.#refuse(done);
  }

  /** Leases end by what the owner writes. */
  expireLeases(): void {}

  endTurn(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }

  close(done: () => void): void {
    this.#answers.push(done);
  }

  #refuse(done: Done<never>): void {
    this.#answers.push(() => done(new StoreReadOnlyError(), undefined));
  }

  #letTimePass(): void {
    const nowMs = this.#options.clock.now();
    for (let moved = DUE_BATCH; moved === DUE_BATCH; ) moved = this.#table.due(nowMs, DUE_BATCH);
    this.#table.pauses.endDue(nowMs);
  }

  /** Extensions are not in the log. */
  #endLeasesByTheirBeginning(): void {
    const { leases } = this.#table;
    const { clock } = this.#options;
    const fromWallMs = clock.monotonicMs() - clock.now();
    const live = Array.from({ length: leases.size }, (_, position) => leases.at(position));
    for (const lease of live) leases.endAt(lease, fromWallMs + leases.leasedAtMs[lease]! + leases.leaseMs[lease]!);
  }
}
