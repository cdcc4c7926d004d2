import {
  type ClaimRequest,
  type JobFilter,
  type JobStore,
  type LeasedJob,
  type LeaseRef,
  type NewJob,
  RequestMismatchError,
  type RetentionOptions,
} from '@holdfast/contract';
import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { expect } from 'vitest';
import { LogStoreRig } from './log-store-rig.js';
import type { Operation } from './twin-operations.js';

/** Both stores draw the same, in whatever order they ask. */
class EvenRandom extends SeededRandom {
  override fraction(): number {
    return 0.5;
  }
}

const BOUNDS = { count: 3, ageMs: 4000 };
const RETENTION: RetentionOptions = {
  completed: BOUNDS,
  cancelled: BOUNDS,
  dead: BOUNDS,
  queues: { b: { completed: { count: 5, ageMs: null, bytes: 12 }, dead: { count: 0 } } },
};
const JOBS_LOOKED_AT = 6;
const UNKNOWN_REF: LeaseRef = { id: 'unknown', token: 'unknown' };
const BY = { actor: 'olga', reason: 'tried' };
const FAILURE = { class: 'TypeError', message: 'no such thing\nat all' };

/** One store of the two, with what it called its jobs and leases: the names differ, their order does not. */
class Twin {
  store: JobStore;
  readonly jobs: string[] = [];
  readonly refs: LeaseRef[] = [];
  readonly #requests = new Map<string, readonly NewJob[]>();
  waits: { answer: LeasedJob[] | undefined; readonly abort: AbortController }[] = [];

  constructor(store: JobStore) {
    this.store = store;
  }

  ref(pick: number): LeaseRef {
    return this.refs[pick % Math.max(1, this.refs.length)] ?? UNKNOWN_REF;
  }

  job(pick: number): string {
    return this.jobs[pick % Math.max(1, this.jobs.length)] ?? 'unknown';
  }

