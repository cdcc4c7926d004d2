import type { WorkerName, WorkerSummary } from '@holdfast/contract';
import { type CheckedClaim, STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { BusyRow, SqlDatabase } from './statements.js';

/** Other processes learn of the workers of this one so often, and sooner of one that is new. */
const TELL_MS = 10_000;
const TELL_NEW_MS = 500;
/** A process that has not told for so long has none that wait any more. */
const SILENT_MS = 3 * TELL_MS;

interface SeenWorker {
  readonly queues: readonly string[];
  /** `undefined`: takes all names. */
  readonly names: readonly string[] | undefined;
  readonly free: number;
  readonly seenAtMs: number;
}

/** A worker as a process tells of it. */
interface ToldWorker {
  readonly name: WorkerName;
  readonly queues: readonly string[];
  readonly names?: readonly string[];
  readonly free: number;
  readonly waiting: boolean;
  readonly seenAgoMs: number;
}

type Shown = Omit<WorkerSummary, 'busy'>;

export interface WorkerBookOptions {
  readonly database: SqlDatabase;
  readonly processId: number;
  /** Workers of this process whose claims wait. */
  readonly waiting: () => ReadonlySet<WorkerName>;
}

/** Who claims: in this process from the claims themselves, in others as they tell of it now and then. */
export class WorkerBook {
  readonly #options: WorkerBookOptions;
  /** The one that was seen last is the last. */
  readonly #seen = new Map<WorkerName, SeenWorker>();
  #timer: NodeJS.Timeout | undefined;
  #isNew = false;
  #stopped = false;

  constructor(options: WorkerBookOptions) {
    this.#options = options;
  }

  claimed({ worker, queues, names, limit }: CheckedClaim): void {
    const known = this.#seen.get(worker);
    const takesAll = names === undefined || (known !== undefined && known.names === undefined);
    this.#keep(worker, {
      queues: joined(known?.queues, queues),
      names: takesAll ? undefined : joined(known?.names, names),
      free: limit,
      seenAtMs: performance.now(),
    });
    if (this.#seen.size > LIMITS.workersMax) this.#dropFirst();
    if (known === undefined && !this.#isNew) {
      this.#isNew = true;
      this.#tellIn(TELL_NEW_MS);
    }
  }

  extended(worker: WorkerName): void {
    const known = this.#seen.get(worker);
    if (known !== undefined) this.#keep(worker, { ...known, seenAtMs: performance.now() });
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** By name. */
  async list(): Promise<WorkerSummary[]> {
    const { database, processId } = this.#options;
    const [busyRows, crews] = await Promise.all([database.run('busyWorkers', []), database.run('crews', [processId])]);
    const nowMs = busyRows[0]?.at_ms ?? 0;
    const busy = new Map(busyRows.map((row) => [row.worker ?? '', row.busy]));
    const shown = new Map<WorkerName, Shown>();
    for (const { workers, told_at_ms } of crews) {
      const isSilent = told_at_ms < nowMs - SILENT_MS;
      for (const worker of JSON.parse(workers) as ToldWorker[]) {
        add(shown, summary(worker, told_at_ms, worker.waiting && !isSilent));
      }
    }
    for (const worker of this.#own()) add(shown, summary(worker, nowMs, worker.waiting));
    // A process that ended without a word may not have told of them.
    for (const row of busyRows) if (!shown.has(row.worker ?? '')) addBusy(shown, row);
    return [...shown.values()]
      .map((worker) => ({ ...worker, busy: busy.get(worker.name) ?? 0 }))
      .filter(({ lastSeenAtMs, waiting, busy }) => waiting || busy > 0 || lastSeenAtMs >= nowMs - LIMITS.workerSeenMs)
      .sort((one, other) => other.lastSeenAtMs - one.lastSeenAtMs)
      .slice(0, LIMITS.workersMax)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Also where nothing is new: a process that is silent is taken for one that is gone. */
  #tellIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#isNew = false;
      this.#tellIn(TELL_MS);
      void this.#tell();
    }, ms).unref();
  }

  async #tell(): Promise<void> {
    const { database, processId } = this.#options;
    // The health of the store tells what is wrong; the next time says it all again.
    await database.run('tellWorkers', [processId, JSON.stringify(this.#own()), LIMITS.workerSeenMs]).catch(() => {});
  }

  #own(): ToldWorker[] {
    const waiting = this.#options.waiting();
    const nowMs = performance.now();
    return [...this.#seen].map(([name, { queues, names, free, seenAtMs }]) => ({
      name,
      queues,
      ...(names === undefined ? {} : { names }),
      free,
      waiting: waiting.has(name),
      seenAgoMs: Math.round(nowMs - seenAtMs),
    }));
  }

  #keep(worker: WorkerName, seen: SeenWorker): void {
    this.#seen.delete(worker);
    this.#seen.set(worker, seen);
  }

  #dropFirst(): void {
    for (const name of this.#seen.keys()) {
      this.#seen.delete(name);
      return;
    }
  }
}

function summary({ seenAgoMs, ...worker }: ToldWorker, atMs: number, waiting: boolean): Shown {
  return { ...worker, waiting, lastSeenAtMs: atMs - seenAgoMs };
}

function addBusy(shown: Map<WorkerName, Shown>, { worker, queues, leased_at_ms }: BusyRow): void {
  if (worker === null) return;
  const seen = { free: 0, waiting: false, lastSeenAtMs: leased_at_ms };
  shown.set(worker, { name: worker, queues: [...queues].sort(), ...seen });
}

/** Workers of one name in several processes are shown as one. */
function add(shown: Map<WorkerName, Shown>, worker: Shown): void {
  const known = shown.get(worker.name);
  if (known === undefined) {
    shown.set(worker.name, worker);
    return;
  }
  const { names: knownNames, ...rest } = known;
  const names =
    knownNames === undefined || worker.names === undefined ? {} : { names: joined(knownNames, worker.names) };
  shown.set(worker.name, {
    ...rest,
    ...names,
    queues: joined(known.queues, worker.queues),
    free: known.lastSeenAtMs > worker.lastSeenAtMs ? known.free : worker.free,
    waiting: known.waiting || worker.waiting,
    lastSeenAtMs: Math.max(known.lastSeenAtMs, worker.lastSeenAtMs),
  });
}

function joined(some: readonly string[] = [], more: readonly string[] = []): string[] {
  return [...new Set([...some, ...more])].sort();
}
