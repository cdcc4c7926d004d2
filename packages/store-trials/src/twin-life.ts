import {
  type Backoff,
  type ClaimRequest,
  JOB_STATES,
  type JobDetail,
  type JobFilter,
  type JobState,
  type JobStore,
  type NewJob,
  type RetentionOptions,
  type Selection,
} from '@holdfast/contract';
import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { BY, Twin } from './twin-side.js';

/** Both stores draw the same, in whatever order they ask. */
export class EvenRandom extends SeededRandom {
  override fraction(): number {
    return 0.5;
  }
}

const BOUNDS = { count: 3, ageMs: 4000 };
export const TWIN_RETENTION: RetentionOptions = {
  completed: BOUNDS,
  cancelled: BOUNDS,
  dead: BOUNDS,
  queues: { b: { completed: { count: 5, ageMs: null, bytes: 12 }, dead: { count: 0 } } },
};
const ERRORS = [
  { class: 'TypeError', message: 'no such thing\nat all' },
  { class: 'TypeError', message: 'box 7 is full', stack: 'TypeError\n    at send (/app/src/mail.js:3:1)' },
] as const;
const JOBS_LOOKED_AT = 6;

/** The store that is compared with the one in memory. */
export interface TwinSubject {
  readonly name: string;
  /** Does what is due when it is told to. @returns in how many milliseconds something else is */
  readonly store: JobStore & { sweepNow(): Promise<number> };
  /** Says which time it is to the database of the store, which has no other clock. */
  setTime(nowMs: number): Promise<unknown>;
}

/**
 * A store on a database and the one in memory, led through one life drawn from a seed. Time is that of a virtual clock; what is due is done by hand, at the
 * moment at which it is.
 */
export class TwinLife {
  readonly #subject: TwinSubject;
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #twins: readonly [Twin, Twin];
  readonly #requests: (readonly [string, readonly NewJob[]])[] = [];
  readonly steps: string[] = [];
  #planned: (JobFilter & { readonly state: JobState }) | undefined;

  /** @param open on this clock, with `TWIN_RETENTION` and a random that is even */
  static async begin(open: (clock: VirtualClock) => Promise<TwinSubject>, seed: number): Promise<TwinLife> {
    const clock = new VirtualClock();
    return new TwinLife(await open(clock), clock, seed);
  }

  private constructor(subject: TwinSubject, clock: VirtualClock, seed: number) {
    this.#subject = subject;
    this.#clock = clock;
    this.#random = new SeededRandom(seed);
    const memory = memoryStore({ clock, random: new EvenRandom(2), retention: TWIN_RETENTION });
    this.#twins = [new Twin(subject.store), new Twin(memory)];
  }

