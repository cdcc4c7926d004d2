import type {
  AckItem,
  ActedBy,
  AttemptOutcome,
  Enqueued,
  FailItem,
  JobError,
  LeasedJob,
  LeaseRef,
  NewJob,
  Payload,
  Random,
  Retention,
  SettleAnswer,
  StoreHappening,
} from '@holdfast/contract';
import {
  backoffMs,
  boundsOf,
  type CheckedClaim,
  type CheckedNote,
  checkedDedupe,
  checkedExtras,
  retentionOf,
} from '@holdfast/contract/rules';
import { withNote } from './attempt-notes.js';
import { changesBy, type Ending, type JobAct, type Retried } from './job-act.js';
import { digits, factsOf, inOrder, keptDedupe } from './job-facts.js';
import { copyOf } from './job-rows.js';
import { keepingAt } from './kept-jobs.js';
import { KeyBook } from './key-book.js';
import { isLeased, type MemoryJob, type MemoryLease, type Moment } from './memory-job.js';
import { shapeOf, startOf } from './new-job.js';
import { PauseBook } from './pause-book.js';
import { ThroughputLog } from './throughput-log.js';
import { NO_TOTALS, type Totals } from './totals.js';

type LiveJob = MemoryJob & { lease: MemoryLease };

/**
 * All jobs in one list, in order of enqueue, and what can happen to them, looked up by walking the list. No clock, no timer, no
 * promise: the moment is an argument.
 */
export class JobBook {
  jobs: MemoryJob[] = [];
  totals: Totals = { ...NO_TOTALS };
  /** One for each queue that ever held a job. */
  readonly throughput = new Map<string, ThroughputLog>();
  readonly pauses = new PauseBook();
  readonly #keys = new KeyBook();
  readonly #tag: string;
  readonly #random: Random;
  retention: Retention;
  /** Told what happens. */
  tell: (happening: StoreHappening) => void = () => {};
  changes = 0;
  #ends = 0;
  #lastNumber = 0;
  #lastRankMs = 0;
  epoch = 1;
  #lastToken = 0;

  constructor(tag: string, random: Random, retention: Retention) {
    this.#tag = tag;
    this.#random = random;
    this.retention = retention;
  }

  /** The jobs were checked before. */
  enqueue(newJobs: readonly NewJob[], { wallMs }: Moment): Enqueued[] {
    return newJobs.map((newJob) => {
      const dedupe = newJob.dedupe === undefined ? undefined : checkedDedupe(newJob.dedupe, 0);
      const conflict = dedupe === undefined ? undefined : this.#keys.conflict(this.jobs, newJob.queue, dedupe, wallMs);
      if (conflict === undefined) return this.#take(this.#newJob(newJob, wallMs), wallMs);
      if (conflict.kind === 'replace') return this.#replace(conflict.job, newJob, wallMs);
      return { id: conflict.id, state: conflict.state, outcome: 'duplicate' };
    });
  }

  /** Jobs whose time has come are ready. */
  becomeDue({ wallMs }: Moment): void {
    for (const job of this.jobs) {
      if (job.state !== 'scheduled' || job.runAtMs > wallMs) continue;
      job.state = 'ready';
      job.changeNumber = ++this.changes;
      job.updatedAtMs = job.runAtMs;
    }
  }

