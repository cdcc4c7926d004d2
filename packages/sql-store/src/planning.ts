import {
  InvalidArgumentError,
  JOB_STATES,
  type JobFilter,
  type JobId,
  type JobState,
  type PlannedPiece,
  type PlanRequest,
  type SelectionPlan,
} from '@holdfast/contract';
import { isSearch, STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import { asOfText, snapshotOf } from './as-of.js';
import type { Browsing } from './browsing.js';
import { type JobNames, NOBODY } from './job-names.js';
import type { QueueNames } from './queue-names.js';
import { locate } from './settling.js';
import type { Queries } from './statements.js';

const SAMPLES_MAX = 5;
/** Of one piece: one that has looked for so long says where the next begins, and has perhaps found none. */
const PIECE_MS_MAX = 1000;

type Counted = { readonly state: JobState | 'missing'; readonly queue?: string; readonly count: number };

/** Jobs that are to be changed, if they have not changed since a snapshot. */
export interface Piece {
  readonly numbers: readonly number[];
  readonly snapshot: string;
  readonly next?: string;
}

export interface PlanningParts {
  readonly database: Queries;
  readonly queues: QueueNames;
  readonly names: JobNames;
  readonly browsing: Browsing;
  /** What moments of this store are called by: its own name, and that of the database server. */
  readonly place: string;
}

/** What an act would meet, and the pieces in which it is done. */
export class Planning {
  readonly #parts: PlanningParts;

  constructor(parts: PlanningParts) {
    this.#parts = parts;
  }

  async plan(planned: PlanRequest, scanMax = Number.POSITIVE_INFINITY): Promise<SelectionPlan> {
    const { database, queues } = this.#parts;
    if ('ids' in planned) return this.#planIds([...new Set(planned.ids)]);
    const filter = planned.all;
    if (isSearch(filter)) return this.#planSearch(filter, scanMax);
    if (filter.name !== undefined) {
      const snapshot = await this.snapshot();
      const states = filter.state === undefined ? JOB_STATES : [filter.state];
      return this.#planOf(filter, snapshot, await this.#parts.browsing.count(filter, snapshot, states));
    }
    const [queueId] = filter.queue === undefined ? [null] : await queues.known([filter.queue]);
    if (queueId === undefined) return this.#planOf(filter, await this.snapshot(), []);
    const [row] = await database.run('plannedCounts', [queueId]);
    const counts = (row?.counts ?? [])
      .map(([queue, state, count]) => ({ queue, state, count }))
      .filter(({ state }) => filter.state === undefined || filter.state === state);
    return this.#planOf(filter, row?.snapshot ?? '', counts);
  }

  /** What the database shows now. */
  async snapshot(): Promise<string> {
    const [row] = await this.#parts.database.run('snapshot', []);
    return row?.snapshot ?? '';
  }

  /** @throws InvalidArgumentError, CursorInvalidError */
  async piece({ all, asOf, limit, cursor }: PlannedPiece): Promise<Piece> {
    const { database, names, browsing, place } = this.#parts;
    const moment = snapshotOf(asOf, place);
    const [row] = moment === undefined ? [] : await database.run('hasBeen', [moment.end]);
    if (moment === undefined || row?.has_been !== true) {
      throw new InvalidArgumentError('selection.asOf', asOf, 'what plan gave');
    }
    const below = cursor === undefined ? null : names.cursor(cursor);
    const numbers: number[] = [];
    const bounds = { limit, scanMax: Number.POSITIVE_INFINITY, longestMs: PIECE_MS_MAX };
    const { next } = await browsing.find(all, moment.text, below, bounds, ({ number }) => numbers.push(number));
    return { numbers, snapshot: moment.text, ...(next === undefined ? {} : { next: names.id(next) }) };
  }

  async #planIds(ids: readonly JobId[]): Promise<SelectionPlan> {
    const { database, names } = this.#parts;
    const snapshot = await this.snapshot();
    const numbers = ids.map((id) => names.number(id));
    const located = await locate(
      database,
      numbers.map((number) => ({ number })),
    );
    const counts = numbers.map((number): Counted => {
      const job = located.get(number);
      if (job === undefined) return { state: 'missing', count: 1 };
      return { state: job.state, queue: job.queue, count: 1 };
    });
    const samples = numbers.filter((number) => number !== NOBODY && located.has(number)).slice(0, SAMPLES_MAX);
    return this.#toPlan(snapshot, counts, samples, true);
  }

  async #planSearch(filter: JobFilter, scanMax: number): Promise<SelectionPlan> {
    const snapshot = await this.snapshot();
    const counts = new Map<string, Counted>();
    const samples: number[] = [];
    const bounds = { limit: Number.POSITIVE_INFINITY, scanMax, longestMs: Number.POSITIVE_INFINITY };
    const { next } = await this.#parts.browsing.find(filter, snapshot, null, bounds, ({ number, state, queue }) => {
      if (samples.length < SAMPLES_MAX) samples.push(number);
      const key = `${state} ${queue}`;
      counts.set(key, { state, queue, count: (counts.get(key)?.count ?? 0) + 1 });
    });
    return this.#toPlan(snapshot, [...counts.values()], samples, next === undefined);
  }

  async #planOf(filter: JobFilter, snapshot: string, counts: readonly Counted[]): Promise<SelectionPlan> {
    const samples: number[] = [];
    const bounds = { limit: SAMPLES_MAX, scanMax: SAMPLES_MAX, longestMs: PIECE_MS_MAX };
    if (counts.length > 0) {
      await this.#parts.browsing.find(filter, snapshot, null, bounds, ({ number }) => samples.push(number));
    }
    return this.#toPlan(snapshot, counts, samples, true);
  }

  #toPlan(snapshot: string, counts: readonly Counted[], samples: readonly number[], isWhole: boolean): SelectionPlan {
    const { place, names } = this.#parts;
    const states: Partial<Record<JobState | 'missing', number>> = {};
    const queues = new Map<string, number>();
    for (const { state, queue, count } of counts) {
      states[state] = (states[state] ?? 0) + count;
      if (queue !== undefined) queues.set(queue, (queues.get(queue) ?? 0) + count);
    }
    return {
      asOf: asOfText(snapshot, place),
      matched: { value: counts.reduce((sum, { count }) => sum + count, 0), relation: isWhole ? 'exact' : 'atLeast' },
      states,
      queues: [...queues]
        .map(([queue, count]) => ({ queue, count }))
        .sort((one, other) => other.count - one.count || (one.queue < other.queue ? -1 : 1))
        .slice(0, LIMITS.planQueuesMax),
      samples: samples.map((number) => names.id(number)),
    };
  }
}