  async step(): Promise<void> {
    const random = this.#random;
    const plans = this.#subject.store.plan !== undefined;
    const acts: readonly (readonly [number, () => Promise<void>])[] = [
      [6, () => this.#enqueue()],
      [1, () => this.#repeat()],
      [8, () => this.#claim()],
      [6, () => this.#ack()],
      [4, () => this.#fail()],
      [3, () => this.#release()],
      [3, () => this.#extend()],
      [3, () => this.#note()],
      [5, () => this.#operate()],
      [plans ? 3 : 0, () => this.#plan()],
      [plans ? 4 : 0, () => this.#piece()],
      [1, () => this.#clone()],
      [2, () => this.#pause()],
      [2, () => this.#page()],
      [6, () => this.#advance(random.below(3000))],
    ];
    const wheel = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    await random.pick(wheel)();
    await this.#advance(0);
    await this.#compare();
  }

  #enqueue(): Promise<void> {
    const jobs = this.#some(3, () => this.#newJob());
    const requestId = this.#random.chance(0.3) ? `r${this.#random.below(4)}` : undefined;
    if (requestId !== undefined) this.#requests.push([requestId, jobs]);
    return this.#both(`enqueue ${JSON.stringify(jobs)} ${requestId}`, (twin) => twin.enqueue(jobs, requestId));
  }

  async #repeat(): Promise<void> {
    if (this.#requests.length === 0) return;
    const [requestId, jobs] = this.#random.pick(this.#requests);
    await this.#both(`repeat ${requestId}`, (twin) => twin.enqueue(jobs, requestId));
  }

  #newJob(): NewJob {
    const random = this.#random;
    const backoff: Backoff = {
      ...random.pick([
        { kind: 'fixed', jitter: 'none' },
        { kind: 'fixed', jitter: 'full' },
        { kind: 'exponential', jitter: 'full' },
        { kind: 'exponential', jitter: 'decorrelated' },
        { kind: 'named', name: 'own', jitter: 'none' },
      ] as const),
      baseMs: random.pick([0, 100, 701]),
      maxMs: random.pick([50, 1000, 2000]),
    };
    const dedupe = {
      key: random.pick(['k', 'l']),
      onConflict: random.pick(['keep', 'replace', 'runOnceMore'] as const),
      ...(random.chance(0.5) ? { forMs: random.pick([1, 2000, 20_000]) } : {}),
    };
    const queue = random.pick(['a', 'b']);
    return {
      queue,
      name: random.pick(['x', 'y']),
      payload: `of ${queue}`,
      priority: random.pick([0, 0, 0, 1, 2]),
      maxAttempts: random.pick([null, 1, 2, 3]),
      delayMs: random.chance(0.7) ? 0 : random.below(3000),
      backoff,
      ...(random.chance(0.25) ? { expiresInMs: 3500 } : {}),
      ...(random.chance(0.3) ? { headers: { trace: 'a' }, timeoutMs: 70 } : {}),
      ...(random.chance(0.4) ? { dedupe } : {}),
    };
  }

  #claim(): Promise<void> {
    const random = this.#random;
    const names = random.pick([undefined, undefined, ['x'], ['y', 'x', 'y']]);
    const request: ClaimRequest = {
      queues: random.pick([['a'], ['b'], ['a', 'b'], ['b', 'none', 'b']]),
      limit: 1 + random.below(5),
      leaseMs: 100 + random.below(3900),
      worker: 'worker',
      ...(names === undefined ? {} : { names }),
    };
    return this.#both(`claim ${JSON.stringify(request)}`, (twin) => twin.claim(request));
  }

  #ack(): Promise<void> {
    const picks = this.#picks();
    const result = this.#random.pick([undefined, '', 'done']);
    const more = result === undefined ? {} : { result };
    return this.#both(`ack ${picks} ${result}`, (twin) =>
      twin.store.ack(picks.map((pick) => ({ ...twin.ref(pick), ...more }))),
    );
  }

  #fail(): Promise<void> {
    const picks = this.#picks();
    const then = this.#random.pick([
      'backoff',
      'backoff',
      'dead',
      'cancel',
      { retryInMs: this.#random.below(900) },
      { retryInMs: 0 },
    ] as const);
    const error = this.#random.pick(ERRORS);
    return this.#both(`fail ${picks} ${JSON.stringify(then)} ${error.message}`, (twin) =>
      twin.store.fail(picks.map((pick) => ({ ...twin.ref(pick), error, then }))),
    );
  }

  #release(): Promise<void> {
    const [picks, delayMs] = [this.#picks(), this.#random.pick([0, 0, 400])];
    return this.#both(`release ${picks} ${delayMs}`, (twin) =>
      twin.store.release(picks.map((pick) => ({ ...twin.ref(pick), delayMs }))),
    );
  }

  #extend(): Promise<void> {
    const [picks, leaseMs] = [this.#picks(), 100 + this.#random.below(3900)];
    return this.#both(`extend ${picks} ${leaseMs}`, (twin) =>
      twin.store.extend(picks.map((pick) => ({ ...twin.ref(pick), leaseMs }))),
    );
  }

  #note(): Promise<void> {
    const [picks, texts] = [this.#picks(), this.#some(60, () => 'x'.repeat(this.#random.below(600)))];
    const lines = texts.map((text, index) => ({ atMs: index, text }));
    const progress = this.#random.chance(0.5) ? { progress: String(this.#random.below(9)) } : {};
    return this.#both(`note ${picks} ${texts.length} lines ${progress.progress}`, async (twin) =>
      twin.store.note?.(picks.map((pick) => ({ ...twin.ref(pick), ...progress, lines }))),
    );
  }

  #operate(): Promise<void> {
    const random = this.#random;
    const acts = ['cancel', 'remove', 'runNow', 'reprioritise', 'redrive', 'redrive'] as const;
    const kind = random.pick(this.#subject.store.transfer === undefined ? acts : ([...acts, 'transfer'] as const));
    const [picks, state] = [this.#picks(), random.chance(0.3) ? random.pick(JOB_STATES) : undefined];
    const priority = random.below(3);
    return this.#both(`${kind} ${state ?? picks}`, async (twin) => {
      const { store } = twin;
      const selection: Selection =
        state === undefined ? { ids: picks.map((pick) => twin.job(pick)) } : { all: { state } };
      if (kind === 'transfer') return store.transfer?.(selection, priority === 0 ? 'a' : 'b', BY);
      return kind === 'reprioritise' ? store.reprioritise(selection, priority, BY) : store[kind](selection, BY);
    });
  }

  #plan(): Promise<void> {
    const random = this.#random;
    const state = random.pick(JOB_STATES);
    const all: JobFilter & { readonly state: JobState } = {
      state,
      ...random.pick([{}, { queue: 'a' }, { name: 'x' }, { attemptsMin: 1 }, { queue: 'b', errorClass: 'TypeError' }]),
    };
    this.#planned = all;
    return this.#both(`plan ${JSON.stringify(all)}`, (twin) => twin.plan(all));
  }

  /** Some of what was planned last, whatever has happened since. */
  async #piece(): Promise<void> {
    const [all, limit] = [this.#planned, 1 + this.#random.below(4)];
    if (all === undefined) return;
    const kind = this.#random.pick(['cancel', 'remove', 'runNow', 'redrive', 'redrive'] as const);
    await this.#both(`${kind} a piece of ${limit}`, (twin) => twin.piece(kind, all, limit));
  }

  #clone(): Promise<void> {
    const pick = this.#random.below(1000);
    return this.#both(`clone ${pick}`, (twin) => twin.clone(pick));
  }

  #pause(): Promise<void> {
    const queue = this.#random.pick(['a', 'b']);
    const forMs = this.#random.pick([undefined, 500, 2500]);
    if (this.#random.chance(0.6)) return this.#both(`resume ${queue}`, ({ store }) => store.resume(queue, BY));
    return this.#both(`pause ${queue} ${forMs}`, ({ store }) =>
      store.pause(queue, BY, forMs === undefined ? {} : { forMs }),
    );
  }

