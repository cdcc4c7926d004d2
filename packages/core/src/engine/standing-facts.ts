import type { Clock } from '@holdfast/contract';
import type { SegmentedLog } from '../log/segmented-log.js';
import {
  encodeForgotten,
  encodeForgottenDead,
  forgottenBodyBytes,
  forgottenDeadBodyBytes,
  type RecordPlace,
} from '../state/forgotten-record.js';
import type { JobTable } from '../state/job-table.js';
import type { Window } from '../state/key-table.js';
import type { QueueLanes } from '../state/lane.js';
import type { StandingFact } from '../state/pause-table.js';
import { RECORD } from '../state/record-kinds.js';
import {
  encodeRequests,
  encodeWindows,
  type Request,
  requestsBodyBytes,
  windowsBodyBytes,
} from '../state/remembered-record.js';
import type { Commits } from './commits.js';

interface FactParts {
  readonly table: JobTable;
  readonly log: SegmentedLog;
  readonly commits: Commits;
  readonly clock: Clock;
}

const WORD = 2 ** 32;
/** What is looked at in one piece. A step of compaction shall not last long. */
const LOOKED_AT_ONCE = 500;
const QUEUES_AT_ONCE = 50;

/**
 * Writes what an emptied segment says beside its jobs, so that it can go: facts that still hold, as they are, and for each queue which
 * ended jobs are forgotten (a replay without the segment would remember older ones in the place of those that it does not know yet),
 * unless a later segment says just that.
 * Does so in pieces; all else may go on between them, because what it says is said in later segments.
 * @throws LogCorruptError if a fact cannot be read
 */
export function* writeStandingFacts(parts: FactParts, segmentNumber: number): Generator<void, void> {
  const { table, clock } = parts;
  for (const requests of table.requests.in(segmentNumber, clock.now(), LOOKED_AT_ONCE)) {
    if (requests.length > 0) {
      writeRequests(parts, requests);
    }
    yield;
  }
  for (const windows of table.keys.in(segmentNumber, clock.now(), LOOKED_AT_ONCE)) {
    if (windows.length > 0) {
      writeWindows(parts, windows);
    }
    yield;
  }
  let queues = 0;
  for (const fact of table.pauses.facts()) {
    if (Math.floor(fact.location / WORD) !== segmentNumber) continue;
    writeAgain(parts, fact);
    if (++queues % QUEUES_AT_ONCE === 0) yield;
  }
  for (const queue of table.shapes.queues()) {
    writeForgotten(parts, queue, segmentNumber);
    if (++queues % QUEUES_AT_ONCE === 0) yield;
  }
}

function writeAgain({ log, commits }: FactParts, fact: StandingFact): void {
  const { buffer, offset, bodyBytes } = log.readRecord(fact.location, fact.recordBytes);
  const body = buffer.subarray(offset, offset + bodyBytes);
  commits.room(bodyBytes);
  const record = commits.reserve(fact.kind, bodyBytes);
  record.buffer.set(body, record.offset);
  fact.movedTo(record.location, record.recordBytes);
}

function writeForgotten(parts: FactParts, queue: QueueLanes, segmentNumber: number): void {
  writeForgottenDead(parts, queue, segmentNumber);
  const { commits, table } = parts;
  const completedBelow = queue.completed.forgottenBelow;
  const cancelledBelow = queue.cancelled.forgottenBelow;
  if (completedBelow === 0 && cancelledBelow === 0) return;
  const said = saidBehind(queue.saidForgotten, segmentNumber);
  if (said?.completedBelow === completedBelow && said.cancelledBelow === cancelledBelow) return;
  const name = Buffer.from(queue.name, 'utf8');
  const bodyBytes = forgottenBodyBytes(name);
  commits.room(bodyBytes);
  const record = commits.reserve(RECORD.forgotten, bodyBytes);
  encodeForgotten(record, { completedBelow, cancelledBelow }, name);
  table.forgotten(queue.name, { completedBelow, cancelledBelow }, record);
}

function writeForgottenDead({ commits, table }: FactParts, queue: QueueLanes, segmentNumber: number): void {
  const deadBelow = queue.dead.forgottenBelow;
  if (deadBelow === 0 || saidBehind(queue.saidForgottenDead, segmentNumber)?.deadBelow === deadBelow) return;
  const name = Buffer.from(queue.name, 'utf8');
  const bodyBytes = forgottenDeadBodyBytes(name);
  commits.room(bodyBytes);
  const record = commits.reserve(RECORD.forgottenDead, bodyBytes);
  encodeForgottenDead(record, { deadBelow }, name);
  table.forgottenDead(queue.name, { deadBelow }, record);
}

/** What is said in a later segment than this one. */
function saidBehind<Fact extends RecordPlace>(said: Fact | undefined, segmentNumber: number): Fact | undefined {
  return said !== undefined && Math.floor(said.location / WORD) > segmentNumber ? said : undefined;
}

function writeRequests({ table, commits }: FactParts, requests: readonly Request[]): void {
  const bodyBytes = requestsBodyBytes(requests);
  commits.room(bodyBytes);
  const record = commits.reserve(RECORD.remembered, bodyBytes);
  encodeRequests(record, requests);
  table.requests.moved(requests, record.location);
}

function writeWindows({ table, commits }: FactParts, windows: readonly Window[]): void {
  const bodyBytes = windowsBodyBytes(windows);
  commits.room(bodyBytes);
  const record = commits.reserve(RECORD.remembered, bodyBytes);
  encodeWindows(record, windows);
  table.keys.moved(windows, record.location);
}