  async enqueue({ specs, requestId }: Extract<Operation, { act: 'enqueue' }>): Promise<unknown> {
    const answers = await this.#send(
      specs.map(({ expiresInMs, extras, ...spec }) => ({
        ...spec,
        ...extras,
        payload: `of ${spec.queue}`,
        ...(expiresInMs === undefined ? {} : { expiresInMs }),
      })),
      requestId,
    );
    return answers;
  }

  /** Makes the call of an earlier request again. */
  repeat(pick: number): Promise<unknown> {
    const [requestId, jobs] = [...this.#requests][pick % Math.max(1, this.#requests.size)] ?? ['r1', []];
    return this.#send(jobs, requestId);
  }

  /** The code of the refusal, where the call is refused. */
  async #send(jobs: readonly NewJob[], requestId: string | undefined): Promise<unknown> {
    try {
      const answers = await this.store.enqueue(jobs, requestId === undefined ? undefined : { requestId });
      if (requestId !== undefined) this.#requests.set(requestId, jobs);
      for (const { id } of answers) if (!this.jobs.includes(id)) this.jobs.push(id);
      return answers;
    } catch (error) {
      if (error instanceof RequestMismatchError) return error.code;
      throw error;
    }
  }

  note(jobs: readonly LeasedJob[]): readonly LeasedJob[] {
    this.refs.push(...jobs.map(({ id, token }) => ({ id, token })));
    return jobs;
  }

  wait(request: ClaimRequest): void {
    const abort = new AbortController();
    const wait: Twin['waits'][number] = { answer: undefined, abort };
    this.waits.push(wait);
    void this.store.claim({ ...request, signal: abort.signal }).then((jobs) => {
      wait.answer = jobs;
    });
  }

  /** What has come of the claims that wait, in order of their calls; those that are answered are done with. */
  takeAnswers(): unknown {
    const answers = this.waits.map(({ answer }) => answer);
    this.waits = this.waits.filter(({ answer }) => answer === undefined);
    for (const jobs of answers) this.note(jobs ?? []);
    return answers;
  }

  /** An answer with the twin's own names replaced by numbers, without what only one kind of store has. */
  plain(answer: unknown): unknown {
    if (Array.isArray(answer)) return answer.map((item) => this.plain(item));
    if (typeof answer !== 'object' || answer === null) return answer;
    const entries = Object.entries(answer).filter(([key]) => key !== 'record');
    return Object.fromEntries(entries.map(([key, value]) => [key, this.#plainField(key, value)]));
  }

  #plainField(key: string, value: unknown): unknown {
    if (key === 'id' || key === 'clonedFrom') return this.jobs.indexOf(String(value));
    if (key === 'token') return this.refs.findIndex(({ token }) => token === value);
    return key === 'next' ? typeof value : this.plain(value);
  }
}

/** The log store and the store in memory, led through one life. Throws where their answers differ. */
export class TwinLife {
  readonly #clock = new VirtualClock();
  readonly #rig: LogStoreRig;
  readonly #memory: MemoryStore;
  readonly #twins: readonly [Twin, Twin];

  static async begin(): Promise<TwinLife> {
    const clock = new VirtualClock();
    const rig = new LogStoreRig({ clock, retention: RETENTION, random: new EvenRandom(1) });
    return new TwinLife(clock, rig, await rig.open());
  }

  private constructor(clock: VirtualClock, rig: LogStoreRig, log: JobStore) {
    this.#clock = clock;
    this.#rig = rig;
    this.#memory = memoryStore({ clock, random: new EvenRandom(2), retention: RETENTION });
    this.#twins = [new Twin(log), new Twin(this.#memory)];
  }

  async end(): Promise<void> {
    await this.#rig.close();
    await this.#memory.close();
  }

  async step(operation: Operation): Promise<void> {
    await this.#act(operation);
    await settled();
    await this.#both(async (twin) => twin.takeAnswers());
    await this.#compare();
  }

  #act(operation: Operation): Promise<unknown> {
    switch (operation.act) {
      case 'advance':
        return this.#clock.advance(operation.ms);
      case 'setWall':
        this.#clock.setWall(operation.byMs);
        // A store may notice a clock that was set with its next call.
        return Promise.all(this.#twins.map(({ store }) => store.queues()));
      case 'reopen':
        return this.#reopen(operation.how);
      case 'page':
        return this.#page(operation);
      default:
        return this.#both((twin) => act(twin, operation));
    }
  }

  async #reopen(how: 'closed' | 'killed'): Promise<void> {
    const [log] = this.#twins;
    log.store = await this.#rig.reopen(how);
    this.#memory.restart(how);
    // What became due meanwhile is ready as soon as the first timer is called.
    await this.#clock.advance(0);
    if (how === 'closed') await this.#both(async (twin) => twin.takeAnswers());
    for (const twin of this.#twins) twin.waits = [];
  }

  /** Follows the pages to their end; each twin has cursors of its own. */
  async #page({ limit, queue, state }: Extract<Operation, { act: 'page' }>): Promise<void> {
    const filter: JobFilter = { ...(queue === undefined ? {} : { queue }), ...(state === undefined ? {} : { state }) };
    await this.#both(async ({ store }) => {
      const pages = [await store.browse(filter, { limit })];
      for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
        pages.push(await store.browse(filter, { limit, cursor: next }));
      }
      return pages;
    });
  }

  /** Everything that can be read, asked in one turn. */
  async #compare(): Promise<void> {
    await this.#both(({ store, jobs }) =>
      Promise.all([
        store.browse({}, { limit: 200 }),
        store.queues(),
        store.queues(['b', 'none', 'b']),
        store.leases(100).then(inAnyOrder),
        store.leaseExpiries().then(inAnyOrder),
        store.metrics().then(({ totals }) => ({ ...totals, commits: 0, bytesWritten: 0 })),
        ...jobs.slice(-JOBS_LOOKED_AT).map((id) => store.job(id)),
      ]),
    );
  }

  async #both(question: (twin: Twin) => Promise<unknown>): Promise<void> {
    const [log, memory] = this.#twins;
    const answers = [await question(log), await question(memory)];
    const [wanted, found] = [memory.plain(answers[1]), log.plain(answers[0])];
    // Quicker than a comparison field by field, which is for telling what differs.
    if (JSON.stringify(wanted) !== JSON.stringify(found)) expect(found).toEqual(wanted);
  }
}

