import type { JobState, SettleAnswer } from '@holdfast/contract';

/** A job as the model sees it: an object with everything in it. */
export interface NaiveJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly enqueuedAtMs: number;
  state: JobState;
  attempts: number;
  runAtMs: number;
  rankAtMs: number;
  /** The last record said that it has to wait, so a replay finds it scheduled until the wall clock says otherwise. */
  waits: boolean;
  token: number;
  deadlineMs: number;
  /** Of the acks of its queue: the order in which completed jobs are forgotten. */
  completedOrder: number;
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
  #acks = 0;
  readonly #completedKept: number;

  constructor(completedKept: number) {
    this.#completedKept = completedKept;
  }

  enqueue(specs: readonly NaiveSpec[], { wallMs }: NaiveTime): number[] {
    return specs.map(({ delayMs, ...spec }) => {
      const id = this.#nextId++;
      const runAtMs = wallMs + delayMs;
      this.jobs.push({
        ...spec,
        id,
        enqueuedAtMs: wallMs,
        state: delayMs > 0 ? 'scheduled' : 'ready',
        attempts: 0,
        runAtMs,
        rankAtMs: delayMs > 0 ? runAtMs : this.#rank(wallMs),
        waits: delayMs > 0,
        token: 0,
        deadlineMs: 0,
        completedOrder: 0,
      });
      return id;
    });
  }

  /** Jobs that a claim must get, in order. The caller then says which tokens they got. */
  claimable(queues: readonly string[], names: readonly string[] | undefined, limit: number): NaiveJob[] {
    return this.jobs
      .filter(
        ({ state, queue, name }) => state === 'ready' && queues.includes(queue) && (names?.includes(name) ?? true),
      )
      .sort((one, other) => one.priority - other.priority || one.rankAtMs - other.rankAtMs || one.id - other.id)
      .slice(0, limit);
  }

  lease(job: NaiveJob, token: number, deadlineMs: number): void {
    job.state = 'leased';
    job.attempts++;
    job.token = token;
    job.deadlineMs = deadlineMs;
  }

  /** All items are answered by what was before the call; the same ack twice is `ok` twice. */
  ack(refs: readonly { readonly id: number; readonly token: number }[]): SettleAnswer[] {
    const answers = refs.map(({ id, token }): SettleAnswer => {
      const job = this.#find(id);
      return job?.state === 'completed' && job.token === token ? 'ok' : this.#check(job, token);
    });
    for (const { id, token } of refs) {
      const job = this.#find(id);
      if (job !== undefined && this.#check(job, token) === 'ok') this.#complete(job);
    }
    return answers;
  }

  fail(id: number, token: number, ending: 'backoff' | 'dead' | number, { wallMs }: NaiveTime): SettleAnswer {
    const job = this.#find(id);
    const answer = this.#check(job, token);
    if (answer === 'ok' && job !== undefined) this.#endAttempt(job, ending, wallMs);
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

  due({ wallMs }: NaiveTime): void {
    for (const job of this.jobs) if (job.state === 'scheduled' && job.runAtMs <= wallMs) job.state = 'ready';
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
    for (const job of this.jobs) {
      if (job.state === 'leased') this.#endAttempt(job, 'backoff', wallMs);
      else if (job.state === 'ready' && job.waits && job.runAtMs > wallMs) job.state = 'scheduled';
    }
  }

  #complete(job: NaiveJob): void {
    job.state = 'completed';
    job.completedOrder = ++this.#acks;
    const completed = this.jobs.filter(({ queue, state }) => queue === job.queue && state === 'completed');
    if (completed.length <= this.#completedKept) return;
    completed.sort((one, other) => one.completedOrder - other.completedOrder);
    this.jobs = this.jobs.filter((other) => other !== completed[0]);
  }

  #endAttempt(job: NaiveJob, ending: 'backoff' | 'dead' | number, wallMs: number): void {
    if (ending === 'dead' || (job.maxAttempts !== null && job.attempts >= job.maxAttempts)) {
      job.state = 'dead';
      return;
    }
    job.state = 'scheduled';
    job.waits = true;
    job.runAtMs = wallMs + (ending === 'backoff' ? BACKOFF_MS : ending);
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
    return job.state === 'leased' && job.token === token ? 'ok' : 'stale';
  }
}