  /** Follows the pages to their end; each twin has cursors of its own. */
  #page(): Promise<void> {
    const limit = 1 + this.#random.below(6);
    const filter = this.#random.pick([
      {},
      { queue: 'a' },
      { state: 'dead' },
      { state: 'completed', name: 'x' },
    ] as const);
    return this.#both(`page ${limit} ${JSON.stringify(filter)}`, async ({ store }) => {
      const pages = [await store.browse(filter, { limit })];
      for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
        pages.push(await store.browse(filter, { limit, cursor: next }));
      }
      return pages;
    });
  }

  /** From one moment at which something is due to the next, so that it is done at that moment by both. */
  async #advance(ms: number): Promise<void> {
    if (ms > 0) this.steps.push(`advance ${ms}`);
    const untilMs = this.#clock.now() + ms;
    for (;;) {
      const nextMs = await this.#subject.store.sweepNow();
      const leftMs = untilMs - this.#clock.now();
      if (leftMs === 0) return;
      await this.#clock.advance(Math.min(leftMs, Math.max(1, nextMs)));
      await this.#subject.setTime(this.#clock.now());
    }
  }

  /** Everything that can be read. */
  #compare(): Promise<void> {
    return this.#same(({ store, jobs }) =>
      Promise.all([
        store.browse({}, { limit: 200 }),
        store.deadGroups?.({}, { limit: 200 }),
        store.queues(),
        store.queues(['b', 'none', 'b']),
        store.leases(100).then(inAnyOrder),
        store.leaseExpiries().then(inAnyOrder),
        store.metrics().then(({ totals }) => totals),
        ...jobs.slice(-JOBS_LOOKED_AT).map((id) => store.job(id).then(withoutPlace)),
      ]),
    );
  }

  #both(step: string, question: (twin: Twin) => Promise<unknown>): Promise<void> {
    this.steps.push(step);
    return this.#same(question);
  }

  async #same(question: (twin: Twin) => Promise<unknown>): Promise<void> {
    const [subject, memory] = this.#twins;
    const wanted = memory.plain(await question(memory));
    const found = subject.plain(await question(subject));
    const problem = difference(found, wanted, 'answer');
    if (problem !== undefined)
      throw new Error(`${this.#subject.name} and the store in memory differ in the ${problem}`);
  }

  #picks(): number[] {
    return this.#some(4, () => this.#random.below(1000));
  }

  #some<Item>(max: number, make: () => Item): Item[] {
    return Array.from({ length: 1 + this.#random.below(max) }, make);
  }
}

/** Where two answers differ first, in words. */
function difference(found: unknown, wanted: unknown, path: string): string | undefined {
  if (typeof found !== 'object' || typeof wanted !== 'object' || found === null || wanted === null) {
    return Object.is(found, wanted)
      ? undefined
      : `${path}: ${JSON.stringify(found)}, but ${JSON.stringify(wanted)} in memory`;
  }
  const [ones, others] = [new Map(Object.entries(found)), new Map(Object.entries(wanted))];
  for (const key of new Set([...ones.keys(), ...others.keys()])) {
    const here = difference(ones.get(key), others.get(key), `${path}.${key}`);
    if (here !== undefined) return here;
  }
  return undefined;
}

/** How many jobs are before one, a store may leave out. */
function withoutPlace(job: JobDetail | undefined): Omit<JobDetail, 'ahead'> | undefined {
  if (job === undefined) return undefined;
  const { ahead: _, ...rest } = job;
  return rest;
}

/** Leases that end at the same moment have no order. */
function inAnyOrder<Row extends { readonly attempt: number; readonly id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => inOrderOfIds(one.id, other.id) || one.attempt - other.attempt);
}

/** Ids of each store end in the number of the job, without zeros before it, and greater digits are greater characters. */
function inOrderOfIds(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one === other ? 0 : one < other ? -1 : 1;
}
