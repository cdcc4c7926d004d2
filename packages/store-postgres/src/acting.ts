import { type ActedBy, type ActOutcome, type JobState, LIFECYCLE, type Selection } from '@holdfast/contract';
import type { Database } from './database.js';
import { type JobNames, NOBODY } from './job-names.js';
import type { Piece, Planning } from './planning.js';
import type { QueueNames } from './queue-names.js';
import { type Lease, locate } from './settling.js';
import type { StoreStatements } from './statements.js';
import { storedOrNull, storedText } from './stored-text.js';

export type Act =
  | { readonly kind: 'redrive' | 'cancel' | 'remove' | 'runNow' }
  | { readonly kind: 'reprioritise'; readonly priority: number }
  | { readonly kind: 'transfer'; readonly queue: string };

/** Jobs of one step; claims go on between two of them. */
const SLICE = 500;
/** A job can be claimed, retried and be due again faster than an act finds it, but not for ever. */
const LOOKS_MAX = 20;

/** `null`: in whatever state they are. */
type Selected = Omit<Piece, 'snapshot'> & { readonly snapshot: string | null };

/** The id of no queue: the statement takes no job there. */
const NO_QUEUE = 0;

type Skipped = Partial<Record<JobState | 'missing', number>>;

/** Told after each step what came of it. */
export interface ActListeners {
  /** The queues of jobs that were changed. */
  readonly changed: (queueIds: readonly number[]) => void;
  /** Leases that were ended. */
  readonly ended: (leases: readonly Lease[]) => void;
}

export class Acting {
  readonly #database: Database;
  readonly #statements: StoreStatements;
  readonly #queues: QueueNames;
  readonly #names: JobNames;
  readonly #planning: Planning;
  readonly #told: ActListeners;

  constructor(
    parts: {
      database: Database;
      statements: StoreStatements;
      queues: QueueNames;
      names: JobNames;
      planning: Planning;
    },
    told: ActListeners,
  ) {
    this.#database = parts.database;
    this.#statements = parts.statements;
    this.#queues = parts.queues;
    this.#names = parts.names;
    this.#planning = parts.planning;
    this.#told = told;
  }

  /** Does an act to the jobs of a selection whose state allows it, and counts the others. */
  async act(act: Act, selection: Selection, by: ActedBy): Promise<ActOutcome> {
    const { numbers, snapshot, next } = await this.#selected(selection);
    const known = numbers.filter((number) => number !== NOBODY);
    const skipped: Skipped = known.length < numbers.length ? { missing: numbers.length - known.length } : {};
    let done = 0;
    for (let from = 0; from < known.length; from += SLICE) {
      done += await this.#step(act, { numbers: known.slice(from, from + SLICE), snapshot }, by, skipped);
    }
    return { matched: numbers.length, done, skipped, ...(next === undefined ? {} : { next }) };
  }

  /** A job that was named, and moved on while it was looked for, is looked for again; one that was in a state has left it. */
  async #step(
    act: Act,
    { numbers, snapshot }: Selected,
    { actor, reason }: ActedBy,
    skipped: Skipped,
  ): Promise<number> {
    const looksMax = snapshot === null ? LOOKS_MAX : 1;
    let left = numbers;
    let done = 0;
    const further = await this.#further(act, numbers);
    const by = act.kind === 'remove' ? [] : [storedText(actor), storedOrNull(reason), ...further];
    for (let look = 1; left.length > 0; look++) {
      const rows = await this.#database.run<{ number: number; queue_id: number; token?: number | null }>(
        this.#statements[act.kind],
        [left, snapshot, ...by],
      );
      this.#told.changed(rows.map(({ queue_id }) => queue_id));
      this.#told.ended(rows.flatMap(({ number, token }) => (typeof token === 'number' ? [{ number, token }] : [])));
      const changed = new Set(rows.map(({ number }) => number));
      done += changed.size;
      left = left.filter((number) => !changed.has(number));
      const located = await locate(
        this.#database,
        this.#statements,
        left.map((number) => ({ number })),
      );
      left = left.filter((number) => {
        const state = located.get(number)?.state ?? 'missing';
        const isThere = act.kind === 'transfer' && located.get(number)?.queue === storedText(act.queue);
        const fits = state !== 'missing' && LIFECYCLE[state][act.kind] !== 'refused' && !isThere;
        if (fits && look < looksMax) return true;
        skipped[state] = (skipped[state] ?? 0) + 1;
        return false;
      });
    }
    return done;
  }

  /** What the statement of an act takes beside jobs, actor and reason. A queue to which no job would go is not made. */
  async #further(act: Act, numbers: readonly number[]): Promise<number[]> {
    if (act.kind === 'reprioritise') return [act.priority];
    if (act.kind !== 'transfer') return [];
    const [known] = await this.#queues.known([act.queue]);
    if (known !== undefined) return [known];
    const jobs = numbers.map((number) => ({ number }));
    const located = [...(await locate(this.#database, this.#statements, jobs)).values()];
    if (located.every(({ state }) => LIFECYCLE[state].transfer === 'refused')) return [NO_QUEUE];
    return [(await this.#queues.idsOf([act.queue])).get(act.queue)!];
  }

  /** A job that is named twice counts once. */
  async #selected(selection: Selection): Promise<Selected> {
    if ('asOf' in selection) return this.#planning.piece(selection);
    if ('all' in selection) return this.#planning.all(selection.all);
    const ids = [...new Set(selection.ids)];
    return { numbers: ids.map((id) => this.#names.number(id)), snapshot: null };
  }
}
