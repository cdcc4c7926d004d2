import type { ActOutcome, QueuePause, SettleAnswer } from '@holdfast/contract';
import type { CheckedNote } from '@holdfast/contract/rules';
import type {
  ClaimedJob,
  CloneAnswer,
  EngineClaim,
  EngineJob,
  EnqueueAnswer,
  JobAct,
  JobShape,
  PendingClaim,
} from '../../src/engine/engine-calls.js';
import { inColumns } from '../../src/engine/engine-jobs.js';
import { delivered } from './delivery-check.js';
import type { JobSpec, KnownJob } from './known-job.js';
import type { KnownRequest, Ledger } from './ledger.js';
import type { SeededRandom } from './seeded-random.js';
import { acted, BACKOFF_MS, type SettleCall, settled } from './settle-check.js';
import type { SimProcess } from './sim-process.js';

export const QUEUES = ['mail', 'sms'] as const;
const NAMES = ['send', 'log'] as const;
const HANDLES_KEPT = 40;
const REQUESTS_KEPT = 8;
/** A request is remembered for longer than that. */
const REPEATED_MS = 20 * 3_600_000;
const FINGERPRINT = '5a'.repeat(16);
const BY = { actor: 'olga' };
const BACKOFF = { kind: 'fixed', baseMs: BACKOFF_MS, maxMs: BACKOFF_MS, jitter: 'none' } as const;
const ERROR = { class: 'Error', message: 'no such address', stack: 'at send (mail.js:7)' };

interface Handle {
  readonly id: number;
  readonly token: number;
}

/** Producers, consumers and an operator, who live longer than any process of the store: they keep their old tokens and try them. */
export class SimClients {
  readonly random: SeededRandom;
  readonly #handles: Handle[] = [];
  #waiting: PendingClaim[] = [];
  readonly #prefix: string;
  #payloads = 0;

  /** @param prefix of their payloads: no two clients of a store have the same */
  constructor(random: SeededRandom, prefix = '') {
    this.random = random;
    this.#prefix = prefix;
  }

  /** A process has ended, and with it what waited there. */
  processEnded(): void {
    this.#waiting = [];
  }

  /** One call of somebody. */
  call(process: SimProcess): void {
    const { random } = this;
    const which = random.below(22);
    if (which < 6) this.enqueue(process);
    else if (which < 11) this.claim(process);
    else if (which < 18) this.settle(process);
    else if (which < 20) this.act(process);
    else if (which < 21) this.pauseOrResume(process);
    else this.rare(process);
  }

