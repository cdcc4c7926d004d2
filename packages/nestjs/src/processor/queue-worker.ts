import { type JobId } from '@holdfast/contract';
import { type Worker, type WorkerEvents } from '@holdfast/core';
import { Logger } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { logUnhandled } from './job-log.js';
import { JobScope } from './job-scope.js';
import { makeWorker } from './make-worker.js';
import { type ProcessorCalls } from './processor-calls.js';
import { ANY_JOB } from './processor-metadata.js';
import { UnhandledNames } from './unhandled-names.js';
import { type QueueWorkerPlan } from './worker-plans.js';

/** A handler that ignores that its time is over. */
export interface RunawayHandler {
  readonly id: JobId;
  readonly name: string;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly runningMs: number;
}

/** What a worker of this application does. */
export interface QueueWorkerReport {
  /** As it is registered. */
  readonly queue: string;
  /** What the store calls it. */
  readonly queueName: string;
  readonly connection: string;
  /** What the store shows beside the jobs that run here. */
  readonly worker: string;
  /** The job names that are handled here, or `all`. Jobs of other names are left waiting. */
  readonly names: readonly string[] | 'all';
  /** Other names that were seen waiting since the start: "no handler online" here. */
  readonly unhandled: readonly string[];
  /** `idle`: made, but not started. */
  readonly state: 'idle' | 'working' | 'closed';
  /** Handlers at work now. */
  readonly running: number;
  /** Handlers that still run though their attempts were given up after `timeoutMs`. They hold no slot. */
  readonly runaways: readonly RunawayHandler[];
}

/** A worker asks a failing store again after at most 5 s, and a store that reopens lets it wait for up to 10 s. */
const CLAIM_FAILED_MS = 20_000;

/** The worker of one queue, made of what all its processors here say together. */
export class QueueWorker {
  readonly #plan: QueueWorkerPlan;
  readonly #worker: Worker;
  readonly #unhandled: UnhandledNames | undefined;
  #claimFailedAtMs: number | undefined;
  #state: QueueWorkerReport['state'] = 'idle';

  /** @throws ProcessorOptionError naming the processors and the option. */
  constructor(plan: QueueWorkerPlan, calls: ProcessorCalls) {
    this.#plan = plan;
    this.#worker = makeWorker(plan, calls);
    this.#unhandled = watchFor(plan, calls);
    this.#worker.on('error', ({ during }) => {
      if (during === 'claim') this.#claimFailedAtMs = performance.now();
    });
    this.#worker.on('released', ({ delayMs }) => {
      if (delayMs === undefined) plan.connection.noteHandedBack();
    });
  }

  get name(): string {
    return this.#plan.queue;
  }

  get queueName(): string {
    return this.#plan.queueName;
  }

  /** For people: the queue, with its connection where that has a name. */
  get label(): string {
    const { name } = this.connection;
    return name === DEFAULT_CONNECTION ? this.queueName : `${name}/${this.queueName}`;
  }

  get connection(): Connection {
    return this.#plan.connection;
  }

  /** Says in plain words why jobs are not claimed though they should be. */
  get problem(): string | undefined {
    if (this.#state !== 'working' || this.#claimFailedAtMs === undefined) return undefined;
    const agoMs = performance.now() - this.#claimFailedAtMs;
    if (agoMs > CLAIM_FAILED_MS) return undefined;
    return `the worker of the queue "${this.queueName}" cannot claim: its last try failed ${Math.round(agoMs / 1000)} s ago`;
  }

  on<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void {
    this.#worker.on(name, listener);
  }

  get autoStart(): boolean {
    return this.#plan.options.autoStart ?? true;
  }

  isOf(queue: string | undefined, connection: string | undefined): boolean {
    if (queue === undefined) return connection === undefined || this.#plan.connection.name === connection;
    return this.#plan.queue === queue && this.#plan.connection.name === (connection ?? DEFAULT_CONNECTION);
  }

  start(): void {
    this.#worker.start();
    this.#unhandled?.start();
    this.#state = 'working';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#unhandled?.stop();
    const closing = this.#worker.close();
    await (this.connection.surroundings?.letEnd(closing) ?? closing);
  }

  report(): QueueWorkerReport {
    const { queue, queueName, connection } = this.#plan;
    return {
      queue,
      queueName,
      connection: connection.name,
      worker: this.#worker.name,
      names: namesOf(this.#plan),
      unhandled: this.#unhandled?.seen ?? [],
      state: this.#state,
      running: this.#worker.running,
      runaways: this.#worker.runaways().map(({ job: { id, name, attempt }, timeoutMs, runningMs }) => {
        return { id, name, attempt, timeoutMs, runningMs };
      }),
    };
  }
}

/** The names that a plan has methods or a file for, or `all`. */
function namesOf({ handlers, options: { isolation, names = [] } }: QueueWorkerPlan): readonly string[] | 'all' {
  if (handlers.has(ANY_JOB) || (isolation !== undefined && names.length === 0)) return 'all';
  return [...[...handlers.keys()].filter((job) => job !== ANY_JOB), ...names];
}

/** Nothing where every name is handled. */
function watchFor(plan: QueueWorkerPlan, calls: ProcessorCalls): UnhandledNames | undefined {
  const { queueName: queue, connection, listeners } = plan;
  const handled = namesOf(plan);
  if (handled === 'all') return undefined;
  const hooks = listeners.filter(({ event }) => event === 'unhandled').map((listener) => calls.hook(listener));
  const logger = new Logger(`Holdfast ${queue}`);
  const watch = new UnhandledNames(queue, handled, connection.store, (found) => {
    logUnhandled(found, logger);
    for (const hook of hooks) void callHook(() => hook(found, new JobScope()));
  });
  connection.interceptEnqueue(async (jobs, enqueue) => {
    const answers = await enqueue(jobs);
    for (const job of jobs) if (job.queue === queue) watch.note(job.name);
    return answers;
  });
  return watch;
}

/** What a hook throws becomes a process warning, as with the events of a worker. */
async function callHook(hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
