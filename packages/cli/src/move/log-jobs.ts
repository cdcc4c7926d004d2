import { join } from 'node:path';
import type { JobCounts, MovedKey, MovedQueue, MovedRequest, StoreContents, WholeJob } from '@holdfast/contract/moving';
import {
  type LogSnapshot,
  locationOffset,
  locationSegment,
  ReadAhead,
  readRecord,
  segmentName,
} from '@holdfast/core/log';
import {
  type EnqueueAnswer,
  formatId,
  type JobTable,
  NONE,
  OUTCOMES,
  STATE,
  stateName,
  storeTag,
  wholeJobReader,
} from '@holdfast/core/records';
import { countJobs } from '../verify/job-figures.js';
import { wholeJob } from './whole-job.js';

const BATCH_JOBS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const LOOKED_AT_ONCE = 500;

/** How far a log has counted: its floors, raised by its records. */
interface LogReach {
  readonly storeId: Uint8Array;
  readonly nextToken: number;
  readonly nextEnd: number;
  readonly nextNumber: number;
}

interface ReplayedLog {
  readonly table: JobTable;
  readonly log: LogSnapshot;
  readonly reach: LogReach;
  readonly nowMs: number;
  readonly requireUnchanged: () => Promise<void>;
}

/** The jobs of a replayed log; each is read from the disk when it is asked for. */
export class LogJobs implements StoreContents {
  readonly identity: StoreContents['identity'];
  readonly requireUnchanged: () => Promise<void>;
  readonly #table: JobTable;
  readonly #log: LogSnapshot;
  readonly #ahead = new ReadAhead();
  readonly #nowMs: number;
  readonly #tag: string;

  constructor({ table, log, reach: { storeId, ...reach }, nowMs, requireUnchanged }: ReplayedLog) {
    this.requireUnchanged = requireUnchanged;
    this.#table = table;
    this.#log = log;
    this.#nowMs = nowMs;
    this.#tag = storeTag(storeId);
    this.identity = { ...reach, storeId: Buffer.from(storeId).toString('hex'), rankFloorMs: table.ranks.floorMs };
  }

  async counts(): Promise<JobCounts> {
    return new Map(countJobs(this.#table).queues.map(({ queue, counts }) => [queue, counts]));
  }

  async queues(): Promise<MovedQueue[]> {
    return [...this.#table.shapes.queues()].map(({ name, pause }) => {
      if (pause === undefined) return { name };
      const { sinceMs, untilMs, actor, reason } = pause;
      const why = reason === '' ? {} : { reason };
      return { name, pause: { sinceMs, ...(untilMs === 0 ? {} : { untilMs }), actor, ...why } };
    });
  }

  async *jobs(): AsyncGenerator<WholeJob[]> {
    const read = wholeJobReader(this.#table, this);
    let batch: WholeJob[] = [];
    let bytes = 0;
    for (const slot of this.#slots()) {
      const contents = read(slot);
      batch.push(wholeJob(contents, this.#table.keys.takes(slot)));
      bytes += contents.enqueue.length;
      if (batch.length < BATCH_JOBS && bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield batch;
  }

  async *keys(): AsyncGenerator<MovedKey[]> {
    for (const windows of this.#table.keys.in(Number.POSITIVE_INFINITY, this.#nowMs, LOOKED_AT_ONCE)) {
      // The others tell of their keys themselves.
      const forgotten = windows.filter(({ id }) => this.#table.ids.find(id) === NONE);
      if (forgotten.length > 0) yield forgotten.map(({ id, ...window }) => ({ ...window, number: id }));
    }
  }

  async *requests(): AsyncGenerator<MovedRequest[]> {
    for (const requests of this.#table.requests.in(Number.POSITIVE_INFINITY, this.#nowMs, LOOKED_AT_ONCE)) {
      if (requests.length === 0) continue;
      yield requests.map(({ id, fingerprint, atMs, answer }) => ({
        id,
        fingerprint,
        atMs,
        answers: this.#answers(answer),
      }));
    }
  }

  /** As a log that is open reads one of its records. @throws LogCorruptError */
  readRecord(location: number, recordBytes?: number) {
    const path = join(this.#log.directory, segmentName(locationSegment(location)));
    const place = { path, offset: locationOffset(location), location };
    return readRecord(this.#log.open(path, 'read'), place, recordBytes, this.#ahead);
  }

  /** In the order of the ids. */
  #slots(): Uint32Array {
    const { columns } = this.#table;
    const slots: number[] = [];
    for (let slot = 0; slot < columns.slotsEnd; slot++) if (columns.state[slot]! < STATE.hidden) slots.push(slot);
    return Uint32Array.from(slots).sort((one, other) => columns.id[one]! - columns.id[other]!);
  }

  #answers({ firstId, scheduled, each }: EnqueueAnswer): MovedRequest['answers'] {
    if (each === undefined) {
      return Array.from(scheduled, (waits, index) => ({
        id: formatId(this.#tag, firstId + index),
        state: waits === 1 ? 'scheduled' : 'ready',
        outcome: 'created',
      }));
    }
    return Array.from(each.ids, (id, index) => ({
      id: formatId(this.#tag, id),
      state: stateName(each.states[index]!),
      outcome: OUTCOMES[each.outcomes[index]!]!,
    }));
  }
}
