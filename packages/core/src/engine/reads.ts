import type {
  Clock,
  JobDetail,
  JobError,
  JobRow,
  LeaseFacts,
  LeaseRow,
  OperatorAct,
  QueueSummary,
  Total,
} from '@holdfast/contract';
import { formatId, formatToken, parseId } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { RecordSource } from '../log/log-record.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { CloneOrigin } from '../state/enqueue-options.js';
import { NONE } from '../state/job-columns.js';
import { ranksBefore } from '../state/job-heaps.js';
import { STATE, stateName } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import type { QueueLanes } from '../state/lane.js';
import { oldestReadyAtMs } from '../state/oldest-ready.js';
import { readHistory, readLastError } from './history.js';
import { shownPause } from './pauses.js';
import { extrasIn, type Payloads, payloadIn } from './payloads.js';

/** A log that is read, whoever owns it. */
type ShownLog = RecordSource & Pick<SegmentedLog, 'segments'>;

export interface ReadParts {
  readonly table: JobTable;
  readonly log: ShownLog;
  readonly payloads: Payloads;
  readonly clock: Clock;
  readonly storeTag: string;
}

const WORD = 2 ** 32;

/** What operators see: the table's numbers in the words of the contract. Changes nothing. */
export class Reads {
  readonly #parts: ReadParts;

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  /** By name, those behind `after`, at most `limit`. A queue in which nothing happens costs little more than its name. */
  queues(after: string, limit: number): QueueSummary[] {
    const nowMs = this.#parts.clock.now();
    return this.#parts.table.shapes.queuesAfter(after, limit).map((queue) => this.#summary(queue, nowMs));
  }

  /** Those of these names that there are, in the order of the names. */
  namedQueues(names: readonly string[]): QueueSummary[] {
    const { table, clock } = this.#parts;
    const nowMs = clock.now();
    const known = names.map((name) => table.shapes.queue(name)).filter((queue) => queue !== undefined);
    return known.map((queue) => this.#summary(queue, nowMs));
  }

  #summary(queue: QueueLanes, nowMs: number): QueueSummary {
    const { table } = this.#parts;
    const oldest = oldestReadyAtMs(table.columns, queue, table.ranks.leadMs);
    return {
      name: queue.name,
      counts: queue.counts(),
      retrying: queue.retrying,
      ...(oldest === undefined ? {} : { oldestReadyAtMs: oldest }),
      throughput: queue.throughput.read(nowMs),
      ...(queue.pause === undefined ? {} : { paused: shownPause(queue.pause) }),
    };
  }

