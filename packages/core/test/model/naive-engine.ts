import { type ActOutcome, type JobState, LIFECYCLE, type Retention, type SettleAnswer } from '@holdfast/contract';
import { boundsOf, type CheckedDedupe, keptUntilMs, retentionOf } from '@holdfast/contract/rules';
import { NaiveNotes, type NaiveTold } from './naive-notes.js';

/** A job as the model sees it: an object with everything in it. */
export interface NaiveJob {
  readonly id: number;
  queue: string;
  name: string;
  priority: number;
  maxAttempts: number | null;
  enqueuedAtMs: number;
  payload: string;
  key: string | undefined;
  /** When the window of the key is over; 0 without one. */
  keyUntilMs: number;
  takesKey: boolean;
  /** Until it is first leased; 0: it may wait for ever. */
  expiresAtMs: number;
  state: JobState;
  attempts: number;
  runAtMs: number;
  rankAtMs: number;
  /** The last record said that it has to wait, so a replay finds it scheduled until the wall clock says otherwise. */
  waits: boolean;
  token: number;
  deadlineMs: number;
  /** The order in which jobs of its queue that came to an end are forgotten, and when that was. */
  endedOrder: number;
  endedAtMs: number;
  readonly notes: NaiveNotes;
}

export interface NaiveTime {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export interface NaiveSpec {
  readonly queue: string;
  readonly name: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly delayMs: number;
  readonly expiresInMs?: number | undefined;
  readonly payload?: string;
  readonly dedupe?: CheckedDedupe | undefined;
}

export interface NaiveAnswer {
  readonly id: number;
  readonly state: JobState;
  readonly outcome: 'created' | 'duplicate' | 'replaced';
}

export interface NaivePause {
  readonly sinceMs: number;
  readonly untilMs: number | undefined;
  /** Not over yet. */
  holds: boolean;
}

export type NaiveAct = 'cancel' | 'remove' | 'runNow' | 'reprioritise' | 'transfer';

/** Where a transfer goes: drawn with the priority, so that an operation needs no more fields. */
export function targetOf(priority: number): string {
  return priority % 2 === 0 ? 'a' : 'b';
}

export const BACKOFF_MS = 700;

/**
 * The same promises as the engine's, kept in one array with linear searches and no log: what is obviously right, to compare with. Its
 * backoff is fixed.
 */
export class NaiveEngine {
  jobs: NaiveJob[] = [];
  #nextId = 1;
  #lastRankMs = 0;
  #ends = 0;
  readonly pauses = new Map<string, NaivePause>();
  readonly #retention: Retention;
  /** Keys that completed jobs take, whether they are remembered or not. */
  readonly #windows = new Map<string, { readonly id: number; readonly untilMs: number }>();

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  enqueue(specs: readonly NaiveSpec[], { wallMs }: NaiveTime): NaiveAnswer[] {
    return specs.map((spec) => {
      const { queue, dedupe } = spec;
      const holders = this.jobs.filter((job) => job.takesKey && job.queue === queue && job.key === dedupe?.key);
      const holder = holders.findLast(({ state }) => state !== 'leased') ?? holders.at(-1);
      const window = dedupe === undefined ? undefined : this.#windows.get(`${queue} ${dedupe.key}`);
      if (holder === undefined && window !== undefined && window.untilMs > wallMs) {
        return { id: window.id, state: 'completed', outcome: 'duplicate' };
      }
      const runsOnceMore = dedupe?.onConflict === 'runOnceMore' && holder?.state === 'leased';
      if (holder === undefined || runsOnceMore) {
        const id = this.#nextId++;
        return { id, state: this.#put(id, spec, wallMs), outcome: 'created' };
      }
      if (dedupe?.onConflict === 'replace' && holder.state !== 'leased') {
        return { id: holder.id, state: this.#put(holder.id, spec, wallMs), outcome: 'replaced' };
      }
      return { id: holder.id, state: holder.state, outcome: 'duplicate' };
    });
  }

  /** A new job, also in the place of one that had this id. */
  #put(id: number, { delayMs, expiresInMs, dedupe, payload = '', ...spec }: NaiveSpec, wallMs: number): JobState {
    const runAtMs = wallMs + delayMs;
    const state = delayMs > 0 ? 'scheduled' : 'ready';
    this.jobs = this.jobs.filter((other) => other.id !== id);
    this.jobs.push({
      ...spec,
      id,
      payload,
      enqueuedAtMs: wallMs,
      state,
      attempts: 0,
      runAtMs,
      rankAtMs: delayMs > 0 ? runAtMs : this.#rank(wallMs),
      waits: delayMs > 0,
      token: 0,
      deadlineMs: 0,
      expiresAtMs: expiresInMs === undefined ? 0 : wallMs + expiresInMs,
      endedOrder: 0,
      endedAtMs: 0,
      notes: new NaiveNotes(),
      key: dedupe?.key,
      keyUntilMs: dedupe === undefined || dedupe.forMs === 0 ? 0 : wallMs + dedupe.forMs,
      takesKey: dedupe !== undefined,
    });
    this.jobs.sort((one, other) => one.id - other.id);
    if (dedupe !== undefined) this.#windows.delete(`${spec.queue} ${dedupe.key}`);
    return state;
  }

  /** Jobs that a claim must get, in order. The caller then says which tokens they got. */
  claimable(queues: readonly string[], names: readonly string[] | undefined, limit: number): NaiveJob[] {
    return this.jobs
      .filter(
        ({ state, queue, name }) =>
          state === 'ready' &&
          queues.includes(queue) &&
          (names?.includes(name) ?? true) &&
          this.pauses.get(queue)?.holds !== true,
      )
      .sort((one, other) => one.priority - other.priority || one.rankAtMs - other.rankAtMs || one.id - other.id)
      .slice(0, limit);
  }

  lease(job: NaiveJob, token: number, deadlineMs: number): void {
    job.state = 'leased';
    job.attempts++;
    job.notes.begin();
    job.expiresAtMs = 0;
    job.token = token;
    job.deadlineMs = deadlineMs;
  }

  /** All items are answered by what was before the call; the same ack twice is `ok` twice. */
  ack(refs: readonly { readonly id: number; readonly token: number }[], { wallMs }: NaiveTime): SettleAnswer[] {
    const answers = refs.map(({ id, token }): SettleAnswer => {
      const job = this.#find(id);
      return job?.state === 'completed' && job.token === token ? 'ok' : this.#check(job, token);
    });
    for (const { id, token } of refs) {
      const job = this.#find(id);
      if (job !== undefined && this.#check(job, token) === 'ok') this.#end(job, 'completed', wallMs);
    }
    return answers;
  }

  fail(id: number, token: number, ending: 'backoff' | 'dead' | 'cancel' | number, { wallMs }: NaiveTime): SettleAnswer {
    const job = this.#find(id);
    const answer = this.#check(job, token);
    if (answer !== 'ok' || job === undefined) return answer;
    if (ending === 'cancel') this.#end(job, 'cancelled', wallMs);
    else this.#endAttempt(job, ending, wallMs);
    return answer;
  }

  release(id: number, token: number, delayMs: number, { wallMs }: NaiveTime): SettleAnswer {
    const job = this.#find(id);
    const answer = this.#check(job, token);
    if (answer !== 'ok' || job === undefined) return answer;
    job.attempts--;
    job.runAtMs = wallMs + delayMs;
    job.waits = delayMs > 0;
    job.state = delayMs > 0 ? 'scheduled' : 'ready';
    return answer;
  }

  extend(id: number, token: number, leaseMs: number, { monotonicMs }: NaiveTime): SettleAnswer {
    const job = this.#find(id);
    const answer = this.#check(job, token);
    if (answer === 'ok' && job !== undefined) job.deadlineMs = monotonicMs + leaseMs;
    return answer;
  }

  note(id: number, token: number, told: NaiveTold): SettleAnswer {
    const job = this.#find(id);
    const answer = this.#check(job, token);
    if (answer === 'ok') job?.notes.add(told);
    return answer;
  }

  redrive(jobs: readonly NaiveJob[], { wallMs }: NaiveTime): number {
    const dead = jobs.filter(({ state }) => state === 'dead');
    for (const job of dead) {
      job.state = 'ready';
      job.attempts = 0;
      job.runAtMs = wallMs;
      job.rankAtMs = this.#rank(wallMs);
      job.waits = false;
    }
    return dead.length;
  }

  act(kind: NaiveAct, priority: number, jobs: readonly NaiveJob[], { wallMs }: NaiveTime): ActOutcome {
    const skipped: Partial<Record<JobState, number>> = {};
    let done = 0;
    for (const job of jobs) {
      const isThere = kind === 'transfer' && job.queue === targetOf(priority);
      if (LIFECYCLE[job.state][kind] === 'refused' || isThere) {
        skipped[job.state] = (skipped[job.state] ?? 0) + 1;
        continue;
      }
      done++;
      if (kind === 'cancel') this.#end(job, 'cancelled', wallMs);
      else if (kind === 'remove') {
        this.#freeKey(job);
        this.jobs = this.jobs.filter((other) => other !== job);
      } else if (kind === 'reprioritise') job.priority = priority;
      else if (kind === 'transfer') {
        this.#freeKey(job);
        job.queue = targetOf(priority);
      } else {
        job.state = 'ready';
        job.waits = false;
        job.runAtMs = wallMs;
        job.rankAtMs = Math.min(job.rankAtMs, this.#rank(wallMs));
      }
    }
    return { matched: jobs.length, done, skipped };
  }

  clone(job: NaiveJob, time: NaiveTime): number {
    const { queue, name, priority, maxAttempts } = job;
    return this.enqueue([{ queue, name, priority, maxAttempts, delayMs: 0, payload: job.payload }], time)[0]!.id;
  }

  pause(queue: string, forMs: number | undefined, { wallMs }: NaiveTime): NaivePause {
    const former = this.pauses.get(queue);
    const sinceMs = former?.holds === true ? former.sinceMs : wallMs;
    const pause = { sinceMs, untilMs: forMs === undefined ? undefined : wallMs + forMs, holds: true };
    this.pauses.set(queue, pause);
    return pause;
  }

  resume(queue: string): boolean {
    return this.pauses.get(queue)?.holds === true && this.pauses.delete(queue);
  }

  /** What the wall clock does by itself: expiries first, then ends of pauses and jobs that become due. */
  due({ wallMs }: NaiveTime): void {
    const expired = this.jobs.filter(
      ({ state, expiresAtMs }) =>
        (state === 'scheduled' || state === 'ready') && expiresAtMs > 0 && expiresAtMs <= wallMs,
    );
    expired.sort((one, other) => one.expiresAtMs - other.expiresAtMs || one.id - other.id);
    for (const job of expired) this.#end(job, 'cancelled', wallMs);
    for (const pause of this.pauses.values()) if ((pause.untilMs ?? wallMs + 1) <= wallMs) pause.holds = false;
    for (const job of this.jobs) if (job.state === 'scheduled' && job.runAtMs <= wallMs) job.state = 'ready';
    for (const group of this.#ended()) this.#forget(group, wallMs);
  }

  /** Wall-clock time at which a job may expire or be forgotten next. */
  nextWallMs(): number {
    const waiting = this.jobs.filter(({ state }) => state === 'scheduled' || state === 'ready');
    const expiries = waiting.filter(({ expiresAtMs }) => expiresAtMs > 0).map(({ expiresAtMs }) => expiresAtMs);
    const kept = this.#ended().flatMap((group) => group.map((job) => this.#untilMs(job)));
    return Math.min(Number.POSITIVE_INFINITY, ...expiries, ...kept);
  }

  /** The next lease that ends at or before `untilMs`. */
  nextExpiry(untilMs: number): NaiveJob | undefined {
    return this.jobs
      .filter(({ state, deadlineMs }) => state === 'leased' && deadlineMs <= untilMs)
      .sort((one, other) => one.deadlineMs - other.deadlineMs || one.token - other.token)[0];
  }

  expire(job: NaiveJob, wallMs: number): void {
    this.#endAttempt(job, 'backoff', wallMs);
  }

  reopen({ wallMs }: NaiveTime): void {
    // That a pause ended by itself is not recorded: a clock that was set back since makes it hold again.
    for (const pause of this.pauses.values()) pause.holds = (pause.untilMs ?? wallMs + 1) > wallMs;
    const leased = this.jobs.filter(({ state }) => state === 'leased');
    for (const job of leased.sort((one, other) => one.token - other.token)) this.#endAttempt(job, 'backoff', wallMs);
    for (const job of this.jobs) {
      if (job.state === 'ready' && job.waits && job.runAtMs > wallMs) job.state = 'scheduled';
    }
  }

  #end(job: NaiveJob, state: 'completed' | 'cancelled', wallMs: number): void {
    job.state = state;
    const tookKey = job.takesKey;
    this.#freeKey(job);
    if (state === 'completed' && tookKey && job.keyUntilMs > wallMs) {
      this.#windows.set(`${job.queue} ${job.key}`, { id: job.id, untilMs: job.keyUntilMs });
    }
    job.expiresAtMs = 0;
    job.endedOrder = ++this.#ends;
    job.endedAtMs = wallMs;
    const ended = this.jobs.filter((other) => other.queue === job.queue && other.state === state);
    if (ended.length <= retentionOf(this.#retention, job.queue)[state].count) return;
    ended.sort((one, other) => one.endedOrder - other.endedOrder);
    this.jobs = this.jobs.filter((other) => other !== ended[0]);
  }

  /** Jobs that came to an end, by queue and state, in order. */
  #ended(): NaiveJob[][] {
    const groups = new Map<string, NaiveJob[]>();
    for (const job of this.jobs) {
      if (boundsOf(retentionOf(this.#retention, job.queue), job.state) === undefined) continue;
      const key = `${job.state} ${job.queue}`;
      groups.set(key, [...(groups.get(key) ?? []), job]);
    }
    return [...groups.values()].map((group) => group.sort((one, other) => one.endedOrder - other.endedOrder));
  }

  #untilMs({ queue, state, endedAtMs }: NaiveJob): number {
    const ageMs = boundsOf(retentionOf(this.#retention, queue), state)?.ageMs ?? null;
    return ageMs === null ? Number.POSITIVE_INFINITY : keptUntilMs(endedAtMs, ageMs);
  }

  /** Too many, and too old; one that ended in what is the future now goes with the first that is too old after it. */
  #forget(group: readonly NaiveJob[], wallMs: number): void {
    const { queue, state } = group[0]!;
    const tooMany = group.length - (boundsOf(retentionOf(this.#retention, queue), state)?.count ?? 0);
    const rest = group.slice(Math.max(0, tooMany));
    const past = rest.filter(({ endedAtMs }) => endedAtMs <= wallMs);
    const young = past.findIndex((job) => this.#untilMs(job) > wallMs);
    const lastOld = (young === -1 ? past : past.slice(0, young)).at(-1);
    const gone = new Set(group.filter((job) => !rest.includes(job) || job.endedOrder <= (lastOld?.endedOrder ?? 0)));
    this.jobs = this.jobs.filter((job) => !gone.has(job));
  }

  #endAttempt(job: NaiveJob, ending: 'backoff' | 'dead' | number, wallMs: number): void {
    if (ending === 'dead' || (job.maxAttempts !== null && job.attempts >= job.maxAttempts)) {
      job.state = 'dead';
      job.endedOrder = ++this.#ends;
      job.endedAtMs = wallMs;
      this.#freeKey(job);
      return;
    }
    job.state = 'scheduled';
    job.waits = true;
    job.runAtMs = wallMs + (ending === 'backoff' ? BACKOFF_MS : ending);
  }

  #freeKey(job: NaiveJob): void {
    job.takesKey = false;
    const name = `${job.queue} ${job.key}`;
    if (this.#windows.get(name)?.id === job.id) this.#windows.delete(name);
  }

  #rank(wallMs: number): number {
    this.#lastRankMs = Math.max(this.#lastRankMs, wallMs);
    return this.#lastRankMs;
  }

  #find(id: number): NaiveJob | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  #check(job: NaiveJob | undefined, token: number): SettleAnswer {
    if (job === undefined) return 'missing';
    if (job.state === 'cancelled') return 'cancelled';
    return job.state === 'leased' && job.token === token ? 'ok' : 'stale';
  }
}
