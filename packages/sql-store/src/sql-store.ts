import {
  type AckItem,
  type AckOptions,
  type ActedBy,
  type ActOutcome,
  type ClaimRequest,
  type DeadGroupFilter,
  type DeadGroupPage,
  type Enqueued,
  type EnqueueOptions,
  type EventsRequest,
  type ExtendItem,
  type FailItem,
  InvalidArgumentError,
  type JobDetail,
  type JobFilter,
  type JobId,
  type JobRow,
  type JobStore,
  type LeasedJob,
  type LeaseExpiry,
  type LeaseRef,
  type LeaseRow,
  type NewJob,
  type NoteItem,
  type Page,
  type PageRequest,
  type PauseOptions,
  type Payload,
  type PlanRequest,
  type QueuePause,
  type QueueSummary,
  type ReleaseItem,
  type Selection,
  type SelectionPlan,
  type SettleAnswer,
  type StorageReport,
  type StoreCapabilities,
  StoreClosedError,
  type StoreEvent,
  type StoreHealth,
  type StoreMetrics,
  type WorkerSummary,
} from '@holdfast/contract';
import {
  checkedActor,
  checkedClaim,
  checkedClone,
  checkedDeadGroupFilter,
  checkedEvents,
  checkedFilter,
  checkedPage,
  checkedPause,
  checkedPlanned,
  checkedPriority,
  checkedQueueNames,
  checkedRequestId,
  checkedSelection,
  checkedTarget,
  checkWhole,
  requestFingerprint,
  STORE_LIMITS,
} from '@holdfast/contract/rules';
import type { Act } from './acting.js';
import { checkedJobs } from './new-jobs.js';
import type { SettleCall } from './settling.js';
import { type SqlStoreParts, StoreRun } from './store-run.js';

/** The jobs in tables of a database. Calls are checked here; what they do is in the run. */
export class SqlStore<Transaction> implements JobStore<Transaction> {
  readonly capabilities: StoreCapabilities;
  readonly #run: StoreRun<Transaction>;
  /** Calls that were made and are not answered. */
  readonly #calls = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** Opened by the package of a database. */
  static async begin<Transaction>(parts: SqlStoreParts<Transaction>): Promise<SqlStore<Transaction>> {
    return new SqlStore(parts.kind, await StoreRun.begin(parts));
  }

  private constructor(kind: string, run: StoreRun<Transaction>) {
    const { payloadBytesMax, enqueueJobsMax, claimJobsMax } = STORE_LIMITS;
    this.capabilities = { kind, payloadBytesMax, enqueueJobsMax, claimJobsMax };
    this.#run = run;
  }

