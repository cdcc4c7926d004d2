import { type Clock, InvalidArgumentError, type JobStore, type WorkerName } from '@holdfast/contract';
import { checkKeys, checkText } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import { checkedStore } from './checked-store.js';
import type { Handler, Handlers } from './handler.js';
import type { JobMap } from './job-options.js';
import { jsonCodec } from './json-codec.js';
import type { Backoffs } from './named-backoff.js';
import { checkCodec, type PayloadCodec } from './payload-codec.js';
import { type AnySchemas, checkSchemas, type OutputSchemas } from './schemas.js';

/** What a worker asks of a store. */
export type WorkerStore = Pick<
  JobStore,
  'capabilities' | 'claim' | 'ack' | 'fail' | 'release' | 'extend' | 'note' | 'onLeasesCancelled'
>;

export interface WorkerOptions<Jobs extends object = JobMap> {
  readonly store: WorkerStore;
  /** The queue, or queues, to claim from. */
  readonly queue: string | readonly string[];
  /**
   * Handlers by job name. Without `handler`, jobs of other names are left to other workers: they are not claimed here.
   */
  readonly handlers?: Handlers<Jobs>;
  /** For every name that has no handler of its own. */
  readonly handler?: Handler<never>;
  /** Most jobs that run here at the same time. Default 10. */
  readonly concurrency?: number;
  /** How long a job stays ours after its process is gone. Extended by itself while the handler runs. Default 30 s. */
  readonly leaseMs?: number;
  /**
   * How long one attempt may take. After it the signal is aborted (`timeout`), and 500 ms later the attempt has failed with
   * `JobTimeoutError` and its slot is free, whatever the handler does. Default: for ever.
   */
  readonly timeoutMs?: number;
  /** How long to wait after a failed attempt of a job whose backoff is `named`, by that name. */
  readonly backoffs?: Backoffs;
  /** How long `close` lets handlers work on before it aborts their signals. Default 10 s. */
  readonly graceMs?: number;
  /** Shown to operators beside the jobs it runs. */
  readonly name: WorkerName;
  /** Default: JSON. The one that the queue encodes with. */
  readonly codec?: PayloadCodec;
  /** Handlers get what these make of a payload; one that does not fit makes its job dead at once. */
  readonly schemas?: OutputSchemas<Jobs>;
  readonly clock: Clock;
  /** Called when the worker is closed: ends what its handlers run in. Waited for, half a second at most. */
  readonly onClose?: () => Promise<void>;
}

/** The options of a worker, checked and with defaults. */
export interface WorkerPlan {
  readonly store: WorkerStore;
  readonly queues: readonly string[];
  /** `undefined`: all names. */
  readonly names: readonly string[] | undefined;
  readonly handlerOf: (name: string) => Handler;
  readonly concurrency: number;
  /** While jobs wait, two claims and two calls that end attempts are under way at a time: see `claimsInHalves`. */
  readonly claimsInHalves: boolean;
  readonly leaseMs: number;
  /** Infinity: none. */
  readonly timeoutMs: number;
  readonly backoffs: Backoffs;
  readonly graceMs: number;
  readonly name: WorkerName;
  readonly codec: PayloadCodec;
  readonly schemas: AnySchemas | undefined;
  readonly clock: Clock;
  readonly onClose: () => Promise<void>;
}

/** With fewer slots, a claim of half of them fills no turn of the store's thread: both would be answered together. */
const HALVES_FROM = 64;

/** @throws InvalidArgumentError naming the option. */
export function planWorker<Jobs extends object>(options: WorkerOptions<Jobs>): WorkerPlan {
  const queues = checkedQueues(options.queue);
  checkText('name', options.name, LIMITS.workerNameBytesMax);
  const store = checkedStore(options.store, 'claim');
  const { codec = jsonCodec, graceMs = 10_000 } = options;
  checkCodec(codec);
  const schemas = options.schemas as AnySchemas | undefined;
  checkSchemas(schemas);
  const run = checkedRun(options);
  return {
    ...planHandlers(options),
    queues,
    store,
    name: options.name,
    codec,
    schemas,
    clock: options.clock,
    onClose: options.onClose ?? (async () => {}),
    ...run,
    claimsInHalves: claimsInHalves(store, run.concurrency),
    graceMs: checkedGrace(graceMs),
  };
}