  enqueue(process: SimProcess): void {
    const { random } = this;
    const { ledger, world } = process;
    const nowMs = world.clock.now();
    // The latest time: a clock that was set forward by a day made the store forget, also where it was set back since.
    const latestMs = world.latestWallMs;
    const repeatable = ledger.requests.filter(
      ({ firstWallMs }) => latestMs - firstWallMs < REPEATED_MS && firstWallMs - nowMs < REPEATED_MS,
    );
    if (repeatable.length > 0 && random.chance(0.25)) {
      this.#request(process, random.pick(repeatable));
      return;
    }
    const count = random.pick([1, 1, 2, 4]);
    if (random.chance(0.2)) {
      const specs = Array.from({ length: count }, () => this.#plainSpec(process));
      const request = { id: `request ${this.#prefix}${this.#payloads}`, specs, firstWallMs: nowMs, firstId: undefined };
      ledger.requests = [...ledger.requests.slice(1 - REQUESTS_KEPT), request];
      this.#request(process, request);
      return;
    }
    const specs = Array.from({ length: count }, () => this.#spec(process));
    const open = ledger.enqueueBegins(specs);
    const done = process.answer<EnqueueAnswer>(
      ({ firstId }) => ledger.enqueueAnswered(open, firstId, ledger.durableSeq),
      ({ outcome }) => ledger.enqueueFailed(open, outcome),
    );
    process.engine.enqueue(inColumns(jobsOf(specs, nowMs)), done);
  }

  /** Makes a request, or makes it again: it is carried out once. */
  #request(process: SimProcess, request: KnownRequest): void {
    const { ledger, world } = process;
    const nowMs = world.clock.now();
    request.firstWallMs = Math.min(request.firstWallMs, nowMs);
    const open = request.firstId === undefined ? ledger.enqueueBegins(request.specs) : undefined;
    const done = process.answer<EnqueueAnswer>(
      ({ firstId }) => {
        if (open !== undefined && request.firstId === undefined)
          ledger.enqueueAnswered(open, firstId, ledger.durableSeq);
        else ledger.requestRepeated(request, firstId);
      },
      ({ outcome }) => {
        if (open !== undefined && request.firstId === undefined) ledger.enqueueFailed(open, outcome);
      },
    );
    process.engine.enqueue(inColumns(jobsOf(request.specs, nowMs)), done, { id: request.id, fingerprint: FINGERPRINT });
  }

  claim(process: SimProcess, request: Partial<EngineClaim> = {}): void {
    const { random } = this;
    const leaseMs = random.pick([50, 400, 3000, 30_000]);
    const { ledger } = process;
    ledger.openClaims++;
    const done = process.answer<readonly ClaimedJob[]>(
      (jobs) => {
        ledger.openClaims--;
        for (const job of jobs) this.#take(process, job, leaseMs);
      },
      ({ outcome }) => {
        if (outcome === 'rejected') ledger.openClaims--;
      },
    );
    const whole = {
      queues: random.pick([['mail'], ['sms'], ['mail', 'sms']]),
      names: random.chance(0.2) ? [random.pick(NAMES)] : undefined,
      limit: 1 + random.below(4),
      leaseMs,
      waitMs: random.chance(0.2) ? random.below(3000) : 0,
      worker: `worker-${random.below(3)}`,
      ...request,
    };
    const pending = process.engine.claim({ ...whole, leaseMs }, done);
    if (whole.waitMs > 0 || random.chance(0.05)) this.#waiting.push(pending);
  }

  #take(process: SimProcess, job: ClaimedJob, leaseMs: number): void {
    delivered(process.ledger, job, leaseMs, process.moment);
    this.#handles.push({ id: job.id, token: job.token });
    if (this.#handles.length > HANDLES_KEPT) this.#handles.shift();
  }

  /** With the token of a lease, of one that has ended, or of one that never was. */
  settle(
    process: SimProcess,
    kind = this.random.pick(['ack', 'ack', 'fail', 'release', 'extend', 'note'] as const),
  ): void {
    const { random } = this;
    if (this.#handles.length === 0) return;
    const recent = this.#handles.slice(-8);
    const { id, token } = random.pick(random.chance(0.8) ? recent : this.#handles);
    this.settleLease(process, id, random.chance(0.05) ? token + random.pick([-1, 1, 2 ** 32]) : token, kind);
  }

  settleLease(process: SimProcess, id: number, token: number, kind: SettleCall['kind']): void {
    const { random } = this;
    const { ledger, engine } = process;
    const job = ledger.jobs.get(id);
    const call = this.#settleCall(kind);
    // Neither of the two ends a lease.
    const ending = call.kind === 'extend' || call.kind === 'note' ? undefined : call.kind;
    if (job !== undefined && ending !== undefined) ledger.begin(job, ending);
    const end = () => {
      if (job !== undefined && ending !== undefined) ledger.end(job, ending);
    };
    const done = process.answer<readonly SettleAnswer[]>(
      ([answer]) => {
        end();
        settled(ledger, id, token, call, answer!, process.moment);
      },
      ({ outcome }) => {
        if (outcome === 'rejected') end();
      },
    );
    const lease = { id, token };
    if (call.kind === 'ack') engine.ack([random.chance(0.3) ? { ...lease, result: `"done ${id}"` } : lease], done);
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    else if (call.kind === 'fail') engine.fail([{ ...lease, error: ERROR, then: call.then }], done);
    else if (call.kind === 'release') engine.release([{ ...lease, delayMs: call.delayMs }], done);
    else if (call.kind === 'extend') engine.extend([{ ...lease, leaseMs: call.leaseMs }], done);
    else engine.note([{ ...lease, note: call.note }], done);
  }

  #settleCall(kind: SettleCall['kind']): SettleCall {
    const { random } = this;
    if (kind === 'ack') return { kind };
    if (kind === 'release') return { kind, delayMs: random.pick([0, 0, 400]) };
    if (kind === 'extend') return { kind, leaseMs: random.pick([100, 2000, 20_000]) };
    if (kind === 'note') return { kind, note: this.#note() };
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    return { kind, then: random.pick(['backoff', 'backoff', 'dead', { retryInMs: 300 }] as const) };
  }

  #note(): CheckedNote {
    const { random } = this;
    const lines = Array.from({ length: random.pick([0, 1, 3]) }, (_, line) => ({ atMs: line, text: `line ${line}` }));
    return { progress: random.pick([undefined, '0.5', '{"step":2}']), lines, droppedLines: random.pick([0, 0, 2]) };
  }

  /** Something that an operator does to one job, or to one that is not there. */
  act(process: SimProcess): void {
    const { random } = this;
    const { ledger } = process;
    if (ledger.jobs.size === 0) return;
    const job = this.#pickJob(ledger);
    const act = random.pick<JobAct>([
      { kind: 'cancel' },
      { kind: 'remove' },
      { kind: 'runNow' },
      { kind: 'reprioritise', priority: random.below(3) },
      { kind: 'transfer', queue: random.pick(QUEUES) },
      { kind: 'redrive' },
      { kind: 'redrive' },
    ]);
    const { kind } = act;
    ledger.begin(job, kind);
    const text = `${process.engine.storeTag}-${job.id.toString(36)}`;
    const done = process.answer<ActOutcome>(
      (outcome) => {
        // What has become of it is seen by the next open.
        if (process.isClosing) return;
        const found = process.readJob(job.id);
        acted(ledger, job, kind, outcome.done, found, process.moment);
      },
      ({ outcome }) => {
        if (outcome === 'rejected') ledger.end(job, kind);
      },
    );
    process.engine.act(act, { ids: [text] }, BY, done);
  }

  #pickJob(ledger: Ledger): KnownJob {
    const jobs = [...ledger.jobs.values()];
    const present = jobs.filter(({ now }) => now.state !== 'removed');
    return this.random.pick(present.length > 0 && this.random.chance(0.95) ? present : jobs);
  }

  pauseOrResume(
    process: SimProcess,
    queue: string = this.random.pick(QUEUES),
    isPause = this.random.chance(0.4),
  ): void {
    const { random } = this;
    const { ledger, engine, world } = process;
    ledger.paused.set(queue, 'open');
    const forMs = random.chance(0.6) ? random.below(2000) + 1 : undefined;
    const untilMs = forMs === undefined ? undefined : world.clock.now() + forMs;
    const order = process.calls;
    const isLast = () => this.#lastPause.get(queue) === order;
    this.#lastPause.set(queue, order);
    if (isPause) {
      const done = process.answer<QueuePause>(() => {
        // It may have ended before it was answered.
        const isOver = untilMs !== undefined && untilMs <= world.latestWallMs;
        if (isLast() && !isOver) ledger.paused.set(queue, { untilMs });
      });
      engine.pause({ queue, forMs, by: BY }, done);
      return;
    }
    const done = process.answer<boolean>(() => {
      if (isLast()) ledger.paused.delete(queue);
    });
    engine.resume({ queue, by: BY }, done);
  }

  readonly #lastPause = new Map<string, number>();

  rare(process: SimProcess): void {
    if (this.#waiting.length > 0 && this.random.chance(0.5)) this.#cancelClaim(process);
    else if (this.random.chance(0.5)) this.clone(process);
  }

  /** What it had leased is given back, so others may have passed it by, and it counts as started: it no longer expires. */
  #cancelClaim({ ledger }: SimProcess): void {
    this.#waiting.splice(this.random.below(this.#waiting.length), 1)[0]!.cancel();
    for (const job of ledger.jobs.values()) {
      if (job.now.state !== 'waiting') continue;
      job.ordered = false;
      job.wasOffered = true;
    }
  }

  clone(process: SimProcess): void {
    const { ledger, engine, world } = process;
    if (ledger.jobs.size === 0) return;
    const original = this.#pickJob(ledger);
    const { spec, openCalls } = original;
    // Which priority it would have, or which queue, is not known.
    if (openCalls.includes('reprioritise') || openCalls.includes('transfer')) return;
    const copy: JobSpec = {
      ...spec,
      priority: original.priority,
      queue: original.queue,
      payload: this.#payload(),
      runAtMs: world.clock.now(),
      expiresAtMs: undefined,
      isDelayed: false,
      isClone: true,
    };
    const open = ledger.enqueueBegins([copy]);
    const done = process.answer<CloneAnswer>(
      ({ id }) => {
        if (id === undefined) ledger.enqueueFailed(open, 'rejected');
        else ledger.enqueueAnswered(open, id, ledger.durableSeq);
      },
      ({ outcome }) => ledger.enqueueFailed(open, outcome),
    );
    const id = `${engine.storeTag}-${original.id.toString(36)}`;
    engine.clone({ id, payload: copy.payload, by: BY }, done);
  }

  #spec({ world }: SimProcess): JobSpec {
    const { random } = this;
    const nowMs = world.clock.now();
    const isDelayed = random.chance(0.25);
    return {
      queue: random.pick(QUEUES),
      name: random.pick(NAMES),
      priority: random.pick([0, 0, 0, 1, 2]),
      maxAttempts: random.pick([null, 1, 3, 3]),
      payload: this.#payload(),
      isDelayed,
      runAtMs: nowMs + (isDelayed ? 1 + random.below(3000) : 0),
      expiresAtMs: random.chance(0.15) ? nowMs + 1 + random.below(5000) : undefined,
    };
  }

  /** Of a request, which may be carried out later than it was first called. */
  #plainSpec(process: SimProcess): JobSpec {
    return { ...this.#spec(process), isDelayed: false, runAtMs: process.world.clock.now(), expiresAtMs: undefined };
  }

  /** No two are alike, and now and then one is long. */
  #payload(): string {
    const length = this.random.chance(0.1) ? 700 : this.random.below(60);
    return `"${this.#prefix}${this.#payloads++} ${'p'.repeat(length)}"`;
  }
}

function jobsOf(specs: readonly JobSpec[], nowMs: number): EngineJob[] {
  return specs.map((spec) => jobOf(spec, nowMs));
}

function jobOf(
  { queue, name, priority, maxAttempts, payload, runAtMs, expiresAtMs, isDelayed }: JobSpec,
  nowMs: number,
): EngineJob {
  const shape: JobShape = { queue, name, priority, maxAttempts, backoff: BACKOFF };
  const expiresInMs = expiresAtMs === undefined ? undefined : expiresAtMs - nowMs;
  return { shape, payload, delayMs: isDelayed ? runAtMs - nowMs : 0, expiresInMs };
}
