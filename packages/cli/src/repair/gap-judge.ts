import type { LogRecord } from '@holdfast/core/log';
import { decodeAttemptHead, decodeAttemptItem, type JobTable, RECORD, STATE } from '@holdfast/core/records';
import type { SurveyedSegment } from '../salvage/log-survey.js';
import { decoding } from './damaged-record.js';
import type { HistoryWriter } from './history-writer.js';
import type { ComingBack, JudgedGap, Loss } from './loss.js';
import type { RecordSink } from './record-sink.js';
import type { Gap } from './salvaged-log.js';

const TOKENS_PER_EPOCH = 2 ** 32;
/** No ENQUEUE record is shorter: 12 bytes of header, 46 of fields, two lengths of names. */
export const ENQUEUE_BYTES_MIN = 60;

/** What may have been in the gaps: follows from the ids and tokens around them, because both are given out without holes. */
export class GapJudge {
  readonly #table: JobTable;
  readonly #writer: HistoryWriter;
  readonly #sink: RecordSink;
  readonly #loss: Loss;
  /** Gaps since the last ENQUEUE, and whether the last of them has come to its end. */
  #openForIds: JudgedGap[] = [];
  /** Gaps since the last ATTEMPT. */
  #openForTokens: JudgedGap[] = [];
  /** Ids that were found to be lost in those gaps. */
  #foundIds = 0;
  #inGap = false;
  #tokenBefore = 0;
  #attemptsBefore = 0;
  #epoch: number | undefined;
  /** The id that comes next if none is lost. */
  #expectedId = 1;

  constructor(table: JobTable, writer: HistoryWriter, sink: RecordSink, loss: Loss) {
    this.#table = table;
    this.#writer = writer;
    this.#sink = sink;
    this.#loss = loss;
  }

  segment({ header }: SurveyedSegment): void {
    this.#epoch = header?.epoch;
    if (header === undefined) return;
    // Its maker knew all ids that were given out before, also those that are lost now.
    this.#idsUpTo(header.idFloor);
    this.#openForIds = [];
  }

  gapBegins(gap: Gap): void {
    const judged = { ...gap, attemptsLost: 0, boundary: 0 };
    this.#loss.gaps.push(judged);
    if (gap.recordsLost === 0) return;
    if (this.#openForTokens.length === 0) {
      const { lastToken, attempts } = this.#writer.read;
      this.#tokenBefore = Math.max(lastToken, (this.#epoch ?? 0) * TOKENS_PER_EPOCH);
      this.#attemptsBefore = attempts;
    }
    Object.assign(judged, { attemptsLost: undefined });
    if (this.#openForIds.length === 0) this.#foundIds = 0;
    this.#openForIds.push(judged);
    this.#openForTokens.push(judged);
    this.#inGap = true;
  }

  gapEnds(): void {
    this.#inGap = false;
    const last = this.#loss.gaps.at(-1);
    if (last !== undefined) last.boundary = this.#sink.location;
  }

  /** Before the record is written. */
  before(record: LogRecord): void {
    if (record.kind !== RECORD.attempt || this.#inGap || this.#openForTokens.length === 0) return;
    decoding(
      () => this.#tokensUpTo(firstToken(record)),
      () => {},
    );
  }

  /** After the record was written. */
  after(record: LogRecord): void {
    if (record.kind !== RECORD.enqueue) return;
    this.#idsUpTo(this.#table.nextId - 1);
    this.#expectedId = Math.max(this.#expectedId, this.#table.nextId);
    if (!this.#inGap) this.#openForIds = [];
  }

  /** Call it at the end. */
  finish(): void {
    if (this.#openForIds.length === 0) return;
    const jobs = this.#openForIds.map(({ recordsLost, bytes }) => recordsLost ?? bytes / ENQUEUE_BYTES_MIN);
    const isMissing = this.#openForIds.some(({ bytes, recordsLost }) => bytes === 0 && recordsLost === undefined);
    const most = Math.floor(jobs.reduce((sum, count) => sum + count, 0)) - this.#foundIds;
    const firstId = this.#expectedId;
    if (isMissing) this.#loss.unseen({ firstId, lastId: undefined });
    else if (most > 0) this.#loss.unseen({ firstId, lastId: firstId + most - 1 });
  }

  /** Asks the finished table which of its unfinished jobs may have been completed in a gap. */
  comingBack(): ComingBack {
    const { columns, ids, nextId } = this.#table;
    const gaps = this.#loss.gaps.filter(({ recordsLost }) => recordsLost !== 0);
    const likely: number[] = [];
    const possible: number[] = [];
    ids.walkDown(nextId, undefined, (slot) => {
      const state = columns.state[slot];
      const heardOf = columns.history[slot] || columns.enqueueLocation[slot]!;
      const since = gaps.filter(({ boundary }) => boundary > heardOf);
      if (since.length > 0 && state === STATE.leased) likely.push(columns.id[slot]!);
      const waits = state === STATE.ready || state === STATE.scheduled;
      if (waits && couldRunIn(since)) possible.push(columns.id[slot]!);
      return true;
    });
    return { likely: likely.toReversed(), possible: possible.toReversed() };
  }

  #idsUpTo(id: number): void {
    if (this.#openForIds.length > 0 && id > this.#expectedId) {
      this.#loss.unseen({ firstId: this.#expectedId, lastId: id - 1 });
      this.#foundIds += id - this.#expectedId;
    }
    this.#expectedId = Math.max(this.#expectedId, id);
  }

  #tokensUpTo(token: number): void {
    const isSameEpoch = Math.floor(token / TOKENS_PER_EPOCH) === Math.floor(this.#tokenBefore / TOKENS_PER_EPOCH);
    const read = this.#writer.read.attempts - this.#attemptsBefore;
    const known = read + this.#writer.orphansBetween(this.#tokenBefore, token);
    const attemptsLost = isSameEpoch ? Math.max(0, token - this.#tokenBefore - 1 - known) : undefined;
    for (const gap of this.#openForTokens) gap.attemptsLost = attemptsLost;
    this.#openForTokens = [];
  }
}

/**
 * Whether a job that waited could have been leased and completed in these gaps. An ATTEMPT is written before a worker sees its job, so
 * that takes two frames.
 */
function couldRunIn(gaps: readonly JudgedGap[]): boolean {
  let frames = 0;
  for (const { firstSeq, lastSeq } of gaps) frames += lastSeq === undefined ? 2 : lastSeq - firstSeq + 1;
  return frames >= 2 && gaps.some(({ attemptsLost }) => attemptsLost !== 0);
}

function firstToken(record: LogRecord): number {
  const item = { id: 0, token: 0, attempt: 0, previous: 0 };
  decodeAttemptItem(record.view, decodeAttemptHead(record).itemsAt, item);
  return item.token;
}