/** How the jobs run, whichever they are. For those who make the worker later, too. @throws InvalidArgumentError naming the option. */
export function checkedRun(
  options: Pick<WorkerOptions, 'concurrency' | 'leaseMs' | 'timeoutMs' | 'backoffs'>,
): Pick<WorkerPlan, 'concurrency' | 'leaseMs' | 'timeoutMs' | 'backoffs'> {
  const { concurrency = 10, leaseMs = 30_000, timeoutMs, backoffs = {} } = options;
  return {
    concurrency: whole('concurrency', concurrency, 1, LIMITS.claimJobsMax),
    leaseMs: whole('leaseMs', leaseMs, LIMITS.leaseMsMin, LIMITS.leaseMsMax),
    timeoutMs:
      timeoutMs === undefined ? Number.POSITIVE_INFINITY : whole('timeoutMs', timeoutMs, 1, LIMITS.timeoutMsMax),
    backoffs: checkedBackoffs(backoffs),
  };
}

/**
 * A call to the log store is a message to its thread. With one at a time, that thread sleeps while the handlers of a claim run and this one while
 * the next claim is worked on, and each has to be woken for the other. To a database it is a transaction, of which two halves cost more than one.
 */
function claimsInHalves(store: WorkerStore, concurrency: number): boolean {
  return store.capabilities.kind === 'log' && concurrency >= HALVES_FROM;
}

/** @throws InvalidArgumentError */
export function checkedGrace(graceMs: number): number {
  return whole('graceMs', graceMs, 0, LIMITS.leaseMsMax);
}

function checkedBackoffs(backoffs: Backoffs): Backoffs {
  checkKeys('backoffs', backoffs);
  for (const [name, wait] of Object.entries(backoffs)) {
    checkText('backoffs: a name', name, LIMITS.backoffNameBytesMax);
    if (typeof wait !== 'function') throw new InvalidArgumentError(`backoffs.${name}`, wait, 'a function');
  }
  return backoffs;
}

/** Here, because a store would refuse the name at each claim, and only there. */
function checkedQueues(given: string | readonly string[]): string[] {
  const queues = [given].flat();
  if (queues.length === 0) throw new InvalidArgumentError('queue', 'an empty list', 'at least one queue');
  for (const queue of queues) checkText('queue', queue, LIMITS.queueNameBytesMax);
  return queues;
}

function planHandlers<Jobs extends object>(options: WorkerOptions<Jobs>): Pick<WorkerPlan, 'names' | 'handlerOf'> {
  const byName = new Map(Object.entries(options.handlers ?? {}) as [string, Handler][]);
  for (const [name, handler] of byName) {
    checkText('handlers: a name', name, LIMITS.jobNameBytesMax);
    checkHandler(`handlers.${name}`, handler);
  }
  const forTheRest = options.handler as Handler | undefined;
  if (forTheRest !== undefined) checkHandler('handler', forTheRest);
  if (byName.size === 0 && forTheRest === undefined) {
    throw new InvalidArgumentError('handlers', 'empty', 'at least one handler, or give handler for all names');
  }
  return {
    names: forTheRest === undefined ? [...byName.keys()] : undefined,
    handlerOf: (name) => byName.get(name) ?? forTheRest ?? refuse,
  };
}

/** Here, because otherwise its jobs would be claimed and fail, until each of them is dead. */
function checkHandler(option: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  const hint = 'Is it exported by the module that it is imported from, and is there no circle of imports?';
  throw new InvalidArgumentError(option, handler, 'a function', hint);
}

/** The store was asked for other names only; should it hand one out all the same, the attempt fails and says why. */
function refuse(job: { readonly name: string }): never {
  throw new InvalidArgumentError('job name', job.name, 'one that this worker handles');
}

function whole(option: string, given: number, min: number, max: number): number {
  if (Number.isInteger(given) && given >= min && given <= max) return given;
  throw new InvalidArgumentError(option, given, `a whole number from ${min} to ${max}`);
}
