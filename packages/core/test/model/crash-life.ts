import { JOB_STATES, type JobDetail, type SettleAnswer, StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { expect } from 'vitest';
import type { ClaimedJob, EnqueueAnswer, JobAct } from '../../src/engine/engine-calls.js';
import { inColumns } from '../../src/engine/engine-jobs.js';
import { parseId } from '../../src/identity.js';
import type { FaultPlan } from '../sim/sim-file-system.js';
import { type Answer, EngineRig, eachOf, newAnswer, noteIn, type RigOptions, SHAPE } from './engine-rig.js';

const MAX_ATTEMPTS = 3;
const FINGERPRINT = '5a'.repeat(16);

/** What the outside of the store knows of a job. */
interface KnownJob {
  readonly payload: string;
  /** The enqueue was answered, or named by a duplicate: the job may never be lost. */
  stored: boolean;
  key?: string | undefined;
  /** `final`: seen as completed after an open, so it can never run again. */
  ack: 'none' | 'answered' | 'final';
  /** Attempts that were handed out and that a later open must count. */
  attempts: number;
  /** An act that was answered, or seen after an open: it holds for ever. */
  gone: 'cancelled' | 'removed' | undefined;
  /** Such acts that have no answer yet: the next open says. */
  going: number;
}

/**
 * A store whose process or machine ends at any step, or whose disk fails, again and again, on one disk. All that was answered is kept
 * here and compared after each open; nothing is ever forgotten or released, so every stored job must be there.
 */
export class CrashLife {
  readonly rig: EngineRig;
  opens = 0;
  faults = 0;
  lostAcks = 0;
  acted = 0;
  fills = 0;
  refusedAsFull = 0;
  refusedOpens = 0;
  readonly #known = new Map<number, KnownJob>();
  /** Whether the queue is paused; `undefined` while an answer is missing. */
  #paused: boolean | undefined = false;
  #pauseCalls = 0;
  /** Payloads that were enqueued without an answer yet: each may come up once, or never. */
  readonly #unknown = new Set<string>();
  readonly #payloads = new Set<string>();
  readonly #enqueues: {
    readonly payloads: readonly string[];
    readonly answer: Answer<EnqueueAnswer>;
    readonly isRequest: boolean;
  }[] = [];
  readonly #requests: { readonly id: string; readonly payloads: readonly string[] }[] = [];
  repeats = 0;
  duplicates = 0;
  #held: ClaimedJob[] = [];
  #lastToken = 0;

  movedJobs = 0;

  constructor(seed: number, sizes: RigOptions = { segmentBytes: 64 * 1024 }) {
    this.rig = new EngineRig({ seed, completedKept: 1e6, ...sizes });
  }

  /** One process, until it ends in some way; then the next one opens. */
  live(turns: number): void {
    const { rig } = this;
    const { random } = rig;
    if (random.chance(0.8)) {
      const fault = random.pick(['end', 'end', 'EIO', 'ENOSPC'] as const);
      rig.files.plan = { atStep: rig.files.steps + random.below(turns * 2), fault };
    }
    this.#unlessEnded(() => {
      for (let turn = 0; turn < turns && rig.fatal.length === 0; turn++) this.#turn();
    });
    this.#noteEnqueues();
    this.#enqueues.length = 0;
    this.#end();
  }

  /** After the last fault every job comes to its end. */
  drain(): void {
    this.rig.disk.capacityBytes = Number.POSITIVE_INFINITY;
    this.rig.advance(10_000);
    this.rig.resume('mail');
    for (let round = 0; round < 40; round++) {
      const jobs = this.rig.claim({ queues: [SHAPE.queue, 'other'] });
      for (const job of jobs) this.#leased(job);
      const answers = jobs.length === 0 ? [] : this.rig.ack(...jobs);
      expect(answers).toEqual(jobs.map(() => 'ok'));
      this.rig.advance(1000);
    }
    for (const [id, { gone }] of this.#known) {
      if (gone === undefined) expect(['completed', 'dead']).toContain(this.rig.state(id));
      else expect(this.rig.state(id)).toBe(gone === 'removed' ? undefined : gone);
    }
  }

  #end(): void {
    const { rig } = this;
    const { random } = rig;
    const broken = rig.fatal.length > 0;
    if (!broken && !rig.files.ended) this.movedJobs += rig.engine.storage().compaction!.movedJobs;
    if (broken || rig.files.ended) this.faults++;
    const powerLost = random.chance(0.5);
    rig.fatal.length = 0;
    for (let opened = false; !opened; ) {
      const plan = random.chance(0.3) ? { atStep: random.below(20), fault: 'end' as const } : undefined;
      opened = this.#unlessEnded(() => this.#reopen(powerLost ? 'crashed' : 'killed', plan));
      this.opens++;
    }
    rig.files.plan = undefined;
    rig.settle();
    this.#check(powerLost || (broken && !rig.files.ended));
  }

  /** On a disk that is full again and again, at last with room. */
  #reopen(how: 'crashed' | 'killed', plan: FaultPlan | undefined): void {
    const { rig } = this;
    try {
      rig.reopen(how, plan);
    } catch (error) {
      const isRefusal = error instanceof StoreOpenError || error instanceof StoreFailedError;
      if (!isRefusal || rig.files.ended || rig.disk.freeBytes === undefined) throw error;
      rig.disk.capacityBytes = Number.POSITIVE_INFINITY;
      this.refusedOpens++;
      rig.reopen(how);
    }
  }

  /** @returns whether the step came to its end before its process did */
  #unlessEnded(step: () => void): boolean {
    try {
      step();
    } catch (error) {
      if (!this.rig.files.ended) throw error;
    }
    return !this.rig.files.ended;
  }

  #turn(): void {
    const { rig } = this;
    const { random } = rig;
    if (rig.options.fullAtTimes) this.#fillOrFree();
    const looks = Array.from({ length: 1 + random.below(4) }, () => this.#call());
    rig.engine.endTurn();
    for (const look of looks) look();
    if (random.chance(0.7)) rig.files.finishSyncs();
    if (random.chance(0.3)) rig.advance(random.below(1500));
    this.#noteEnqueues();
  }

  /** Somebody else fills the disk, or makes room. */
  #fillOrFree(): void {
    const { disk, random } = this.rig;
    if (random.chance(0.1)) {
      disk.capacityBytes = disk.usedBytes + random.below(6000);
      this.fills++;
    }
    if (random.chance(0.1)) disk.capacityBytes = Number.POSITIVE_INFINITY;
  }

  /** Makes a call. @returns what looks at its answer when the turn has ended */
  #call(): () => void {
    const { rig } = this;
    const { random } = rig;
    const which = random.below(7);
    if (which === 5) return this.#act();
    if (which === 6) return random.chance(0.3) ? this.#pauseOrResume() : () => {};
    if (which <= 1) return this.#enqueue();
    if (which === 2 || this.#held.length === 0) {
      const { answer } = rig.startClaim({ limit: 1 + random.below(4), leaseMs: 1000 + random.below(3000) });
      const isPaused = this.#paused === true;
      return () => {
        if (isPaused) expect(answer.value ?? []).toEqual([]);
        for (const job of answer.value ?? []) this.#leased(job);
      };
    }
    const job = random.pick(this.#held);
    const answer = newAnswer<readonly SettleAnswer[]>();
    if (which === 3) {
      rig.engine.ack([job], noteIn(answer));
      return () => {
        const known = this.#known.get(job.id);
        if (known?.ack === 'none' && answer.value?.[0] === 'ok') known.ack = 'answered';
      };
    }
    const error = { class: 'E', message: 'failed' };
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    rig.engine.fail([{ ...job, error, then: 'backoff' }], noteIn(answer));
    return () => {};
  }

  /** Cancels or removes a job. Durable when answered. */
  #act(): () => void {
    const { random } = this.rig;
    const ids = [...this.#known].flatMap(([id, { stored, gone }]) => (stored && gone === undefined ? [id] : []));
    if (ids.length === 0) return () => {};
    const id = random.pick(ids);
    const known = this.#known.get(id)!;
    const plain = { kind: random.pick(['cancel', 'remove', 'runNow'] as const) };
    const ranks: JobAct = { kind: 'reprioritise', priority: random.below(4) };
    const moves: JobAct = { kind: 'transfer', queue: random.pick([SHAPE.queue, 'other']) };
    const act = random.pick<JobAct>([plain, plain, plain, ranks, moves]);
    const { kind } = act;
    const isEnd = kind === 'cancel' || kind === 'remove';
    if (isEnd) known.going++;
    // It gives its key up.
    if (kind === 'transfer') known.key = undefined;
    this.rig.engine.act(act, this.rig.ids(id), { actor: 'olga' }, (error, outcome) => {
      if (error !== undefined || !isEnd) return;
      known.going--;
      if (outcome?.done !== 1) return;
      known.gone = kind === 'cancel' ? 'cancelled' : 'removed';
      this.acted++;
    });
    return () => {};
  }

  #pauseOrResume(): () => void {
    const { engine, random } = this.rig;
    const paused = random.chance(0.4);
    this.#paused = undefined;
    const call = ++this.#pauseCalls;
    const done = (error: unknown) => {
      // A later one holds already, though it is not answered yet.
      if (error === undefined && call === this.#pauseCalls) this.#paused = paused;
    };
    const by = { actor: 'olga' };
    if (paused) engine.pause({ queue: 'mail', by }, done);
    else engine.resume({ queue: 'mail', by }, done);
    return () => {};
  }

  #enqueue(): () => void {
    const { random } = this.rig;
    if (random.chance(0.2)) return this.#enqueueKeyed();
    if (this.#requests.length > 0 && random.chance(0.2)) {
      const request = random.pick(this.#requests);
      this.repeats++;
      return this.#send(request.payloads, request.id);
    }
    const payloads = Array.from({ length: 1 + random.below(3) }, () => `"${this.#payloads.size}"`);
    const unique = payloads.map((payload, index) => `${payload}.${this.#payloads.size}.${index}`);
    for (const payload of unique) {
      this.#payloads.add(payload);
      this.#unknown.add(payload);
    }
    if (random.chance(0.6)) return this.#send(unique);
    const id = `request of ${unique[0]}`;
    this.#requests.push({ id, payloads: unique });
    return this.#send(unique, id);
  }

  /** A request that was made before must not store its payloads again, whether it was answered or not: `#meet` finds it out. */
  #send(payloads: readonly string[], requestId?: string): () => void {
    const shape = { ...SHAPE, maxAttempts: MAX_ATTEMPTS };
    const answer = newAnswer<EnqueueAnswer>();
    const request = requestId === undefined ? undefined : { id: requestId, fingerprint: FINGERPRINT };
    const jobs = payloads.map((payload) => ({ shape, payload }));
    this.rig.engine.enqueue(inColumns(jobs), noteIn(answer), request);
    this.#enqueues.push({ payloads, answer, isRequest: requestId !== undefined });
    return () => {};
  }

  /** Of each key one job is live, but for what runs once more; a job that a duplicate names is never lost. */
  #enqueueKeyed(): () => void {
    const { random, engine } = this.rig;
    const key = `key ${random.below(4)}`;
    const onConflict = random.pick(['keep', 'keep', 'runOnceMore'] as const);
    const payload = `"keyed ${this.#payloads.size}"`;
    this.#payloads.add(payload);
    this.#unknown.add(payload);
    const shape = { ...SHAPE, maxAttempts: MAX_ATTEMPTS };
    const done = (error: unknown, value: EnqueueAnswer | undefined) => {
      if (error !== undefined || value === undefined) return;
      const { id, outcome } = eachOf(value)[0]!;
      if (outcome === 'duplicate') this.#noteDuplicate(id, payload);
      else this.#noteKeyed(this.#meet(id, payload), id, key, onConflict);
    };
    engine.enqueue(inColumns([{ shape, payload, dedupe: { key, onConflict, forMs: 0 } }]), done);
    return () => {};
  }

  #noteDuplicate(id: number, payload: string): void {
    this.duplicates++;
    this.#unknown.delete(payload);
    this.#noteEnqueues();
    const known = this.#known.get(id);
    expect(known).toBeDefined();
    if (known !== undefined) known.stored = true;
  }

  #noteKeyed(known: KnownJob, id: number, key: string, onConflict: 'keep' | 'runOnceMore'): void {
    known.stored = true;
    known.key = key;
    const { fatal, files } = this.rig;
    if (onConflict !== 'keep' || fatal.length > 0 || files.ended) return;
    for (const [other, { key: otherKey }] of this.#known) {
      if (otherKey !== key || other >= id) continue;
      expect(['completed', 'dead', 'cancelled', undefined]).toContain(this.rig.state(other));
    }
  }

  #noteEnqueues(): void {
    for (const call of this.#enqueues.splice(0)) {
      const { payloads, answer, isRequest } = call;
      // What was rejected never appears, unless it is asked for again.
      const isOver = answer.error?.outcome === 'rejected' && !isRequest;
      if (isOver) for (const payload of payloads) this.#unknown.delete(payload);
      if (answer.error?.code === 'STORE_FULL') this.refusedAsFull++;
      const firstId = answer.value?.firstId;
      if (firstId === undefined) {
        if (answer.called === 0) this.#enqueues.push(call);
        continue;
      }
      for (const [index, payload] of payloads.entries()) this.#meet(firstId + index, payload).stored = true;
    }
  }

  /** A job of this id and payload is seen. No phantom, no id twice, no payload twice. */
  #meet(id: number, payload: string): KnownJob {
    let known = this.#known.get(id);
    if (known === undefined) {
      expect(this.#unknown.delete(payload)).toBe(true);
      known = { payload, stored: false, ack: 'none', attempts: 0, gone: undefined, going: 0 };
      this.#known.set(id, known);
    }
    expect([id, payload]).toEqual([id, known.payload]);
    return known;
  }

  #leased(job: ClaimedJob): void {
    this.#noteEnqueues();
    expect(job.token).toBeGreaterThan(this.#lastToken);
    this.#lastToken = job.token;
    const known = this.#meet(job.id, String(job.payload));
    expect([job.id, known.ack, known.gone]).toEqual([job.id, 'none', undefined]);
    expect(job.attempt).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(job.attempt).toBeGreaterThan(known.attempts);
    known.attempts = job.attempt;
    this.#held = [...this.#held.slice(-9), job];
  }

  /** @param mayLose the disk may have lost what was written and not synced: answered acks and attempts */
  #check(mayLose: boolean): void {
    const states = new Map<string, number>();
    for (const row of this.#allRows()) {
      states.set(row.state, (states.get(row.state) ?? 0) + 1);
      const id = parseId(this.rig.engine.storeTag, row.id);
      this.#checkJob(row, this.#meet(id ?? 0, String(row.payload)), mayLose);
    }
    for (const [id, known] of this.#known) {
      this.#noteActs(known, this.rig.state(id));
      if (known.stored && known.gone !== 'removed') expect([id, this.rig.state(id)]).not.toEqual([id, undefined]);
      if (known.gone === 'cancelled') expect([id, this.rig.state(id)]).toEqual([id, 'cancelled']);
      if (known.gone === 'removed') expect([id, this.rig.state(id)]).toEqual([id, undefined]);
    }
    const queues = this.rig.engine.queues();
    const queue = queues.find(({ name }) => name === SHAPE.queue);
    if (this.#paused !== undefined) expect(queue?.paused !== undefined).toBe(this.#paused);
    this.#paused = queue?.paused !== undefined;
    const sumOf = (state: JobDetail['state']) => queues.reduce((sum, { counts }) => sum + counts[state], 0);
    const counted = JOB_STATES.map((state) => [state, sumOf(state)] as const).filter(([, count]) => count > 0);
    expect(new Map(counted)).toEqual(states);
  }

  /** What an open says about an act that was never answered is so from then on. */
  #noteActs(known: KnownJob, state: string | undefined): void {
    if (known.going > 0 && state === 'cancelled') known.gone = 'cancelled';
    if (known.going > 0 && state === undefined) known.gone = 'removed';
    known.going = 0;
  }

  #checkJob(row: JobDetail, known: KnownJob, mayLose: boolean): void {
    expect(row.state).not.toBe('leased');
    const isCompleted = row.state === 'completed';
    if (known.ack === 'final' || (known.ack === 'answered' && !mayLose))
      expect([row.id, row.state]).toEqual([row.id, 'completed']);
    if (known.ack === 'answered' && !isCompleted) this.lostAcks++;
    known.ack = isCompleted ? 'final' : 'none';
    if (!mayLose) expect(row.attempts).toBeGreaterThanOrEqual(known.attempts);
    known.attempts = row.attempts;
    if (row.state === 'dead') expect(row.attempts).toBe(MAX_ATTEMPTS);
    expect(row.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
    const begun = row.attemptLog.filter(({ outcome }) => outcome !== 'running');
    expect(begun.map(({ attempt }) => attempt)).toEqual(Array.from({ length: row.attempts }, (_, index) => index + 1));
  }

  #allRows(): JobDetail[] {
    const rows: JobDetail[] = [];
    let cursor: string | undefined;
    do {
      const page = this.rig.engine.browse({}, cursor === undefined ? { limit: 200 } : { limit: 200, cursor });
      for (const { id } of page.rows) rows.push(this.rig.engine.job(id)!);
      cursor = page.next;
    } while (cursor !== undefined);
    return rows;
  }
}
