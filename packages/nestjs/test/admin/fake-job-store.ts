import {
  type ActedBy,
  type ActOutcome,
  type Enqueued,
  type JobDetail,
  type JobFilter,
  type JobId,
  type JobRow,
  type JobStore,
  type LeaseExpiry,
  type LeaseRow,
  type NewJob,
  type Page,
  type PageRequest,
  type QueueSummary,
  type Selection,
  type StorageReport,
  type StoreCapabilities,
  StoreClosedError,
  type StoreHealth,
  type StoreMetrics,
} from '@holdfast/contract';

/** A dead job with everything that a detail can have. */
export function deadJob(id: JobId, changes: Partial<JobDetail> = {}): JobDetail {
  return {
    id,
    queue: 'mail',
    name: 'send',
    state: 'dead',
    priority: 0,
    attempts: 1,
    maxAttempts: 1,
    enqueuedAtMs: 1000,
    runAtMs: 1000,
    updatedAtMs: 2000,
    payloadBytes: 7,
    lastError: { class: 'Error', message: 'no mailbox' },
    payload: '{"a":1}',
    attemptLog: [],
    acts: [],
    ...changes,
  };
}

/** Answers what a test put in, records what it was asked, and fails when told to. */
export class FakeJobStore implements JobStore {
  capabilities: StoreCapabilities = { kind: 'fake', payloadBytesMax: 1e6, enqueueJobsMax: 1, claimJobsMax: 1 };
  readonly jobs = new Map<JobId, JobDetail>();
  readonly browsed: { filter: JobFilter; page: PageRequest }[] = [];
  readonly redriven: { selection: Selection; by: ActedBy }[] = [];
  readonly asked: JobId[] = [];
  readonly enqueued: NewJob[] = [];
  failure: Error | undefined;

  async browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    this.#failIfTold();
    this.browsed.push({ filter, page });
    const rows = [...this.jobs.values()].map((job) => {
      const { payload: _payload, result: _result, headers: _headers, progress: _progress, ...rest } = job;
      const { attemptLog: _log, acts: _acts, ...row } = rest;
      return row;
    });
    return { rows, total: { value: rows.length, relation: 'exact' } };
  }

  async job(id: JobId): Promise<JobDetail | undefined> {
    this.#failIfTold();
    this.asked.push(id);
    return this.jobs.get(id);
  }

  async redrive(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    this.#failIfTold();
    this.redriven.push({ selection, by });
    return { matched: 1, done: 1, skipped: {} };
  }

  async queues(): Promise<QueueSummary[]> {
    this.#failIfTold();
    return [];
  }

  async leases(): Promise<LeaseRow[]> {
    return [];
  }

  async leaseExpiries(): Promise<LeaseExpiry[]> {
    return [];
  }

  health(): StoreHealth {
    return this.failure === undefined
      ? { status: 'open', reopened: 0 }
      : { status: 'failed', detail: this.failure.message, reopened: 0 };
  }

  metrics(): Promise<StoreMetrics> {
    return Promise.reject(new StoreClosedError());
  }

  storage(): Promise<StorageReport> {
    return Promise.reject(new StoreClosedError());
  }

  cancel(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  remove(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  runNow(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  reprioritise(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  clone(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  pause(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  resume(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  /** Takes what the server keeps for itself. */
  async enqueue(jobs: readonly NewJob[]): Promise<Enqueued[]> {
    this.#failIfTold();
    return jobs.map((job) => {
      this.enqueued.push(job);
      return { id: `note-${this.enqueued.length}`, state: 'scheduled', outcome: 'created' };
    });
  }

  claim(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  ack(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  fail(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  release(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  extend(): Promise<never> {
    return Promise.reject(new StoreClosedError());
  }

  async close(): Promise<void> {}

  #failIfTold(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