async function act(twin: Twin, operation: Operation): Promise<unknown> {
  const { store } = twin;
  switch (operation.act) {
    case 'enqueue':
      return twin.enqueue(operation);
    case 'repeat':
      return twin.repeat(operation.pick);
    case 'claim': {
      const { queues, names, limit, leaseMs } = operation;
      return twin.note(await store.claim({ queues, ...namesOf(names), limit, leaseMs, worker: 'w' }));
    }
    case 'wait': {
      const { queue, names, limit, waitMs } = operation;
      return twin.wait({ queues: [queue], ...namesOf(names), limit, waitMs, leaseMs: 900, worker: 'waiting' });
    }
    case 'abort':
      return twin.waits[operation.pick % Math.max(1, twin.waits.length)]?.abort.abort();
    case 'ack': {
      const { picks, result } = operation;
      return store.ack(picks.map((pick) => ({ ...twin.ref(pick), ...(result === undefined ? {} : { result }) })));
    }
    case 'fail': {
      const then = typeof operation.ending === 'number' ? { retryInMs: operation.ending } : operation.ending;
      return store.fail(operation.picks.map((pick) => ({ ...twin.ref(pick), error: FAILURE, then })));
    }
    case 'release':
      return store.release(operation.picks.map((pick) => ({ ...twin.ref(pick), delayMs: operation.delayMs })));
    case 'extend':
      return store.extend(operation.picks.map((pick) => ({ ...twin.ref(pick), leaseMs: operation.leaseMs })));
    case 'note':
      return store.note?.(operation.picks.map((pick) => ({ ...twin.ref(pick), ...operation.told })));
    case 'operate':
      return operate(twin, operation);
    case 'clone': {
      const { pick, payload } = operation;
      const cloned = await store.clone(twin.job(pick), BY, payload === undefined ? {} : { payload });
      if (cloned !== undefined) twin.jobs.push(cloned.id);
      return cloned;
    }
    case 'pause':
      return store.pause(operation.queue, BY, operation.forMs === undefined ? {} : { forMs: operation.forMs });
    case 'resume':
      return store.resume(operation.queue, BY);
    default:
      throw new Error(`${operation.act} is not done by one twin alone.`);
  }
}

async function operate(twin: Twin, operation: Extract<Operation, { act: 'operate' }>): Promise<unknown> {
  const { kind, priority, selection: wanted } = operation;
  const selection =
    typeof wanted === 'string' ? { all: { state: wanted } } : { ids: wanted.map((pick) => twin.job(pick)) };
  if (kind === 'reprioritise') return twin.store.reprioritise(selection, priority, BY);
  if (kind === 'transfer') return twin.store.transfer?.(selection, priority === 0 ? 'a' : 'b', BY);
  return twin.store[kind](selection, BY);
}

function namesOf(names: readonly string[] | undefined): { readonly names?: readonly string[] } {
  return names === undefined ? {} : { names };
}

/** Leases that end at the same moment have no order. */
function inAnyOrder<Row extends { readonly attempt: number; readonly id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => numberIn(one) - numberIn(other) || one.attempt - other.attempt);
}

/** Ids of both stores end in the number of the job, in one way or the other of writing it. */
function numberIn({ id }: { readonly id: string }): number {
  return Number.parseInt(id.slice(id.lastIndexOf('-') + 1), 36);
}
