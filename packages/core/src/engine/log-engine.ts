import {
  type ActedBy,
  type ActOutcome,
  type DeadGroupFilter,
  type DeadGroupPage,
  type HistogramSeries,
  type HistogramsRequest,
  type HoldfastError,
  type JobDetail,
  type JobFilter,
  type JobRow,
  type LeaseExpiry,
  type LeaseRow,
  type Page,
  type PageRequest,
  type QueuePause,
  type QueueSummary,
  type RecoveryReport,
  type Selection,
  type SnapshotReport,
  type StorageReport,
  StoreClosedError,
  StoreFailedError,
  type StoreMetrics,
  StoreOpenError,
  type WorkerSummary,
} from '@holdfast/contract';
import type { EventsPage } from '@holdfast/contract/rules';
import { storeTag } from '../identity.js';
import { SegmentedLog } from '../log/segmented-log.js';
import { JobTable } from '../state/job-table.js';
import { cloneJob } from './clones.js';
import type { Call } from './commits.js';
import { deadGroupList } from './dead-group-list.js';
import type {
  ClaimedJob,
  CloneAnswer,
  Done,
  EngineAck,
  EngineClaim,
  EngineClone,
  EngineEvents,
  EngineExtend,
  EngineFail,
  EngineJobs,
  EngineNote,
  EnginePause,
  EnginePlan,
  EngineRelease,
  EngineRequest,
  EnqueueAnswer,
  JobAct,
  PendingClaim,
  PlanPart,
  SettleDone,
} from './engine-calls.js';
import { callOnce, failureOf, notApplied } from './engine-failure.js';
import type { EngineOptions } from './engine-options.js';
import { type EngineParts, makeEngineParts } from './engine-parts.js';
import { EngineTimer } from './engine-timer.js';
import { endFormerLeases, recoveryReport, storageReport } from './recovery-report.js';
import { Replay } from './replay.js';
import { fullDetail } from './store-full.js';
import { nextWallMs } from './wall-waits.js';

export type { EngineOptions };

const IGNORED: PendingClaim = { cancel: () => {} };

/**
 * The log store itself, in one thread, in callbacks and numbers. What a call decides is applied and appended at once; its answer waits
 * for the write (enqueue: for the disk). Nothing is answered inside a call: `endTurn` does that.
 */
export class LogEngine {
  /**
   * Replays the log, ends the leases of the former run, and makes both durable. Synchronous.
   * @throws StoreLockedError, LogCorruptError, LogVersionError, StoreOpenError
   */
  static open(options: EngineOptions): LogEngine {
    const { clock, fileSystem, random } = options;
    const table = new JobTable(options.retention);
    const log = SegmentedLog.open(
      {
        ...options.log,
        onFullChange: () => options.onFullChange?.(),
        fileSystem,
        random,
        now: () => clock.now(),
        monotonicMs: () => clock.monotonicMs(),
        isFormer: options.formerStoreTag === undefined ? undefined : (id) => storeTag(id) === options.formerStoreTag,
      },
      new Replay(table),
    );
    try {
      return new LogEngine(options, table, log);
    } catch (error) {
      log.abandon();
      // The first commit of an open: there is no store yet that could have failed.
      if (!(error instanceof StoreFailedError)) throw error;
      throw new StoreOpenError(options.log.directory, error.detail, { cause: error });
    }
  }

  /** Marks the ids of this store: see identity.ts. */
  readonly storeTag: string;
  readonly #options: EngineOptions;
  readonly #table: JobTable;
  readonly #log: SegmentedLog;
  readonly #parts: EngineParts;
  readonly #timer: EngineTimer;
  readonly #recovery: RecoveryReport;
  #failure: HoldfastError | undefined;
  #phase: 'open' | 'closing' | 'closed' | 'failed' = 'open';
  /** Calls that were refused, with the error that they are answered. */
  #refused: { readonly call: Call; readonly error: HoldfastError }[] = [];
  /** Turns to be ended: more than one when an answer led to calls and their `endTurn`. */
  #turns = 0;
  #fatalToTell: HoldfastError | undefined;
  #closed: (() => void)[] = [];

