import {
  type Clock,
  CursorInvalidError,
  InvalidArgumentError,
  type JobFilter,
  type JobId,
  type JobRow,
  type JobState,
  type Page,
  type PageRequest,
  type PlannedPiece,
  type Total,
} from '@holdfast/contract';
import { isSearch } from '@holdfast/contract/rules';
import { formatId, parseId } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import { type AsOf, asOfText, parseAsOf } from '../state/as-of.js';
import { NONE } from '../state/job-columns.js';
import { countIn, countJobs, type ScanBudget, type ScanFilter, type ScanPage, scanJobs } from '../state/job-scan.js';
import { STATES, stateName } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import type { EnginePlan, PlanPart } from './engine-calls.js';
import { JobTests } from './job-tests.js';
import type { Payloads } from './payloads.js';
import type { Reads } from './reads.js';

export interface SearchParts {
  readonly table: JobTable;
  readonly log: Pick<SegmentedLog, 'nextLocation'>;
  readonly payloads: Payloads;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly storeTag: string;
}

/** Of one slice: a millisecond or two, so that other calls do not wait. Whoever wants more asks again. */
const SLICE_SLOTS = 20_000;
const PLAN_SAMPLES = 5;

/** Jobs of a planned piece, and where the next one begins. */
export interface FoundPiece {
  readonly ids: readonly number[];
  readonly next: string | undefined;
}

