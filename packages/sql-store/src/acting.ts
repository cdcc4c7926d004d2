import { type ActedBy, type ActOutcome, type JobState, LIFECYCLE, type Selection } from '@holdfast/contract';
import type { Browsing } from './browsing.js';
import { type JobNames, NOBODY } from './job-names.js';
import type { Piece, Planning } from './planning.js';
import type { QueueNames } from './queue-names.js';
import { locate } from './settling.js';
import type { ActedRow, ActValues, LeaseKey, SqlDatabase } from './statements.js';

export type Act =
  | { readonly kind: 'redrive' | 'cancel' | 'remove' | 'runNow' }
  | { readonly kind: 'reprioritise'; readonly priority: number }
  | { readonly kind: 'transfer'; readonly queue: string };

/** Jobs of one step; claims go on between two of them. */
const SLICE = 500;
/** A job that moves on between two looks is looked for again, but not for ever. */
const LOOKS_MAX = 20;
/** One that was in a state at a moment has left it, or was just changed in its place. */
const PLANNED_LOOKS_MAX = 2;

/** `null`: in whatever state they are. */
type Selected = Omit<Piece, 'snapshot'> & { readonly snapshot: string | null };

/** The id of no queue: the statement takes no job there. */
const NO_QUEUE = 0;

type Skipped = Partial<Record<JobState | 'missing', number>>;

export interface ActListeners {
  /** Jobs of these queues may have become ready. */
  readonly changed: (queueIds: readonly number[]) => void;
  /** Leases that were ended. */
  readonly ended: (leases: readonly LeaseKey[]) => void;
}

export interface ActingParts {
  readonly database: SqlDatabase;
  readonly queues: QueueNames;
  readonly names: JobNames;
  readonly browsing: Browsing;
  readonly planning: Planning;
}

export class Acting {
  readonly #parts: ActingParts;
  readonly #told: ActListeners;

  constructor(parts: ActingParts, told: ActListeners) {
    this.#parts = parts;
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

  /** A job that moved on while it was looked for is looked for again. */
  async #step(act: Act, { numbers, snapshot }: Selected, by: ActedBy, skipped: Skipped): Promise<number> {
    const looksMax = snapshot === null ? LOOKS_MAX : PLANNED_LOOKS_MAX;
    let left = numbers;
    let done = 0;
    const queueId = act.kind === 'transfer' ? await this.#target(act.queue, numbers) : NO_QUEUE;
    for (let look = 1; left.length > 0; look++) {
      const rows = await this.#run(act, [left, snapshot, by.actor, by.reason ?? null], queueId);
      this.#told.changed(rows.map(({ queue_id }) => queue_id));
      this.#told.ended(rows.flatMap(({ number, token }) => (typeof token === 'number' ? [{ number, token }] : [])));
      const changed = new Set(rows.map(({ number }) => number));
      done += changed.size;
      left = left.filter((number) => !changed.has(number));
      const located = await locate(
        this.#parts.database,
        left.map((number) => ({ number })),
      );
      left = left.filter((number) => {
        const state = located.get(number)?.state ?? 'missing';
        const isThere = act.kind === 'transfer' && located.get(number)?.queue === act.queue;
        const fits = state !== 'missing' && LIFECYCLE[state][act.kind] !== 'refused' && !isThere;
        if (fits && look < looksMax) return true;
        skipped[state] = (skipped[state] ?? 0) + 1;
        return false;
      });
    }
    return done;
  }

  async #run(act: Act, values: ActValues, queueId: number): Promise<readonly ActedRow[]> {
    const { database } = this.#parts;
    const [numbers, snapshot] = values;
    if (act.kind === 'remove') return database.run('remove', [numbers, snapshot]);
    if (act.kind === 'reprioritise') return database.run('reprioritise', [...values, act.priority]);
    if (act.kind === 'transfer') return database.run('transfer', [...values, queueId]);
    return database.run(act.kind, values);
  }

  /** A queue to which no job would go is not made. */
  async #target(queue: string, numbers: readonly number[]): Promise<number> {
    const { database, queues } = this.#parts;
    const [known] = await queues.known([queue]);
    if (known !== undefined) return known;
    const located = await locate(
      database,
      numbers.map((number) => ({ number })),
    );
    if ([...located.values()].every(({ state }) => LIFECYCLE[state].transfer === 'refused')) return NO_QUEUE;
    return (await queues.idsOf([queue])).get(queue) ?? NO_QUEUE;
  }

  /** A job that is named twice counts once. */
  async #selected(selection: Selection): Promise<Selected> {
    const { browsing, names, planning } = this.#parts;
    if ('asOf' in selection) return planning.piece(selection);
    if ('all' in selection) {
      const snapshot = await planning.snapshot();
      return { numbers: await browsing.numbers(selection.all, snapshot), snapshot };
    }
    const ids = [...new Set(selection.ids)];
    return { numbers: ids.map((id) => names.number(id)), snapshot: null };
  }
}
