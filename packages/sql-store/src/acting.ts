import {
  type ActedBy,
  type ActOutcome,
  InvalidArgumentError,
  type JobState,
  LIFECYCLE,
  type Selection,
} from '@holdfast/contract';
import { type JobNames, NOBODY } from './job-names.js';
import type { QueueNames } from './queue-names.js';
import { locate } from './settling.js';
import type { ActedRow, LeaseKey, SqlDatabase } from './statements.js';

export type Act =
  | { readonly kind: 'redrive' | 'cancel' | 'remove' | 'runNow' }
  | { readonly kind: 'reprioritise'; readonly priority: number };

/** Jobs of one step; claims go on between two of them. */
const SLICE = 500;
/** A job can be claimed, retried and be due again faster than an act finds it, but not for ever. */
const LOOKS_MAX = 20;

type Skipped = Partial<Record<JobState | 'missing', number>>;

/** Told after each step what came of it. */
export interface ActListeners {
  /** The queues of jobs that were changed. */
  readonly changed: (queueIds: readonly number[]) => void;
  /** Leases that were ended. */
  readonly ended: (leases: readonly LeaseKey[]) => void;
}

export class Acting {
  readonly #database: SqlDatabase;
  readonly #queues: QueueNames;
  readonly #names: JobNames;
  readonly #told: ActListeners;

  constructor(parts: { database: SqlDatabase; queues: QueueNames; names: JobNames }, told: ActListeners) {
    this.#database = parts.database;
    this.#queues = parts.queues;
    this.#names = parts.names;
    this.#told = told;
  }

  /** Does an act to the jobs of a selection whose state allows it, and counts the others. */
  async act(act: Act, selection: Selection, by: ActedBy): Promise<ActOutcome> {
    const numbers = await this.#selected(selection);
    const known = numbers.filter((number) => number !== NOBODY);
    const skipped: Skipped = known.length < numbers.length ? { missing: numbers.length - known.length } : {};
    let done = 0;
    for (let from = 0; from < known.length; from += SLICE) {
      done += await this.#step(act, known.slice(from, from + SLICE), by, skipped);
    }
    return { matched: numbers.length, done, skipped };
  }

  /** A job that moved on while it was looked for is looked for again. */
  async #step(act: Act, numbers: readonly number[], by: ActedBy, skipped: Skipped): Promise<number> {
    let left = numbers;
    let done = 0;
    for (let look = 1; left.length > 0; look++) {
      const rows = await this.#run(act, left, by);
      this.#told.changed(rows.map(({ queue_id }) => queue_id));
      this.#told.ended(rows.flatMap(({ number, token }) => (typeof token === 'number' ? [{ number, token }] : [])));
      const changed = new Set(rows.map(({ number }) => number));
      done += changed.size;
      left = left.filter((number) => !changed.has(number));
      const located = await locate(
        this.#database,
        left.map((number) => ({ number })),
      );
      left = left.filter((number) => {
        const state = located.get(number)?.state ?? 'missing';
        if (state !== 'missing' && LIFECYCLE[state][act.kind] !== 'refused' && look < LOOKS_MAX) return true;
        skipped[state] = (skipped[state] ?? 0) + 1;
        return false;
      });
    }
    return done;
  }

  #run(act: Act, numbers: readonly number[], by: ActedBy): Promise<readonly ActedRow[]> {
    const { actor } = by;
    const reason = by.reason ?? null;
    if (act.kind === 'remove') return this.#database.run('remove', [numbers]);
    if (act.kind === 'reprioritise') {
      return this.#database.run('reprioritise', [numbers, actor, reason, act.priority]);
    }
    return this.#database.run(act.kind, [numbers, actor, reason]);
  }

  /** A job that is named twice counts once. */
  async #selected(selection: Selection): Promise<number[]> {
    if ('ids' in selection) {
      const ids = [...new Set(selection.ids)];
      return ids.map((id) => this.#names.number(id));
    }
    if ('asOf' in selection) {
      throw new InvalidArgumentError('selection.asOf', selection.asOf, 'absent: this store makes no plans');
    }
    const place = await this.#queues.placeOf(selection.all);
    if (place === undefined) return [];
    const rows = await this.#database.run('numbers', [{ ...place, state: selection.all.state }]);
    return rows.map(({ number }) => number);
  }
}
