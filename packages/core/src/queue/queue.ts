import {
  type ActedBy,
  type ActOutcome,
  type Enqueued,
  type EnqueueOptions,
  InvalidArgumentError,
  JOB_STATES,
  type JobDetail,
  type JobId,
  JobNotCompletedError,
  type JobState,
  type JobStore,
  type NewJob,
  type PauseOptions,
  type QueuePause,
  type Selection,
} from '@holdfast/contract';
import { checkText } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import { checkedStore } from './checked-store.js';
import { JobEnds, orAborted } from './job-ends.js';
import {
  type AnyJobToEnqueue,
  BESIDE_OF_CALL,
  BESIDE_OF_ENTRY,
  callOptionsOf,
  checkDefaults,
  checkOptionNames,
  type JobDefaults,
  type JobMap,
  type JobName,
  type JobOptions,
  type JobToEnqueue,
  jobWith,
} from './job-options.js';
import { jsonCodec } from './json-codec.js';
import { checkCodec, type PayloadCodec } from './payload-codec.js';
import { type AnySchemas, checkPayload, checkSchemas, type InputSchemas, schemaOf } from './schemas.js';
import { type StoredJob, toStoredJob } from './stored-job.js';

/** What a queue asks of a store. */
export type QueueStore<Transaction = never> = Pick<
  JobStore<Transaction>,
  | 'enqueue'
  | 'queues'
  | 'job'
  | 'redrive'
  | 'cancel'
  | 'remove'
  | 'runNow'
  | 'reprioritise'
  | 'transfer'
  | 'pause'
  | 'resume'
  | 'events'
>;

export interface QueueOptions<Jobs extends object = JobMap, Transaction = never> {
  readonly store: QueueStore<Transaction>;
  /** For every job that does not say otherwise itself. */
  readonly defaults?: JobDefaults;
  /** Default: JSON. Workers of the queue need the same one. */
  readonly codec?: PayloadCodec;
  /** Payloads are checked before they are stored. Job names without a schema are not checked. */
  readonly schemas?: InputSchemas<Jobs>;
}

/**
 * What `new Queue` checks, for those who make it later.
 * @throws InvalidArgumentError when the name is none, or the codec or a schema; InvalidDefaultsError when no job could be stored with the defaults.
 */
export function checkQueue(
  name: string,
  { codec, defaults, schemas }: Omit<QueueOptions, 'store' | 'schemas'> & { readonly schemas?: AnySchemas },
): void {
  checkText('queue name', name, LIMITS.queueNameBytesMax);
  if (codec !== undefined) checkCodec(codec);
  checkSchemas(schemas);
  if (defaults !== undefined) checkDefaults(name, defaults);
}

/**
 * Where jobs of one kind of work are put. Holds no state and no resources: make as many as you like, close none.
 *
 * `Jobs` names the payload of each job: `Queue<{ send: Receipt; void: { orderId: string } }>`.
 * `Queue<Record<string, Receipt>>` takes receipts under any name. `Transaction` is what its store takes as one of the caller's: see EnqueueOptions.
 */
export class Queue<Jobs extends object = JobMap, Transaction = never> {
  readonly name: string;
  readonly store: QueueStore<Transaction>;
  readonly codec: PayloadCodec;
  readonly #defaults: JobDefaults | undefined;
  readonly #schemas: InputSchemas<Jobs> | undefined;
  readonly #ends: JobEnds;

  /** @throws InvalidArgumentError when the name or the store is none; InvalidDefaultsError when no job could be stored with the defaults. */
  constructor(name: string, options: QueueOptions<Jobs, Transaction>) {
    checkQueue(name, options as Omit<typeof options, 'schemas'> & { readonly schemas?: AnySchemas });
    this.name = name;
    this.store = checkedStore(options.store, 'enqueue');
    this.codec = options.codec ?? jsonCodec;
    this.#schemas = options.schemas;
    this.#ends = new JobEnds(options.store);
    this.#defaults = options.defaults;
  }