  /** @throws LogCorruptError if a record of the job is damaged */
  job(idText: string): JobDetail | undefined {
    const { table, log, payloads, storeTag } = this.#parts;
    const id = parseId(storeTag, idText);
    const slot = id === undefined ? NONE : table.ids.find(id);
    if (id === undefined || slot === NONE) return undefined;
    const { columns } = table;
    const { attempts, acts, result, cancelCause } = readHistory(log, id, columns.history[slot]!);
    const progress = attempts.at(-1)?.progress;
    const location = columns.enqueueLocation[slot]!;
    const origin = payloads.originOf(slot);
    const kept = payloads.of(slot);
    const dedupeKey = payloads.keyOf(slot);
    const isCancelled = columns.state[slot] === STATE.cancelled;
    return {
      ...this.row(slot),
      payload: payloadIn(kept),
      ...extrasIn(kept),
      ...(dedupeKey === undefined ? {} : { dedupeKey }),
      ...(result === undefined ? {} : { result }),
      ...(columns.state[slot] === STATE.ready ? { ahead: this.#ahead(slot) } : {}),
      ...(progress === undefined ? {} : { progress }),
      attemptLog: attempts,
      acts: origin === undefined ? acts : [cloneAct(origin, columns.enqueuedAtMs[slot]!), ...acts],
      ...(origin === undefined ? {} : { clonedFrom: formatId(storeTag, origin.id) }),
      ...(isCancelled ? { cancelCause } : {}),
      record: { file: segmentFile(log, location), offset: location % WORD, bytes: columns.enqueueBytes.at(slot) },
    };
  }

  /** Ready jobs of its queue that are handed out before it. */
  #ahead(slot: number): Total {
    const { table } = this.#parts;
    const { columns } = table;
    let value = 0;
    for (const lane of table.shapeOf(slot).lane.queue.lanesNow()) {
      lane.ready.visitDown((other) => {
        const isBefore = value < LIMITS.aheadMax && ranksBefore(columns, other, slot);
        if (isBefore) value++;
        return isBefore;
      });
    }
    return { value, relation: value < LIMITS.aheadMax ? 'exact' : 'atLeast' };
  }

  leases(limit: number): LeaseRow[] {
    const { leases } = this.#parts.table;
    const live: number[] = [];
    for (let position = 0; position < leases.size; position++) live.push(leases.at(position));
    live.sort((one, other) => leases.deadlineMs[one]! - leases.deadlineMs[other]!);
    return live.slice(0, limit).map((lease) => this.#leaseRow(lease));
  }

  #leaseRow(lease: number): LeaseRow {
    const { table, storeTag } = this.#parts;
    const slot = table.leases.job[lease]!;
    const { queue, name, maxAttempts } = table.shapeOf(slot);
    const progress = table.leases.notes(lease)?.progress ?? '';
    return {
      id: formatId(storeTag, table.columns.id[slot]!),
      queue,
      name,
      attempt: table.columns.attemptsOf(slot),
      maxAttempts,
      ...this.#leaseFacts(lease),
      extensions: table.leases.extensions[lease]!,
      ...(progress === '' ? {} : { progress }),
    };
  }

  #leaseFacts(lease: number): LeaseFacts {
    const { leases } = this.#parts.table;
    return {
      worker: leases.worker[lease]!,
      token: formatToken(leases.token[lease]!),
      leasedAtMs: leases.leasedAtMs[lease]!,
      leaseMs: leases.leaseMs[lease]!,
      remainingMs: leases.deadlineMs[lease]! - this.#parts.clock.monotonicMs(),
    };
  }

  /** A job in a list. */
  row(slot: number): JobRow {
    const { table, storeTag } = this.#parts;
    const { columns } = table;
    const { queue, name, maxAttempts } = table.shapeOf(slot);
    const state = columns.state[slot]!;
    const lastError = this.lastError(slot);
    const until = table.shapeOf(slot).lane.queue.ringOf(state)?.keptUntilMs(columns.updatedAtMsOf(slot));
    return {
      id: formatId(storeTag, columns.id[slot]!),
      queue,
      name,
      state: stateName(state),
      priority: columns.priority[slot]!,
      attempts: columns.attemptsOf(slot),
      maxAttempts,
      enqueuedAtMs: columns.enqueuedAtMs[slot]!,
      runAtMs: columns.runAtMs[slot]!,
      updatedAtMs: columns.updatedAtMsOf(slot),
      payloadBytes: columns.payloadBytes.at(slot),
      ...(table.expiries.has(slot) ? { expiresAtMs: columns.expiresAtMs(slot) } : {}),
      ...(until === undefined ? {} : { keptUntilMs: until }),
      ...(state === STATE.leased ? { lease: this.#leaseFacts(columns.position[slot]!) } : {}),
      ...(lastError === undefined ? {} : { lastError: firstLineOf(lastError) }),
    };
  }

  /** Of dead jobs and those that wait for a retry. A damaged record costs the list only this one text. */
  lastError(slot: number): JobError | undefined {
    const { table, log } = this.#parts;
    const { columns } = table;
    const state = columns.state[slot]!;
    const retrying = state === STATE.scheduled && columns.attemptsOf(slot) > 0;
    if (state !== STATE.dead && !retrying) return undefined;
    try {
      return readLastError(log, columns.history[slot]!, columns.id[slot]!);
    } catch {
      return undefined;
    }
  }
}

function segmentFile(log: ShownLog, location: number): string {
  const number = Math.floor(location / WORD);
  return log.segments().find((segment) => segment.number === number)?.file ?? String(number);
}

function firstLineOf({ class: name, message }: JobError): NonNullable<JobRow['lastError']> {
  return { class: name, message: message.split('\n', 1)[0]! };
}

function cloneAct({ actor, reason }: CloneOrigin, atMs: number): OperatorAct {
  return { act: 'clone', atMs, actor, ...(reason === '' ? {} : { reason }) };
}