  claim(request: CheckedClaim, moment: Moment): LeasedJob[] {
    return this.jobs
      .filter(({ state, shape }) => state === 'ready' && request.queues.includes(shape.queue))
      .filter(({ shape }) => this.pauses.of(shape.queue) === undefined)
      .filter(({ shape }) => request.names === undefined || request.names.includes(shape.name))
      .sort(inOrder)
      .slice(0, request.limit)
      .map((job) => this.#lease(job, request, moment));
  }

  /** Every item is answered by what was before the call, so that an ack that stands twice in it is `ok` twice. */
  ack(items: readonly AckItem[], { wallMs }: Moment): SettleAnswer[] {
    const answers = items.map((item) => (this.#isRepeated(item) ? 'ok' : this.#settle(item, () => {})));
    for (const item of items) this.#settle(item, (job) => this.#complete(job, item.result, wallMs));
    return answers;
  }

  fail(ref: LeaseRef, error: JobError, then: FailItem['then'], moment: Moment): SettleAnswer {
    return this.#settle(ref, (job) => {
      if (then === 'cancel') this.#cancel(job, 'handler', moment.wallMs, error);
      else this.endAttempt(job, 'failed', error, then, moment);
    });
  }

  release(ref: LeaseRef, delayMs: number, { wallMs }: Moment): SettleAnswer {
    return this.#settle(ref, (job) => {
      job.attempts--;
      job.runAtMs = wallMs + delayMs;
      job.waits = delayMs > 0;
      job.state = job.waits ? 'scheduled' : 'ready';
      this.#endLease(job, 'released', wallMs);
    });
  }

  extend(ref: LeaseRef, leaseMs: number, { monotonicMs }: Moment): SettleAnswer {
    return this.#settle(ref, ({ lease }) => {
      lease.leaseMs = leaseMs;
      lease.deadlineMs = monotonicMs + leaseMs;
      lease.extensions++;
    });
  }

  note(ref: LeaseRef, note: CheckedNote): SettleAnswer {
    return this.#settle(ref, (job) => {
      job.attemptLog = withNote(job.attemptLog, note);
    });
  }

  /** Ends the lease of a job that did not complete: it is tried again, or is dead. */
  endAttempt(job: LiveJob, ending: Ending, error: JobError, then: Retried, { wallMs }: Moment): void {
    const { maxAttempts, backoff, queue } = job.shape;
    this.totals.failed++;
    this.throughputOf(queue).count('failed', wallMs);
    const isDead = then === 'dead' || (maxAttempts !== null && job.attempts >= maxAttempts);
    const { class: name, message } = error;
    const kind = isDead ? 'dead' : 'retried';
    this.tell({ kind, ...factsOf(job), attempt: job.attempts, error: { class: name, message } });
    if (isDead) {
      job.state = 'dead';
      job.endedNumber = ++this.#ends;
      this.#keys.free(job);
      this.totals.dead++;
    } else {
      const delayMs = typeof then === 'object' ? then.retryInMs : backoffMs(backoff, job.attempts, this.#random);
      job.state = 'scheduled';
      job.runAtMs = wallMs + delayMs;
      job.waits = true;
    }
    this.#endLease(job, ending, wallMs, error);
  }

  /** Does to a job what an operator wants. The caller has looked whether its state allows it. */
  act(job: MemoryJob, act: JobAct, { actor, reason }: ActedBy, { wallMs }: Moment): void {
    const { kind } = act;
    if (kind === 'remove') {
      this.#keys.free(job);
      this.tell({ kind: 'removed', ...factsOf(job) });
      this.jobs = this.jobs.filter((other) => other !== job);
      return;
    }
    const changes = changesBy(job, act);
    job.acts.push({ act: kind, atMs: wallMs, actor, ...(reason === undefined ? {} : { reason }), ...changes });
    if (kind === 'redrive') this.tell({ kind: 'redriven', ...factsOf(job) });
    if (kind === 'redrive') this.#redrive(job, wallMs);
    else if (kind === 'runNow') this.#runNow(job, wallMs);
    else if (kind === 'reprioritise') job.shape = { ...job.shape, priority: act.priority };
    else if (kind === 'transfer') this.#transfer(job, act.queue);
    else this.#cancel(job, 'operator', wallMs);
  }

  /** Jobs that nobody started in time are cancelled, those that should have been started first at the head. */
  expire({ wallMs }: Moment): void {
    const over = ({ expiresAtMs = Number.POSITIVE_INFINITY }: MemoryJob) => expiresAtMs;
    const expired = this.jobs.filter((job) => over(job) <= wallMs);
    expired.sort((one, other) => over(one) - over(other) || one.number - other.number);
    for (const job of expired) this.#cancel(job, 'expired', wallMs);
  }

  /** A new job like another one; that one is not changed. */
  clone(origin: MemoryJob, payload: Payload | undefined, { actor, reason }: ActedBy, moment: Moment): Enqueued {
    const { wallMs } = moment;
    const job: MemoryJob = {
      ...this.#newJob({ ...origin.shape, ...origin.extras, payload: payload ?? origin.payload }, wallMs),
      clonedFrom: origin.id,
      acts: [{ act: 'clone', atMs: wallMs, actor, ...(reason === undefined ? {} : { reason }) }],
    };
    return this.#take(job, wallMs);
  }

  /** Jobs that were kept for long enough are forgotten. @returns the wall-clock time at which others may be */
  forget({ wallMs }: Moment): number {
    const { forgotten, nextMs } = keepingAt(this.jobs, this.retention, wallMs);
    if (forgotten.size > 0) this.jobs = this.jobs.filter((job) => !forgotten.has(job));
    return nextMs;
  }

  find(id: string): MemoryJob | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  /** Leased jobs, those whose lease ends first at the head; of those that end together, the one that was given first. */
  leased(): LiveJob[] {
    return this.leasedInOrder().sort((one, other) => one.lease.deadlineMs - other.lease.deadlineMs);
  }

  /** Leased jobs in the order in which their leases were given. */
  leasedInOrder(): LiveJob[] {
    return this.jobs.filter(isLeased).sort((one, other) => (one.lease.token < other.lease.token ? -1 : 1));
  }

  throughputOf(queue: string): ThroughputLog {
    const log = this.throughput.get(queue) ?? new ThroughputLog();
    this.throughput.set(queue, log);
    return log;
  }

  /** Tokens of the next run are greater than all before, and a job that was told to wait looks at the clock again. */
  beginRun({ wallMs }: Moment): void {
    this.epoch++;
    this.#lastToken = 0;
    this.totals = { ...NO_TOTALS };
    this.pauses.beginRun(wallMs);
    for (const job of this.jobs) {
      if (job.state !== 'ready' || !job.waits || job.runAtMs <= wallMs) continue;
      job.state = 'scheduled';
      job.changeNumber = ++this.changes;
      job.updatedAtMs = job.recordedAtMs;
    }
  }

  #take(job: MemoryJob, wallMs: number): Enqueued {
    this.jobs.push(job);
    this.#keys.take(job);
    this.tell({ kind: 'enqueued', queue: job.shape.queue, count: 1 });
    this.totals.enqueued++;
    this.throughputOf(job.shape.queue).count('enqueued', wallMs);
    return { id: job.id, state: job.state, outcome: 'created' };
  }

  /** The job is another one from now on, and keeps only its id and its place among the ids. */
  #replace(job: MemoryJob, newJob: NewJob, wallMs: number): Enqueued {
    const { id, number } = job;
    const replaced = this.#newJob(newJob, wallMs, number);
    this.jobs = this.jobs.map((other) => (other === job ? { ...replaced, id } : other));
    const now = this.find(id);
    if (now !== undefined) this.#keys.take(now);
    return { id, state: replaced.state, outcome: 'replaced' };
  }

  /** The job ranks anew, so that many redriven ones do not hold up those that came meanwhile. */
  #redrive(job: MemoryJob, wallMs: number): void {
    job.state = 'ready';
    delete job.endedNumber;
    job.attempts = 0;
    job.runAtMs = wallMs;
    job.rankAtMs = this.#undelayedRank(wallMs);
    job.waits = false;
    this.#record(job, wallMs);
  }

  /** A job that would have ranked later by its time ranks as if it were enqueued now. */
  #runNow(job: MemoryJob, wallMs: number): void {
    job.state = 'ready';
    job.runAtMs = wallMs;
    job.rankAtMs = Math.min(job.rankAtMs, this.#undelayedRank(wallMs));
    job.waits = false;
    this.#record(job, wallMs);
  }

  /** The key is one of the queue that the job leaves. */
  #transfer(job: MemoryJob, queue: string): void {
    this.#keys.free(job);
    job.shape = { ...job.shape, queue };
    job.changeNumber = ++this.changes;
    this.throughputOf(queue);
  }

  /** A live lease ends with it. */
  #cancel(job: MemoryJob, cause: 'operator' | 'expired' | 'handler', wallMs: number, error?: JobError): void {
    this.tell({ kind: 'cancelled', ...factsOf(job) });
    job.state = 'cancelled';
    this.#keys.free(job);
    job.cancelCause = cause;
    delete job.expiresAtMs;
    if (isLeased(job)) this.#endLease(job, 'cancelled', wallMs, error);
    this.#record(job, wallMs);
    this.#forgetOldest(job);
  }

  #newJob(newJob: NewJob, wallMs: number, number = ++this.#lastNumber): MemoryJob {
    const runAtMs = startOf(newJob, wallMs);
    const waits = runAtMs > wallMs;
    return {
      id: `${this.#tag}-${number}`,
      number,
      shape: shapeOf(newJob),
      payload: copyOf(newJob.payload),
      extras: checkedExtras(newJob, 0) ?? {},
      ...(newJob.dedupe === undefined ? {} : { dedupe: keptDedupe(checkedDedupe(newJob.dedupe, 0), wallMs) }),
      takesKey: false,
      enqueuedAtMs: wallMs,
      state: waits ? 'scheduled' : 'ready',
      attempts: 0,
      runAtMs,
      rankAtMs: waits ? runAtMs : this.#undelayedRank(wallMs),
      updatedAtMs: wallMs,
      changeNumber: ++this.changes,
      recordedAtMs: wallMs,
      waits,
      ...(newJob.expiresInMs === undefined ? {} : { expiresAtMs: wallMs + Math.ceil(newJob.expiresInMs) }),
      attemptLog: [],
      acts: [],
    };
  }

  #lease(job: MemoryJob, { worker, leaseMs }: CheckedClaim, { wallMs, monotonicMs }: Moment): LeasedJob {
    const { id, payload, enqueuedAtMs, extras } = job;
    const { queue, name, priority, maxAttempts, backoff } = job.shape;
    const named = backoff.name === undefined ? {} : { backoffName: backoff.name };
    const token = `${digits(this.epoch, 6)}.${digits(++this.#lastToken, 10)}`;
    const attempt = ++job.attempts;
    job.state = 'leased';
    delete job.expiresAtMs;
    job.lease = { worker, token, leasedAtMs: wallMs, leaseMs, deadlineMs: monotonicMs + leaseMs, extensions: 0 };
    job.attemptLog.push({ attempt, worker, startedAtMs: wallMs, outcome: 'running' });
    this.#record(job, wallMs);
    this.totals.claimed++;
    const given = { id, token, queue, name, payload: copyOf(payload), priority, attempt };
    return { ...given, maxAttempts, enqueuedAtMs, leaseMs, ...named, ...structuredClone(extras) };
  }

  /** The ack that completed the job is `ok` again. */
  #isRepeated({ id, token }: LeaseRef): boolean {
    return this.find(id)?.completedBy === token;
  }

  #complete(job: LiveJob, result: Payload | undefined, atMs: number): void {
    this.tell({ kind: 'completed', ...factsOf(job) });
    job.completedBy = job.lease.token;
    if (result !== undefined) job.result = copyOf(result);
    job.state = 'completed';
    this.#keys.completed(job, atMs);
    this.#endLease(job, 'completed', atMs);
    this.totals.completed++;
    this.throughputOf(job.shape.queue).count('completed', atMs);
    this.#forgetOldest(job);
  }

  /** A token that is not the live lease's changes nothing. */
  #settle({ id, token }: LeaseRef, settle: (job: LiveJob) => void): SettleAnswer {
    const job = this.find(id);
    if (job === undefined) return 'missing';
    if (job.state === 'cancelled') return 'cancelled';
    if (!isLeased(job) || job.lease.token !== token) return 'stale';
    settle(job);
    return 'ok';
  }

  #endLease(job: LiveJob, outcome: AttemptOutcome, atMs: number, error?: JobError): void {
    const running = job.attemptLog.pop();
    if (running === undefined) throw new Error(`Job ${job.id} is leased without an attempt.`);
    job.attemptLog.push({ ...running, endedAtMs: atMs, outcome, ...(error === undefined ? {} : { error }) });
    delete (job as MemoryJob).lease;
    this.#record(job, atMs);
  }

  #record(job: MemoryJob, atMs: number): void {
    job.changeNumber = ++this.changes;
    job.updatedAtMs = atMs;
    job.recordedAtMs = atMs;
  }

  /** Only so many completed and so many cancelled jobs of a queue are kept: those that ended last. */
  #forgetOldest(job: MemoryJob): void {
    job.endedNumber = ++this.#ends;
    const { state, shape } = job;
    const kept = boundsOf(retentionOf(this.retention, shape.queue), state)?.count ?? 0;
    const ended = this.jobs.filter((other) => other.state === state && other.shape.queue === shape.queue);
    ended.sort((one, other) => (one.endedNumber ?? 0) - (other.endedNumber ?? 0));
    const forgotten = ended.slice(0, Math.max(0, ended.length - kept));
    this.jobs = this.jobs.filter((other) => !forgotten.includes(other));
  }

  /** Enqueued later, ranked later, also if the wall clock was set back in between. */
  #undelayedRank(atMs: number): number {
    this.#lastRankMs = Math.max(this.#lastRankMs, atMs);
    return this.#lastRankMs;
  }
}
