import { cutBytes } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import { bodyWithShape } from '../state/enqueue-record.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import { decodeMove, encodeMove, type MoveContents, type MoveFields, moveBodyBytes } from '../state/move-record.js';
import { RecordError, readU64 } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import type { Commits } from './commits.js';
import { decodingAt } from './corrupt-record.js';
import { type CollectedHistory, collectHistory } from './history-entry.js';
import { RecentRecords } from './recent-records.js';

/** Kinds of records that hold a job whole. */
const HOMES: ReadonlySet<number> = new Set([RECORD.enqueue, RECORD.replace, RECORD.move]);
const NO_LEASE = { token: 0, leasedAtMs: 0, leaseMs: 0, worker: '' };

/** Writes jobs again, whole, so that their old records are not needed any more. */
export class JobMover {
  readonly #table: JobTable;
  readonly #log: Pick<SegmentedLog, 'readRecord'>;
  readonly #commits: Pick<Commits, 'room' | 'reserve'>;
  readonly #recent: RecentRecords;

  constructor(table: JobTable, log: Pick<SegmentedLog, 'readRecord'>, commits: Pick<Commits, 'room' | 'reserve'>) {
    this.#table = table;
    this.#log = log;
    this.#commits = commits;
    this.#recent = new RecentRecords(log);
  }

  /**
   * Reads what a MOVE of the job holds. Changes nothing.
   * @throws LogCorruptError if a record of the job is damaged: such a job stays where it is; or what the disk says
   */
  read(slot: number): MoveContents {
    const { columns } = this.#table;
    const id = columns.id[slot]!;
    const location = columns.enqueueLocation[slot]!;
    const record = this.#log.readRecord(location, columns.enqueueBytes.at(slot));
    const enqueue = decodingAt(location, () => {
      const { buffer, view, offset, bodyBytes } = record.kind === RECORD.move ? decodeMove(record).enqueue : record;
      const isKnown = HOMES.has(record.kind);
      if (!isKnown || readU64(view, offset) !== id) throw new RecordError('belongs to another job');
      return bodyWithShape(buffer.slice(offset, offset + bodyBytes), this.#table.shapeOf(slot).template);
    });
    const history = collectHistory(this.#recent, id, columns.history[slot]!);
    const fields = this.#fields(slot, history);
    const worker = cutBytes(fields.worker, LIMITS.workerNameBytesMax);
    return { fields, worker, enqueue, history: history.entries };
  }

  /** Appends the MOVE. Nothing may happen to the job between `read` and this. @returns its bytes */
  write(slot: number, contents: MoveContents): number {
    const bodyBytes = moveBodyBytes(contents);
    this.#commits.room(bodyBytes);
    const record = this.#commits.reserve(RECORD.move, bodyBytes);
    encodeMove(record, contents);
    this.#table.relocate(slot, record.location, record.recordBytes);
    return record.recordBytes;
  }

  #fields(slot: number, { recorded, cut }: CollectedHistory): MoveFields {
    const table = this.#table;
    const { columns } = table;
    const state = columns.state[slot]!;
    const isReady = state === STATE.ready;
    const enqueuedAtMs = columns.enqueuedAtMs[slot]!;
    // Where no later record says it, the ENQUEUE does; where the history was cut, the present must do.
    const atFirst = { waits: columns.runAtMs[slot]! > enqueuedAtMs, atMs: enqueuedAtMs };
    const present = { waits: false, atMs: columns.updatedAtMsOf(slot) };
    const { waits, atMs } = recorded ?? (cut ? present : atFirst);
    return {
      state: isReady && waits ? STATE.scheduled : state,
      attempts: columns.attemptsOf(slot),
      runAtMs: columns.runAtMs[slot]!,
      rankAtMs: columns.rankAtMs[slot]!,
      updatedAtMs: isReady ? atMs : columns.updatedAtMsOf(slot),
      priority: columns.priority[slot]!,
      ...(state === STATE.leased ? this.#lease(columns.position[slot]!) : NO_LEASE),
      ...(state === STATE.completed ? { token: table.tokenOf(slot) } : {}),
      endedOrder: table.endedOrderOf(slot),
      mayExpire: table.expiries.has(slot),
      takesKey: table.keys.takes(slot),
      historyCut: cut,
    };
  }

  #lease(lease: number) {
    const { token, leasedAtMs, leaseMs, worker } = this.#table.leases;
    return {
      token: token[lease]!,
      leasedAtMs: leasedAtMs[lease]!,
      leaseMs: leaseMs[lease]!,
      worker: worker[lease]!,
    };
  }
}