  async enqueue(jobs: readonly NewJob[], options?: EnqueueOptions<Transaction>): Promise<Enqueued[]> {
    this.#refuseIfClosed();
    const id = checkedRequestId(options);
    const checked = checkedJobs(jobs);
    const request = id === undefined ? undefined : { id, fingerprint: requestFingerprint(jobs) };
    const transaction = options?.transaction;
    return this.#call(() =>
      transaction === undefined
        ? this.#run.enqueue(checked, request)
        : this.#run.enqueueIn(transaction, checked, request),
    );
  }

  async claim(request: ClaimRequest): Promise<LeasedJob[]> {
    this.#refuseIfClosed();
    const checked = checkedClaim(request);
    const { signal } = request;
    if (signal?.aborted) return [];
    this.#run.workers.claimed(checked);
    const jobs = await this.#call(() => this.#run.take(checked));
    if (signal?.aborted) {
      await this.#call(() => this.#run.handBack(jobs));
      return [];
    }
    if (jobs.length > 0) this.#run.waiting.found(checked);
    if (jobs.length > 0 || checked.waitMs === 0 || this.#closing !== undefined) return jobs;
    return this.#run.waiting.wait(checked, signal);
  }

  async ack(items: readonly AckItem[], options?: AckOptions<Transaction>): Promise<SettleAnswer[]> {
    const transaction = options?.transaction;
    if (transaction === undefined) return this.#settle(() => this.#run.checks.ack(items));
    this.#refuseIfClosed();
    const call = this.#run.checks.ack(items);
    return this.#call(() => this.#run.settleIn(transaction, call));
  }

  async fail(items: readonly FailItem[]): Promise<SettleAnswer[]> {
    return this.#settle(() => this.#run.checks.fail(items));
  }

  async release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]> {
    return this.#settle(() => this.#run.checks.release(items));
  }

  async extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]> {
    return this.#settle(() => this.#run.checks.extend(items));
  }

  async note(items: readonly NoteItem[]): Promise<SettleAnswer[]> {
    this.#refuseIfClosed();
    const call = this.#run.noteCall(items);
    return this.#call(() => this.#run.note(call));
  }

  onLeasesCancelled(listener: (leases: readonly LeaseRef[]) => void): () => void {
    this.#refuseIfClosed();
    return this.#run.onLeasesCancelled(listener);
  }

  async redrive(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'redrive' }), selection, by);
  }

  async cancel(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'cancel' }), selection, by);
  }

  async remove(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'remove' }), selection, by);
  }

  async runNow(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'runNow' }), selection, by);
  }

  async reprioritise(selection: Selection, priority: number, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'reprioritise', priority: checkedPriority(priority) }), selection, by);
  }

  async transfer(selection: Selection, queue: string, by: ActedBy): Promise<ActOutcome> {
    return this.#act(() => ({ kind: 'transfer', queue: checkedTarget(queue) }), selection, by);
  }

  async clone(id: JobId, by: ActedBy, changes?: { readonly payload?: Payload }): Promise<Enqueued | undefined> {
    this.#refuseIfClosed();
    const checked = checkedClone(id, by, changes?.payload);
    return this.#call(() => this.#run.clone(checked));
  }

  async pause(queue: string, by: ActedBy, options?: PauseOptions): Promise<QueuePause> {
    this.#refuseIfClosed();
    const checked = checkedPause(queue, by, options);
    return this.#call(() => this.#run.pause(checked));
  }

  async resume(queue: string, by: ActedBy): Promise<boolean> {
    this.#refuseIfClosed();
    const checked = checkedPause(queue, by);
    return this.#call(() => this.#run.resume(checked));
  }

  async queues(names?: readonly string[]): Promise<QueueSummary[]> {
    this.#refuseIfClosed();
    const wanted = checkedQueueNames(names);
    return this.#call(() => this.#run.reading.queues(wanted));
  }

  async job(id: JobId): Promise<JobDetail | undefined> {
    this.#refuseIfClosed();
    if (typeof id !== 'string') throw new InvalidArgumentError('id', id, 'a job id');
    return this.#call(() => this.#run.reading.job(id));
  }

  async browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    this.#refuseIfClosed();
    const [wanted, checked] = [checkedFilter(filter), checkedPage(page)];
    return this.#call(() => this.#run.reading.browse(wanted, checked));
  }

  async deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    this.#refuseIfClosed();
    const [wanted, checked] = [checkedDeadGroupFilter(filter), checkedPage(page)];
    return this.#call(() => this.#run.deadGroups(wanted, checked));
  }

  async plan(jobs: PlanRequest, options: { readonly scanMax?: number } = {}): Promise<SelectionPlan> {
    this.#refuseIfClosed();
    const planned = checkedPlanned(jobs);
    return this.#call(() => this.#run.planning.plan(planned, options.scanMax));
  }

  async workers(): Promise<WorkerSummary[]> {
    this.#refuseIfClosed();
    return this.#call(() => this.#run.workers.list());
  }

  async leases(limit: number): Promise<LeaseRow[]> {
    this.#refuseIfClosed();
    checkWhole('limit', limit, 1, STORE_LIMITS.settleItemsMax);
    return this.#call(() => this.#run.reading.leases(limit));
  }

  async leaseExpiries(): Promise<LeaseExpiry[]> {
    this.#refuseIfClosed();
    return this.#call(() => this.#run.reading.leaseExpiries(this.#run.before));
  }

  events(request: EventsRequest = {}): AsyncIterable<StoreEvent> {
    this.#refuseIfClosed();
    return this.#run.events.listen(checkedEvents(request), request.signal);
  }

  async metrics(): Promise<StoreMetrics> {
    this.#refuseIfClosed();
    return this.#call(() => this.#run.metrics());
  }

  async storage(): Promise<StorageReport> {
    this.#refuseIfClosed();
    return this.#call(() => this.#run.storage());
  }

  health(): StoreHealth {
    return this.#run.condition.health();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#run.close(() => this.#callsEnd());
    await this.#closing;
  }

  /** What the end of the process does: nothing is told to the database. For tests. @internal */
  async abandon(): Promise<void> {
    this.#closing ??= this.#run.abandon();
    await this.#closing;
  }

  /** Does what is due at this moment, and from then on only here. @returns in how many milliseconds something else is. For tests. @internal */
  sweepNow(): Promise<number> {
    return this.#run.sweepByHand();
  }

  #settle(check: () => SettleCall): Promise<SettleAnswer[]> {
    this.#refuseIfClosed();
    const call = check();
    return this.#call(() => this.#run.settle(call));
  }

  #act(act: () => Act, selection: Selection, by: ActedBy): Promise<ActOutcome> {
    this.#refuseIfClosed();
    const [checked, actedBy, what] = [checkedSelection(selection), checkedActor(by), act()];
    return this.#call(() => this.#run.acting.act(what, checked, actedBy));
  }

  async #call<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const { ready } = this.#run.events;
    const called = ready === undefined ? call() : ready.then(call);
    this.#calls.add(called);
    try {
      return await called;
    } finally {
      this.#calls.delete(called);
    }
  }

  /** A call may lead to another one: jobs that came too late are handed back. */
  async #callsEnd(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }
}
