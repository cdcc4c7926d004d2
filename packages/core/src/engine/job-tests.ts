import type { JobFilter } from '@holdfast/contract';
import { holdsText, OTHER_ERRORS, payloadHas } from '@holdfast/contract/rules';
import { formatId } from '../identity.js';
import { type AsOf, unchangedSince } from '../state/as-of.js';
import type { ScanFilter } from '../state/job-scan.js';
import { STATE, stateNumber } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import { type Payloads, payloadIn } from './payloads.js';
import type { Reads } from './reads.js';

export interface JobTestParts {
  readonly table: JobTable;
  readonly payloads: Payloads;
  readonly reads: Reads;
  readonly storeTag: string;
}

/** What one slice of a search reads from the disk and takes apart, at most: some milliseconds. */
const SLICE_READS = 100;
const SLICE_READ_BYTES = 512 * 1024;

type Test = (slot: number) => boolean;

/** A filter as questions to the table, and to the disk where it must be. */
export class JobTests {
  readonly #parts: JobTestParts;
  #reads = 0;
  #readBytes = 0;

  constructor(parts: JobTestParts) {
    this.#parts = parts;
  }

  /** @param asOf only jobs that have not changed since */
  scanFilter(filter: JobFilter, asOf?: AsOf): ScanFilter {
    const { table } = this.#parts;
    const tests = [...this.#columnTests(filter), ...this.#errorTests(filter)];
    if (asOf !== undefined) tests.push((slot) => unchangedSince(table, slot, asOf));
    const readingTests = this.#readingTests(filter);
    return {
      state: filter.state === undefined ? undefined : stateNumber(filter.state),
      queue: filter.queue,
      name: filter.name,
      ...(tests.length === 0 ? {} : { test: all(tests) }),
      ...(readingTests.length === 0 ? {} : { readingTest: all(readingTests) }),
    };
  }

  /** Begins a slice. @returns whether it has read enough */
  readingSlice(): () => boolean {
    this.#reads = 0;
    this.#readBytes = 0;
    return () => this.#reads >= SLICE_READS || this.#readBytes >= SLICE_READ_BYTES;
  }

  /** How many jobs match a filter that asks for nothing but state, queue, name and fingerprint. */
  countByError({ state, queue, name, errorFingerprint, ...more }: JobFilter): number | undefined {
    if (errorFingerprint === undefined || Object.values(more).some((value) => value !== undefined)) return undefined;
    if (state !== undefined && state !== 'dead') return 0;
    let count = 0;
    for (const cell of this.#parts.table.deaths.group(errorFingerprint)?.cells.values() ?? []) {
      const matches =
        (queue === undefined ? !this.#isInternal(cell.queue) : cell.queue === queue) &&
        (name === undefined || cell.name === name);
      if (matches) count += cell.count;
    }
    return count;
  }

  #isInternal(queue: string): boolean {
    return this.#parts.table.shapes.queue(queue)?.isInternal ?? false;
  }

  #columnTests(filter: JobFilter): Test[] {
    const { table, storeTag } = this.#parts;
    const { columns } = table;
    const { id, attemptsMin, enqueuedFromMs, enqueuedBeforeMs, updatedFromMs, updatedBeforeMs } = filter;
    const tests: Test[] = [];
    if (id !== undefined) tests.push((slot) => formatId(storeTag, columns.id[slot]!).startsWith(id));
    if (attemptsMin !== undefined) tests.push((slot) => columns.attemptsOf(slot) >= attemptsMin);
    if (enqueuedFromMs !== undefined) tests.push((slot) => columns.enqueuedAtMs[slot]! >= enqueuedFromMs);
    if (enqueuedBeforeMs !== undefined) tests.push((slot) => columns.enqueuedAtMs[slot]! < enqueuedBeforeMs);
    if (updatedFromMs !== undefined) tests.push((slot) => columns.updatedAtMsOf(slot) >= updatedFromMs);
    if (updatedBeforeMs !== undefined) tests.push((slot) => columns.updatedAtMsOf(slot) < updatedBeforeMs);
    return tests;
  }

  #errorTests({ errorClass, errorText, errorFingerprint }: JobFilter): Test[] {
    const { table } = this.#parts;
    const tests: Test[] = [];
    if (errorFingerprint !== undefined) {
      tests.push((slot) => this.#kindOf(slot)?.fingerprint === errorFingerprint);
    } else if (errorClass !== undefined || errorText !== undefined) {
      tests.push((slot) => {
        const state = table.columns.state[slot]!;
        return state === STATE.dead || (state === STATE.scheduled && table.columns.attemptsOf(slot) > 0);
      });
    }
    return tests;
  }

  /** Of a dead job. */
  #kindOf(slot: number) {
    const { columns, deaths } = this.#parts.table;
    if (columns.state[slot] !== STATE.dead) return undefined;
    const { dead } = this.#parts.table.shapeOf(slot).lane.queue;
    return deaths.cell(dead.tokenAt(columns.position[slot]!))?.group.kind;
  }

  #readingTests({ errorClass, errorText, payload }: JobFilter): Test[] {
    const tests: Test[] = [];
    if (errorClass !== undefined || errorText !== undefined) {
      tests.push((slot) => {
        const kind = this.#kindOf(slot);
        const isKnown = kind !== undefined && kind !== OTHER_ERRORS;
        if (isKnown && errorClass !== undefined && kind.errorClass !== errorClass) return false;
        if (isKnown && errorText === undefined) return true;
        this.#reads++;
        const error = this.#parts.reads.lastError(slot);
        return (
          error !== undefined &&
          (errorClass === undefined || error.class === errorClass) &&
          (errorText === undefined || holdsText(error.message, errorText))
        );
      });
    }
    if (payload !== undefined) tests.push((slot) => this.#payloadHas(slot, payload));
    return tests;
  }

  /** A job whose record is damaged is not found. */
  #payloadHas(slot: number, field: NonNullable<JobFilter['payload']>): boolean {
    this.#reads++;
    this.#readBytes += this.#parts.table.columns.payloadBytes.at(slot);
    try {
      return payloadHas(payloadIn(this.#parts.payloads.of(slot)), field);
    } catch {
      return false;
    }
  }
}

function all(tests: readonly Test[]): Test {
  return (slot) => tests.every((test) => test(slot));
}