  private constructor(options: EngineOptions, table: JobTable, log: SegmentedLog) {
    const { clock } = options;
    this.#options = options;
    this.#table = table;
    this.#log = log;
    this.storeTag = storeTag(log.storeId);
    table.nextId = Math.max(table.nextId, log.idFloor);
    table.requests.settle();
    table.order();
    this.#parts = makeEngineParts(options, table, log, (error, durableSeq, tookMs) =>
      this.#synced(error, durableSeq, tookMs),
    );
    const { settling, commits, metrics } = this.#parts;
    this.#timer = new EngineTimer(clock, metrics, () => this.#timerFired());
    this.#recovery = recoveryReport(log, clock.now(), endFormerLeases(table, settling, commits));
    this.#setTimer();
  }

  /**
   * Stores all jobs or none; durable when answered. The jobs have consecutive ids in input order. A `request` that was made before stores
   * nothing and is answered as it was.
   */
  enqueue(jobs: EngineJobs, done: Done<EnqueueAnswer>, request?: EngineRequest): void {
    this.#run(done, (reply) => this.#parts.enqueues.enqueue(jobs, request, reply));
  }

  /** Leases ready jobs, or waits for some. Answered after the ATTEMPT record is written. */
  claim(request: EngineClaim, done: Done<readonly ClaimedJob[]>): PendingClaim {
    let pending: PendingClaim | undefined;
    this.#run(done, (reply) => {
      pending = this.#parts.claims.claim(request, reply);
    });
    return pending ?? IGNORED;
  }

  ack(items: readonly EngineAck[], done: SettleDone): void {
    this.#run(done, (reply) => this.#parts.settling.ack(items, reply));
  }

  fail(items: readonly EngineFail[], done: SettleDone): void {
    this.#run(done, (reply) => this.#parts.settling.fail(items, reply));
  }

  release(items: readonly EngineRelease[], done: SettleDone): void {
    this.#run(done, (reply) => this.#parts.settling.release(items, reply));
  }

  extend(items: readonly EngineExtend[], done: SettleDone): void {
    this.#run(done, (reply) => this.#parts.settling.extend(items, reply));
  }

  note(items: readonly EngineNote[], done: SettleDone): void {
    this.#run(done, (reply) => this.#parts.notes.note(items, reply));
  }

  /** What an operator does to jobs; many are worked off over several turns. Durable when answered, as the next three. */
  act(act: JobAct, selection: Selection, by: ActedBy, done: Done<ActOutcome>): void {
    this.#run(done, (reply) => this.#parts.acts.start(act, selection, by, reply));
  }

  clone(clone: EngineClone, done: Done<CloneAnswer>): void {
    this.#run(done, (reply) => cloneJob({ ...this.#parts, table: this.#table, storeTag: this.storeTag }, clone, reply));
  }

  pause(pause: EnginePause, done: Done<QueuePause>): void {
    this.#run(done, (reply) => this.#parts.pauses.pause(pause, reply));
  }

  resume(resume: Omit<EnginePause, 'forMs'>, done: Done<boolean>): void {
    this.#run(done, (reply) => this.#parts.pauses.resume(resume, reply));
  }

  /** Events after a cursor, or waits for some. Answered empty when the wait is over. */
  events(request: EngineEvents, done: Done<EventsPage>): PendingClaim {
    let pending: PendingClaim | undefined;
    this.#run(done, (reply) => {
      pending = this.#parts.events.pull(request, reply);
    });
    return pending ?? IGNORED;
  }

  /** Copies the log to another directory, a piece at a time. What the copy's disk says fails this call alone. */
  snapshot(directory: string, done: Done<SnapshotReport>): void {
    this.#run(done, (reply) => this.#parts.snapshots.start(directory, reply));
  }

  /** All queues by name; or those behind `after`, at most `limit`. */
  queues(after = '', limit = Number.POSITIVE_INFINITY): QueueSummary[] {
    this.#assertReadable();
    return this.#parts.reads.queues(after, limit);
  }

  /** Those of these names that there are, in the order of the names. */
  namedQueues(names: readonly string[]): QueueSummary[] {
    this.#assertReadable();
    return this.#parts.reads.namedQueues(names);
  }

  /** @throws LogCorruptError if a record of the job is damaged on the disk */
  job(id: string): JobDetail | undefined {
    this.#assertReadable();
    return this.#parts.reads.job(id);
  }

  /** @throws CursorInvalidError */
  browse(filter: JobFilter, page: PageRequest): Page<JobRow> {
    this.#assertReadable();
    return this.#parts.search.browse(filter, page);
  }

  /** @throws InvalidArgumentError, CursorInvalidError */
  plan(plan: EnginePlan): PlanPart {
    this.#assertReadable();
    return this.#parts.search.plan(plan);
  }

  /** @throws CursorInvalidError */
  deadGroups(filter: DeadGroupFilter, page: PageRequest): DeadGroupPage {
    this.#assertReadable();
    return deadGroupList(this.#table, this.storeTag, filter, page);
  }

  workers(): WorkerSummary[] {
    this.#assertReadable();
    return this.#parts.workers.list();
  }

  leases(limit: number): LeaseRow[] {
    this.#assertReadable();
    return this.#parts.reads.leases(limit);
  }

  leaseExpiries(): LeaseExpiry[] {
    this.#assertReadable();
    return this.#parts.expiries.read();
  }

  metrics(): StoreMetrics {
    this.#assertReadable();
    return this.#parts.metrics.read(this.#options.clock.now());
  }

  histograms(request: HistogramsRequest): HistogramSeries {
    this.#assertReadable();
    return this.#parts.metrics.histograms(request, this.#options.clock.now());
  }

  storage(): StorageReport {
    this.#assertReadable();
    const { kept } = this.#table;
    const location = this.#options.log.directory;
    return storageReport(this.#log, location, kept, this.#recovery, this.#parts.compaction.report());
  }

  /** Why no new jobs are taken at present, beside failure and closing; `undefined` while they are. */
  get full(): string | undefined {
    return fullDetail(this.#log);
  }

  /** Settles the leases that are still past their deadline, as if their attempts had failed. `endTurn` must follow. */
  expireLeases(): void {
    this.#guard(() => this.#parts.expiries.expire());
  }

  /**
   * Call once after all messages of a turn were given: writes what they decided, starts a sync if somebody waits for one,
   * then calls the `done` callbacks that are due. The engine calls it itself after its own timers.
   */
  endTurn(): void {
    this.#turns++;
    if (this.#turns > 1) return;
    try {
      for (let ended = 0; ended < this.#turns; ended++) {
        this.#guard(() => this.#commitTurn());
        this.#answer();
      }
    } finally {
      this.#turns = 0;
    }
  }

  /**
   * Takes no more calls, makes everything durable and lets go of the directory. Waiting claims are answered empty. `endTurn` must
   * follow. Always ends, also after a failure.
   */
  close(done: () => void): void {
    this.#closed.push(done);
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    this.#guard(() => {
      for (const call of this.#parts.claims.takeWaiting()) this.#parts.commits.answerWritten(call);
      this.#parts.events.answerAll();
      for (const call of this.#parts.snapshots.takeAll()) this.#refused.push({ call, error: new StoreClosedError() });
    });
  }

  /** Runs a call if the engine takes calls; else refuses it. */
  #run<Answer>(done: Done<Answer>, call: (reply: Done<Answer>) => void): void {
    const failure = this.#failure;
    if (this.#phase !== 'open') this.#refuse(done, failure ? notApplied(failure) : new StoreClosedError());
    else this.#guard(() => callOnce(done, call, (reply, error) => this.#refuse(reply, error)));
  }

  #refuse<Answer>(done: Done<Answer>, error: HoldfastError): void {
    this.#refused.push({ call: { finish: (reason) => done(reason, undefined) }, error });
  }

  /** What goes wrong inside the engine leaves memory and disk apart: it ends the engine, and the next open starts from the disk. */
  #guard(step: () => void): void {
    if (this.#phase === 'failed' || this.#phase === 'closed') return;
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }

  #commitTurn(): void {
    const commits = this.#parts.commits;
    this.#options.fileSystem.tellSyncs();
    this.#parts.acts.endTurn();
    this.#parts.claims.serveWaiting();
    this.#parts.claims.endOverdueWaits();
    this.#parts.retained.forgetDue();
    commits.write();
    if (this.#parts.events.isOn) this.#parts.events.endTurn();
    commits.syncWhereWanted();
    const isBusy =
      this.#parts.acts.isBusy || this.#parts.enqueues.hasWaiting || commits.hasUndurableCalls || this.#log.syncing;
    if (this.#phase === 'closing' && !isBusy) {
      this.#log.close();
      this.#phase = 'closed';
    }
    this.#setTimer();
  }

  #answer(): void {
    for (let calls = this.#parts.commits.takeWritten(); calls.length > 0; calls = this.#parts.commits.takeWritten()) {
      for (const call of calls) call.finish(undefined);
    }
    const refused = this.#refused;
    this.#refused = [];
    for (const { call, error } of refused) call.finish(error);
    if (this.#phase !== 'closed' && this.#phase !== 'failed') return;
    const fatal = this.#fatalToTell;
    this.#fatalToTell = undefined;
    if (fatal !== undefined) this.#options.onFatal(fatal);
    const closed = this.#closed;
    this.#closed = [];
    for (const done of closed) done();
  }

  #synced(error: Error | undefined, durableSeq: number, tookMs: number): void {
    this.#guard(() => {
      if (error !== undefined) throw error;
      this.#parts.commits.becameDurable(durableSeq, tookMs);
      this.#parts.enqueues.admitWaiting();
    });
    this.endTurn();
  }

  #timerFired(): void {
    this.#guard(() => {
      this.#parts.expiries.askWhereDue();
      if (this.#phase !== 'open') return;
      this.#log.space.step();
      this.#parts.compaction.step();
      this.#parts.snapshots.step();
    });
    this.endTurn();
  }

  #setTimer(): void {
    if (this.#phase === 'closed' || this.#phase === 'failed') {
      this.#timer.stop();
      return;
    }
    const { compaction } = this.#parts;
    const forDiskMs = Math.min(compaction.nextMs(), this.#log.space.nextMs());
    const upkeepMs = this.#phase === 'open' ? forDiskMs : Number.POSITIVE_INFINITY;
    const callsMs = Math.min(
      this.#parts.commits.nextMs(),
      this.#parts.expiries.nextMs(),
      this.#parts.claims.nextMs(),
      this.#parts.acts.nextMs(),
      this.#parts.snapshots.nextMs(),
      this.#parts.events.nextMs(),
    );
    this.#timer.setFor(Math.min(callsMs, upkeepMs, nextWallMs(this.#table, this.#options.clock)));
  }

  #fail(cause: unknown): void {
    const { failure, unknown } = failureOf(cause);
    this.#failure = failure;
    this.#phase = 'failed';
    this.#timer.stop();
    for (const call of [...this.#parts.commits.takeAll(), ...this.#parts.acts.takeAll()])
      this.#refused.push({ call, error: unknown });
    const { enqueues, claims, snapshots, events } = this.#parts;
    const untouched = [...enqueues.takeWaiting(), ...claims.takeWaiting(), ...snapshots.takeAll(), ...events.takeAll()];
    for (const call of untouched) this.#refused.push({ call, error: notApplied(failure) });
    this.#log.abandon();
    this.#fatalToTell = failure;
  }

  #assertReadable(): void {
    if (this.#phase === 'closed') throw new StoreClosedError();
    if (this.#failure !== undefined) throw notApplied(this.#failure);
  }
}