/** What operators look for, a slice of work at a time. Changes nothing. */
export class JobSearch {
  readonly #parts: SearchParts;
  readonly #tests: JobTests;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#tests = new JobTests(parts);
  }

  /** One page, or what one slice finds of it. @throws CursorInvalidError */
  browse(filter: JobFilter, page: PageRequest): Page<JobRow> {
    const { table, reads } = this.#parts;
    const belowId = this.#belowId(page.cursor);
    const wanted = this.#tests.scanFilter(filter);
    const searching = isSearch(filter);
    const limit = Math.min(page.limit, LIMITS.pageRowsMax);
    const jobsMax = page.scanMax ?? LIMITS.pageScanDefault;
    const found = searching
      ? scanJobs(table, wanted, belowId, limit, this.#slice(jobsMax))
      : scanJobs(table, wanted, belowId, limit);
    const { slots, nextBelowId, scanned } = found;
    const exhausted = nextBelowId === 0;
    return {
      rows: slots.map((slot) => reads.row(slot)),
      ...(exhausted ? {} : { next: formatId(this.#parts.storeTag, nextBelowId) }),
      total: searching
        ? this.#found(filter, slots.length, exhausted && page.cursor === undefined)
        : { value: countJobs(table, wanted), relation: 'exact' },
      ...(searching ? { scan: { scanned, exhausted } } : {}),
    };
  }

  /** What one slice counts of a plan. @throws InvalidArgumentError, CursorInvalidError */
  plan({ planned, asOf: text, cursor, jobsMax }: EnginePlan): PlanPart {
    const { table } = this.#parts;
    const asOf = text === undefined ? this.#now() : this.#asOf(text);
    if ('ids' in planned) return this.#planIds(planned.ids, asOf);
    const wanted = this.#tests.scanFilter(planned.all, asOf);
    if (text === undefined && !isSearch(planned.all)) {
      const samples = this.#ids(scanJobs(table, wanted, table.nextId, PLAN_SAMPLES));
      return { ...this.#counted(wanted), asOf: asOfText(asOf), samples };
    }
    const part = scanJobs(table, wanted, this.#belowId(cursor), SLICE_SLOTS, this.#slice(jobsMax));
    return {
      asOf: asOfText(asOf),
      ...this.#tally(part.slots),
      samples: this.#ids(part).slice(0, PLAN_SAMPLES),
      scanned: part.scanned,
      ...(part.nextBelowId === 0 ? {} : { next: formatId(this.#parts.storeTag, part.nextBelowId) }),
    };
  }

  /** Jobs that match and have not changed since the plan. @throws InvalidArgumentError, CursorInvalidError */
  piece({ all, asOf, limit, cursor }: PlannedPiece): FoundPiece {
    const { table, storeTag } = this.#parts;
    const wanted = this.#tests.scanFilter(all, this.#asOf(asOf));
    const { slots, nextBelowId } = scanJobs(
      table,
      wanted,
      this.#belowId(cursor),
      limit,
      this.#slice(Number.POSITIVE_INFINITY),
    );
    return {
      ids: slots.map((slot) => table.columns.id[slot]!),
      next: nextBelowId === 0 ? undefined : formatId(storeTag, nextBelowId),
    };
  }

  #now(): AsOf {
    const { table, log, clock } = this.#parts;
    return { atMs: clock.now(), belowId: table.shownBelowId, location: log.nextLocation };
  }

  #asOf(text: string): AsOf {
    const asOf = parseAsOf(text);
    if (asOf !== undefined && asOf.location <= this.#parts.log.nextLocation) return asOf;
    throw new InvalidArgumentError('selection.asOf', text, 'what plan gave');
  }

  #slice(jobs: number): ScanBudget {
    return { slots: SLICE_SLOTS, jobs, isReadEnough: this.#tests.readingSlice() };
  }

  #belowId(cursor: string | undefined): number {
    const { table, storeTag } = this.#parts;
    const belowId = cursor === undefined ? table.nextId : parseId(storeTag, cursor);
    if (belowId === undefined || belowId > table.nextId) throw new CursorInvalidError();
    return belowId;
  }

  /** Of jobs with one error that is known, the counters know how many they are. */
  #found(filter: JobFilter, found: number, isAll: boolean): Total {
    const counted = this.#tests.countByError(filter);
    if (counted !== undefined) return { value: counted, relation: 'exact' };
    return { value: found, relation: isAll ? 'exact' : 'atLeast' };
  }

  #planIds(texts: readonly JobId[], asOf: AsOf): PlanPart {
    const { table, storeTag } = this.#parts;
    const slots: number[] = [];
    let missing = 0;
    for (const text of new Set(texts)) {
      const slot = table.ids.find(parseId(storeTag, text) ?? 0);
      if (slot === NONE) missing++;
      else slots.push(slot);
    }
    const { states, queues } = this.#tally(slots);
    const samples = slots.slice(0, PLAN_SAMPLES).map((slot) => formatId(storeTag, table.columns.id[slot]!));
    const all = missing === 0 ? states : { ...states, missing };
    return { asOf: asOfText(asOf), states: all, queues, samples, scanned: slots.length };
  }

  /** By the counters: exact, and free of charge. */
  #counted(wanted: ScanFilter): Pick<PlanPart, 'states' | 'queues' | 'scanned'> {
    const states: Partial<Record<JobState, number>> = {};
    const queues: { queue: string; count: number }[] = [];
    for (const queue of this.#parts.table.shapes.queues()) {
      if (wanted.queue === undefined ? queue.isInternal : queue.name !== wanted.queue) continue;
      let inQueue = 0;
      for (let state = 0; state < STATES; state++) {
        if (wanted.state !== undefined && wanted.state !== state) continue;
        const count = countIn(queue, { ...wanted, state });
        inQueue += count;
        if (count > 0) states[stateName(state)] = (states[stateName(state)] ?? 0) + count;
      }
      if (inQueue > 0) queues.push({ queue: queue.name, count: inQueue });
    }
    return { states, queues, scanned: 0 };
  }

  #tally(slots: readonly number[]): Pick<PlanPart, 'states' | 'queues'> {
    const { table } = this.#parts;
    const states: Partial<Record<JobState, number>> = {};
    const queues = new Map<string, number>();
    for (const slot of slots) {
      const state = stateName(table.columns.state[slot]!);
      const { queue } = table.shapeOf(slot);
      states[state] = (states[state] ?? 0) + 1;
      queues.set(queue, (queues.get(queue) ?? 0) + 1);
    }
    return { states, queues: [...queues].map(([queue, count]) => ({ queue, count })) };
  }

  #ids({ slots }: ScanPage): JobId[] {
    return slots.map((slot) => formatId(this.#parts.storeTag, this.#parts.table.columns.id[slot]!));
  }
}