  /**
   * Stores one job. When it resolves the job is on stable storage and survives a crash or a power cut. With a `requestId` the call
   * is safe to repeat: see EnqueueOptions.
   * @throws RequestMismatchError (rejected) if the request id stands for another job.
   * @throws InvalidPayloadError (rejected) if the payload does not fit its schema.
   * @throws PayloadNotJsonError (rejected) naming the part of the payload that JSON would change.
   * @throws InvalidJobError (rejected), StoreClosedError (rejected), StoreFailedError (its `outcome` says which).
   */
  enqueue<Name extends JobName<Jobs>>(
    name: Name,
    payload: Jobs[Name],
    options?: JobOptions & EnqueueOptions<Transaction>,
  ): Promise<Enqueued> {
    // No async function: its frame would be a fifth of all memory that an enqueue costs this thread.
    try {
      const checking = this.#checked(name, payload, 'payload');
      if (checking === undefined) return this.#enqueueOne(name, payload, options);
      return checking.then(() => this.#enqueueOne(name, payload, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stores all jobs or none, in one commit. Answers in input order; errors are those of `enqueue`. */
  async enqueueMany(jobs: readonly JobToEnqueue<Jobs>[], options?: EnqueueOptions<Transaction>): Promise<Enqueued[]> {
    if (jobs.length === 0) return [];
    const checking = this.#checkedFrom(0, jobs);
    if (checking !== undefined) await checking;
    return this.store.enqueue(
      jobs.map((job, index) => {
        checkOptionNames(job, index, BESIDE_OF_ENTRY);
        const { name, payload }: AnyJobToEnqueue = job;
        return this.#newJob(name, payload, job, pathOf(index));
      }),
      options,
    );
  }

  /** How many jobs are in each state; all zero for a queue that never held a job. */
  async counts(): Promise<Readonly<Record<JobState, number>>> {
    const [summary] = await this.store.queues([this.name]);
    if (summary !== undefined) return summary.counts;
    return Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as Record<JobState, number>;
  }

  /** A job of this queue with payload, result and history; `undefined` if the store does not know it (any more). */
  async job(id: JobId): Promise<StoredJob<Jobs[JobName<Jobs>]> | undefined> {
    const detail = await this.store.job(id);
    return detail?.queue === this.name ? toStoredJob(detail, this.codec) : undefined;
  }

  /**
   * Resolves with the result of a job once it is completed, also when it has been already: what its handler returned, or `undefined`. Waits
   * over retries and restarts of the store, for as long as it takes; `signal` ends the wait (`AbortSignal.timeout(5000)`), also while the store
   * does not answer. A result can be read only while the store keeps the job (see retention): wait soon, not days later.
   * @throws JobNotCompletedError if the job is dead or cancelled, or the store does not know it; the reason of the signal;
   * StoreFailedError if the store is away for so long that it refuses all calls; StoreClosedError; InvalidArgumentError if the store cannot tell
   * when jobs end; what the codec throws for a result that it cannot read.
   */
  async waitFor(id: JobId, options: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    if (this.store.events === undefined) {
      throw new InvalidArgumentError('store', 'one that tells no events', 'one with `events`, for waitFor');
    }
    options.signal?.throwIfAborted();
    // Listening begins before the first look, so that no end falls in between.
    const waiter = this.#ends.listen(id);
    try {
      for (;;) {
        // A store that is away may take longer to answer than the caller wants to wait.
        const job = await orAborted(this.store.job(id), options.signal);
        if (job === undefined || job.queue !== this.name) throw new JobNotCompletedError(id, 'missing');
        if (job.state === 'completed') return job.result === undefined ? undefined : this.codec.decode(job.result);
        if (job.state === 'dead' || job.state === 'cancelled') throw notCompleted(job);
        await waiter.next(options.signal);
      }
    } finally {
      waiter.stop();
    }
  }

  /*
   * What operators do, recorded with actor and reason and durable when answered: see JobStore. Ids are those of any queue; `'allDead'`
   * and the like mean jobs of this one.
   */

  /** Dead jobs become ready again with all their attempts: those with the ids, or all of this queue. */
  redrive(jobs: readonly JobId[] | 'allDead', by: ActedBy): Promise<ActOutcome> {
    return this.store.redrive(jobs === 'allDead' ? this.#all('dead') : { ids: jobs }, by);
  }

  /** Jobs that wait or run will not run any more: those with the ids, or all of this queue that wait for their time or are ready. */
  cancel(jobs: readonly JobId[] | 'allScheduled' | 'allReady', by: ActedBy): Promise<ActOutcome> {
    return this.store.cancel(this.#waiting(jobs), by);
  }

  /** The store forgets jobs that are not leased. */
  remove(jobs: readonly JobId[] | 'allDead', by: ActedBy): Promise<ActOutcome> {
    return this.store.remove(jobs === 'allDead' ? this.#all('dead') : { ids: jobs }, by);
  }

  /** Jobs that wait for their time are ready at once. */
  runNow(jobs: readonly JobId[] | 'allScheduled', by: ActedBy): Promise<ActOutcome> {
    return this.store.runNow(this.#waiting(jobs), by);
  }

  /** Jobs that wait take another priority number. */
  reprioritise(
    jobs: readonly JobId[] | 'allScheduled' | 'allReady',
    priority: number,
    by: ActedBy,
  ): Promise<ActOutcome> {
    return this.store.reprioritise(this.#waiting(jobs), priority, by);
  }

  /** Jobs that wait go to another queue, with their place in the order. Their dedupe keys are given up. */
  async transfer(
    jobs: readonly JobId[] | 'allScheduled' | 'allReady',
    queue: string,
    by: ActedBy,
  ): Promise<ActOutcome> {
    const { store } = this;
    if (store.transfer === undefined) throw new InvalidArgumentError('store', 'one without `transfer`', 'one that can');
    return store.transfer(this.#waiting(jobs), queue, by);
  }

  /** No job of the queue starts from now on, until `resume` or for `forMs`; those that run go on. Holds across restarts. */
  pause(by: ActedBy, options?: PauseOptions): Promise<QueuePause> {
    return this.store.pause(this.name, by, options);
  }

  /** Jobs of the queue start again. Answers whether it was paused. */
  resume(by: ActedBy): Promise<boolean> {
    return this.store.resume(this.name, by);
  }

  #waiting(jobs: readonly JobId[] | 'allScheduled' | 'allReady'): Selection {
    if (typeof jobs !== 'string') return { ids: jobs };
    return this.#all(jobs === 'allReady' ? 'ready' : 'scheduled');
  }

  #all(state: JobState): Selection {
    return { all: { state, queue: this.name } };
  }

  /** Looks at the payloads from one place on; see `#checked`. */
  #checkedFrom(from: number, jobs: readonly AnyJobToEnqueue[]): Promise<void> | undefined {
    if (this.#schemas === undefined) return undefined;
    for (let index = from; index < jobs.length; index++) {
      const { name, payload } = jobs[index]!;
      const checking = this.#checked(name, payload, pathOf(index));
      if (checking !== undefined) return checking.then(() => this.#checkedFrom(index + 1, jobs));
    }
    return undefined;
  }

  /**
   * A promise only where the schema needs one. Without it a payload is stored as it was when it was checked, and when the call was made,
   * whatever its caller does with the object afterwards.
   */
  #checked(name: string, payload: unknown, path: string): Promise<unknown> | undefined {
    const schema = schemaOf(this.#schemas, name);
    const checked = schema === undefined ? undefined : checkPayload(schema, name, payload, path);
    return checked instanceof Promise ? checked : undefined;
  }

  #enqueueOne(
    name: string,
    payload: unknown,
    options: (JobOptions & EnqueueOptions<Transaction>) | undefined,
  ): Promise<Enqueued> {
    if (options !== undefined) checkOptionNames(options, 0, BESIDE_OF_CALL);
    const job = this.#newJob(name, payload, options, 'payload');
    return this.store.enqueue([job], callOptionsOf(options)).then(first);
  }

  /** @param path how errors name the payload */
  #newJob(name: string, payload: unknown, options: JobOptions | undefined, path: string): NewJob {
    return jobWith({ queue: this.name, name, payload: this.codec.encode(payload, path) }, options, this.#defaults);
  }
}

const PATHS_KEPT = 1000;
const paths: string[] = [];

/** Made once for the first places of a bulk, since only an error ever shows it. */
function pathOf(index: number): string {
  if (index >= PATHS_KEPT) return `jobs[${index}].payload`;
  paths[index] ??= `jobs[${index}].payload`;
  return paths[index];
}

function notCompleted({ id, state, attemptLog }: JobDetail): JobNotCompletedError {
  return new JobNotCompletedError(id, state, attemptLog.at(-1)?.error);
}

function first(enqueued: readonly Enqueued[]): Enqueued {
  return enqueued[0]!;
}
