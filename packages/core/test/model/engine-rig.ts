import type {
  ActedBy,
  ActOutcome,
  HoldfastError,
  JobError,
  Payload,
  QueuePause,
  RetentionOptions,
  Selection,
  SettleAnswer,
} from '@holdfast/contract';
import { checkedRetention } from '@holdfast/contract/rules';
import { VirtualClock } from '@holdfast/testing';
import type {
  ClaimedJob,
  CloneAnswer,
  EngineAck,
  EngineClaim,
  EngineExtend,
  EngineFail,
  EngineJob,
  EngineLeaseRef,
  EngineNote,
  EngineRelease,
  EnqueueAnswer,
  JobAct,
  JobShape,
  PendingClaim,
} from '../../src/engine/engine-calls.js';
import { inColumns } from '../../src/engine/engine-jobs.js';
import { type EngineOptions, LogEngine } from '../../src/engine/log-engine.js';
import { formatId } from '../../src/identity.js';
import { OUTCOMES } from '../../src/state/enqueue-answer.js';
import { stateName } from '../../src/state/job-state.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { type FaultPlan, SimFileSystem } from '../sim/sim-file-system.js';
import { keeping } from './keeping.js';

export const SHAPE: JobShape = {
  queue: 'mail',
  name: 'send',
  priority: 0,
  maxAttempts: 5,
  backoff: { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' },
};

const TURNS_MAX = 10_000;

type SimpleAct = Exclude<JobAct['kind'], 'reprioritise' | 'transfer'>;

/** What a callback was called with; `called` counts how often. */
export interface Answer<Value> {
  called: number;
  error: HoldfastError | undefined;
  value: Value | undefined;
}

export interface RigOptions {
  readonly seed?: number;
  /** With a store on it already, perhaps. */
  readonly disk?: SimDisk;
  readonly completedKept?: number;
  /** Instead of `completedKept`, with which nothing is forgotten for its age. */
  readonly retention?: RetentionOptions;
  readonly segmentBytes?: number;
  readonly compactionStepJobs?: number;
  readonly reserveBytes?: number;
  /** For random lives: the disk is full at some times, and has room at others. */
  readonly fullAtTimes?: boolean;
  /** Calls `expireLeases` as soon as leases are due; default true. */
  readonly alive?: boolean;
}

/** An engine on a simulated disk and a virtual clock, with short calls for tests. */
export class EngineRig {
  readonly clock = new VirtualClock();
  readonly disk: SimDisk;
  readonly random: SeededRandom;
  readonly fatal: HoldfastError[] = [];
  /** Of the next open. */
  options: RigOptions;
  leasesDue = 0;
  fullChanges = 0;
  alive: boolean;
  files: SimFileSystem;
  engine: LogEngine;

  constructor(options: RigOptions = {}) {
    this.options = options;
    this.alive = options.alive ?? true;
    this.disk = options.disk ?? new SimDisk();
    this.random = new SeededRandom(options.seed ?? 1);
    this.files = new SimFileSystem(this.disk, this.random);
    this.engine = this.#open();
  }

  /** The former engine ends without a word (or `closed` in order), and the next one opens. */
  reopen(how: 'killed' | 'crashed' | 'closed' = 'killed', plan?: FaultPlan): void {
    if (how === 'closed') this.close();
    this.clock.stall(1);
    if (how === 'crashed') this.disk.crash(this.random);
    else this.disk.kill();
    this.clock.dropTimers();
    this.files = new SimFileSystem(this.disk, this.random, plan);
    this.engine = this.#open();
  }

  close(): void {
    let closed = 0;
    this.engine.close(() => closed++);
    this.settle();
    if (closed !== 1) throw new Error(`close was answered ${closed} times`);
  }

  /** Ends the turn and lets syncs end until nothing is under way. */
  settle(): void {
    this.engine.endTurn();
    this.files.finishSyncs();
    this.files.finishSyncs();
  }

  /** Time passes; syncs that begin on the way end at once. */
  advance(ms: number): void {
    this.clock.advanceNow(ms);
    this.files.finishSyncs();
    this.files.finishSyncs();
  }

  enqueue(...jobs: Partial<EngineJob>[]): number[] {
    const answer = this.startEnqueue(...jobs);
    this.settle();
    const { firstId, each } = answered(answer);
    return jobs.map((_, index) => each?.ids[index] ?? firstId + index);
  }

  /** As `enqueue`, with the whole answer to each job. */
  tryEnqueue(...jobs: Partial<EngineJob>[]): { id: number; state: string; outcome: string }[] {
    const answer = this.startEnqueue(...jobs);
    this.settle();
    return eachOf(answered(answer));
  }

  startEnqueue(...jobs: Partial<EngineJob>[]): Answer<EnqueueAnswer> {
    const answer = newAnswer<EnqueueAnswer>();
    const whole = jobs.map((job) => ({ shape: SHAPE, payload: '{}', ...job }));
    this.engine.enqueue(inColumns(whole), noteIn(answer));
    return answer;
  }

  claim(request: Partial<EngineClaim> = {}): readonly ClaimedJob[] {
    const { answer } = this.startClaim(request);
    this.settle();
    return answered(answer);
  }

  startClaim(request: Partial<EngineClaim> = {}): {
    readonly answer: Answer<readonly ClaimedJob[]>;
    readonly pending: PendingClaim;
  } {
    const answer = newAnswer<readonly ClaimedJob[]>();
    const whole = { queues: ['mail'], limit: 100, leaseMs: 30_000, waitMs: 0, worker: 'worker-1', ...request };
    return { answer, pending: this.engine.claim(whole, noteIn(answer)) };
  }

  ack(...items: EngineAck[]): readonly SettleAnswer[] {
    return this.#now((answer) => this.engine.ack(items, noteIn(answer)));
  }

  fail(
    refs: EngineLeaseRef | readonly EngineLeaseRef[],
    ending: EngineFail['then'] = 'backoff',
    error: JobError = { class: 'TypeError', message: 'no such thing' },
  ): readonly SettleAnswer[] {
    const list = 'id' in refs ? [refs] : refs;
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    const items = list.map(({ id, token }) => ({ id, token, error, then: ending }));
    return this.#now((answer) => this.engine.fail(items, noteIn(answer)));
  }

  release(...items: EngineRelease[]): readonly SettleAnswer[] {
    return this.#now((answer) => this.engine.release(items, noteIn(answer)));
  }

  extend(...items: EngineExtend[]): readonly SettleAnswer[] {
    return this.#now((answer) => this.engine.extend(items, noteIn(answer)));
  }

  note(...items: EngineNote[]): readonly SettleAnswer[] {
    return this.#now((answer) => this.engine.note(items, noteIn(answer)));
  }

  act(act: JobAct | SimpleAct, selection: Selection, by: ActedBy = { actor: 'olga' }): ActOutcome {
    const whole: JobAct = typeof act === 'string' ? { kind: act } : act;
    return this.#now((answer) => this.engine.act(whole, selection, by, noteIn(answer)));
  }

  ids(...ids: number[]): Selection {
    return { ids: ids.map((id) => this.text(id)) };
  }

  clone(id: number, payload?: Payload, by: ActedBy = { actor: 'olga' }): number | undefined {
    return this.#now<CloneAnswer>((answer) => this.engine.clone({ id: this.text(id), payload, by }, noteIn(answer))).id;
  }

  pause(queue: string, forMs?: number, by: ActedBy = { actor: 'olga' }): QueuePause {
    return this.#now((answer) => this.engine.pause({ queue, forMs, by }, noteIn(answer)));
  }

  resume(queue: string, by: ActedBy = { actor: 'olga' }): boolean {
    return this.#now((answer) => this.engine.resume({ queue, by }, noteIn(answer)));
  }

  /** Changes one byte of the first file that holds the text. */
  damage(text: string): void {
    for (const inode of this.disk.directory('/store').current.values()) {
      const at = Buffer.from(inode.current).indexOf(text);
      if (at === -1) continue;
      inode.current[at]! ^= 1;
      return;
    }
    throw new Error(`no file holds ${text}`);
  }

  text(id: number): string {
    return formatId(this.engine.storeTag, id);
  }

  job(id: number) {
    return this.engine.job(this.text(id));
  }

  state(id: number): string | undefined {
    return this.job(id)?.state;
  }

  /** A call whose answer is looked at when its turn has ended. */
  #now<Value>(call: (answer: Answer<Value>) => void): Value {
    const answer = newAnswer<Value>();
    call(answer);
    this.settle();
    // Acts on many jobs go on in the next turns.
    for (let turn = 0; turn < TURNS_MAX && answer.called === 0; turn++) this.advance(0);
    return answered(answer);
  }

  #open(): LogEngine {
    const options: EngineOptions = {
      log: {
        directory: '/store',
        segmentBytes: this.options.segmentBytes ?? 1024 * 1024,
        reserveBytes: this.options.reserveBytes ?? 0,
      },
      fileSystem: this.files,
      clock: this.clock,
      random: this.random,
      retention:
        this.options.retention === undefined
          ? keeping(this.options.completedKept ?? 1000)
          : checkedRetention(this.options.retention),
      ...(this.options.compactionStepJobs === undefined ? {} : { compactionStepJobs: this.options.compactionStepJobs }),
      onFatal: (error) => this.fatal.push(error),
      onFullChange: () => this.fullChanges++,
      onLeasesDue: () => {
        this.leasesDue++;
        if (this.alive) this.engine.expireLeases();
      },
    };
    return LogEngine.open(options);
  }
}

/** An answer of either form, job by job. */
export function eachOf({ firstId, scheduled, each }: EnqueueAnswer): { id: number; state: string; outcome: string }[] {
  if (each === undefined) {
    return Array.from(scheduled, (waits, index) => {
      return { id: firstId + index, state: waits === 1 ? 'scheduled' : 'ready', outcome: 'created' };
    });
  }
  return Array.from(each.ids, (id, index) => {
    return { id, state: stateName(each.states[index]!), outcome: OUTCOMES[each.outcomes[index]!]! };
  });
}

export function newAnswer<Value>(): Answer<Value> {
  return { called: 0, error: undefined, value: undefined };
}

export function noteIn<Value>(answer: Answer<Value>) {
  return (error: HoldfastError | undefined, value: Value | undefined): void => {
    answer.called++;
    answer.error = error;
    answer.value = value;
  };
}

export function answered<Value>(answer: Answer<Value>): Value {
  if (answer.error !== undefined) throw answer.error;
  if (answer.called !== 1 || answer.value === undefined) throw new Error(`answered ${answer.called} times`);
  return answer.value;
}
