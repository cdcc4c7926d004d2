import type { Clock, HoldfastError, JobError, Random, SettleAnswer } from '@holdfast/contract';
import { backoffMs } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import { NONE } from '../state/job-columns.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import { ACK_HEAD_BYTES, ACK_ITEM_BYTES, ackItemBytes, encodeAckHead, encodeAckItem } from '../state/lease-records.js';
import { CAUSE, type Cause, RECORD } from '../state/record-kinds.js';
import {
  deadBodyBytes,
  encodeDead,
  encodeRelease,
  encodeRetry,
  errorBytes,
  RELEASE_BODY_BYTES,
  retryBodyBytes,
} from '../state/settle-records.js';
import type { Call, Commits } from './commits.js';
import type { EngineAck, EngineExtend, EngineFail, EngineRelease, SettleDone } from './engine-calls.js';
import type { Events } from './events.js';
import type { Metrics } from './metrics.js';
import type { WorkerRegistry } from './worker-registry.js';

export interface SettlingParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly workers: WorkerRegistry;
  readonly clock: Clock;
  readonly random: Random;
}

/** Answers a call with a token when all it led to is written. */
export class SettleCall implements Call {
  readonly #answers: readonly SettleAnswer[];
  readonly #done: SettleDone;

  constructor(answers: readonly SettleAnswer[], done: SettleDone) {
    this.#answers = answers;
    this.#done = done;
  }

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answers : undefined);
  }
}

/** Acks with large results are spread over records of about this size. */
const ACK_RECORD_BYTES = 1024 * 1024;

/** Ends leases, each under its own token; a token that is not the live lease's changes nothing. */
export class Settling {
  readonly #parts: SettlingParts;
  readonly #acked = new Uint32Array(LIMITS.settleItemsMax);

  constructor(parts: SettlingParts) {
    this.#parts = parts;
  }

  ack(items: readonly EngineAck[], done: SettleDone): void {
    const answers: SettleAnswer[] = [];
    for (let from = 0; from < items.length; from = answers.length) this.#ackSome(items, answers);
    this.#parts.commits.answerWritten(new SettleCall(answers, done));
  }

  fail(items: readonly EngineFail[], done: SettleDone): void {
    const { table } = this.#parts;
    const answers = items.map(({ id, token, error, then }) => {
      const answer = this.check(id, token);
      if (answer !== 'ok') return answer;
      const slot = table.ids.find(id);
      if (then === 'cancel') this.#withdraw(slot, token, error);
      else this.endAttempt(slot, token, CAUSE.failed, error, then);
      return answer;
    });
    this.#parts.commits.answerWritten(new SettleCall(answers, done));
  }

  release(items: readonly EngineRelease[], done: SettleDone): void {
    const answers = items.map(({ id, token, delayMs }) => {
      const answer = this.check(id, token);
      if (answer === 'ok') this.#release(id, token, delayMs ?? 0);
      return answer;
    });
    this.#parts.commits.answerWritten(new SettleCall(answers, done));
  }

  extend(items: readonly EngineExtend[], done: SettleDone): void {
    const { table, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    const answers = items.map(({ id, token, leaseMs }) => {
      const answer = this.check(id, token);
      if (answer === 'ok') this.#extend(table.ids.find(id), leaseMs, nowMs + leaseMs);
      return answer;
    });
    this.#parts.commits.answerWritten(new SettleCall(answers, done));
  }

  #extend(slot: number, leaseMs: number, deadlineMs: number): void {
    const { table, workers } = this.#parts;
    table.extend(slot, leaseMs, deadlineMs);
    workers.extended(table.leases.worker[table.columns.position[slot]!]!);
  }

  /** Hands a job back whose claim was cancelled before it was answered. */
  giveBack(id: number, token: number): void {
    if (this.check(id, token) === 'ok') this.#release(id, token, 0);
  }

  /** Ends the live lease of a job without an ack: the job will be tried again, or is dead. */
  endAttempt(
    slot: number,
    token: number,
    cause: Cause,
    error: JobError,
    then: Exclude<EngineFail['then'], 'cancel'>,
  ): 'scheduled' | 'dead' {
    const { table, commits, events, metrics, clock, random } = this.#parts;
    const { columns } = table;
    const { maxAttempts, backoff } = table.shapeOf(slot);
    const attempt = columns.attemptsOf(slot);
    const texts = errorBytes(error);
    const atMs = clock.now();
    const reference = { atMs, id: columns.id[slot]!, token, previous: columns.history[slot]! };
    metrics.totals.failed++;
    const isDead = then === 'dead' || (maxAttempts !== null && attempt >= maxAttempts);
    if (events.isOn) events.attemptEnded(isDead ? 'dead' : 'retried', slot, error);
    if (isDead) {
      const bodyBytes = deadBodyBytes(texts);
      commits.room(bodyBytes);
      const record = commits.reserve(RECORD.dead, bodyBytes);
      encodeDead(record, { ...reference, cause }, texts);
      table.dead(slot, token, atMs, record.location, error);
      metrics.totals.dead++;
      return 'dead';
    }
    const delayMs = typeof then === 'object' ? Math.ceil(then.retryInMs) : backoffMs(backoff, attempt, random);
    const runAtMs = atMs + delayMs;
    const bodyBytes = retryBodyBytes(texts);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.retry, bodyBytes);
    encodeRetry(record, { ...reference, runAtMs, cause }, texts);
    table.retry(slot, token, runAtMs, atMs, record.location);
    return 'scheduled';
  }

  /** The handler cancels its job. */
  #withdraw(slot: number, token: number, error: JobError): void {
    const { table, commits, events, clock } = this.#parts;
    const { columns } = table;
    if (events.isOn) events.job('cancelled', slot);
    const texts = errorBytes(error);
    const atMs = clock.now();
    const id = columns.id[slot]!;
    const bodyBytes = deadBodyBytes(texts);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.withdraw, bodyBytes);
    encodeDead(record, { atMs, id, token, previous: columns.history[slot]!, cause: CAUSE.failed }, texts);
    table.withdraw(slot, token, atMs, record.location);
  }

  /** What a call with this token is answered; `ok` only for the live lease. */
  check(id: number, token: number): SettleAnswer {
    const { table } = this.#parts;
    const slot = table.ids.find(id);
    if (slot === NONE) return 'missing';
    const state = table.columns.state[slot];
    if (state === STATE.cancelled) return 'cancelled';
    return state === STATE.leased && table.tokenOf(slot) === token ? 'ok' : 'stale';
  }

  /** As `check`, but the ack of a job that this very token completed is `ok` again. */
  #isRepeated(id: number, token: number): boolean {
    const { table } = this.#parts;
    const slot = table.ids.find(id);
    return slot !== NONE && table.columns.state[slot] === STATE.completed && table.tokenOf(slot) === token;
  }

  #release(id: number, token: number, delayMs: number): void {
    const { table, commits, clock } = this.#parts;
    const slot = table.ids.find(id);
    const atMs = clock.now();
    const runAtMs = atMs + Math.ceil(delayMs);
    commits.room(RELEASE_BODY_BYTES);
    const record = commits.reserve(RECORD.release, RELEASE_BODY_BYTES);
    encodeRelease(record, { atMs, id, token, previous: table.columns.history[slot]!, runAtMs });
    table.release(slot, token, runAtMs, atMs, record.location);
  }

  /** Answers items from `answers.length` on: as many as fit into one record. */
  #ackSome(items: readonly EngineAck[], answers: SettleAnswer[]): void {
    const { table } = this.#parts;
    let count = 0;
    let bodyBytes = ACK_HEAD_BYTES;
    const fits = () => bodyBytes < ACK_RECORD_BYTES && count < this.#acked.length;
    for (let index = answers.length; index < items.length && fits(); index++) {
      const { id, token, result } = items[index]!;
      let answer = this.check(id, token);
      // The same ack twice in one record: the second finds the lease marked by the first.
      if (answer === 'ok' && table.leases.mark(table.columns.position[table.ids.find(id)]!)) {
        this.#acked[count++] = index;
        bodyBytes += ackItemBytes(result);
      } else if (answer === 'stale' && this.#isRepeated(id, token)) {
        answer = 'ok';
      }
      answers.push(answer);
    }
    if (count > 0) this.#writeAcks(items, count, bodyBytes);
  }

  #writeAcks(items: readonly EngineAck[], count: number, bodyBytes: number): void {
    const { table, commits, events, metrics, clock } = this.#parts;
    const atMs = clock.now();
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.ack, bodyBytes);
    const { location } = record;
    let at = encodeAckHead(record, atMs, count);
    for (let index = 0; index < count; index++) {
      const { id, token, result } = items[this.#acked[index]!]!;
      const slot = table.ids.find(id);
      const end = encodeAckItem(record, at, id, token, table.columns.history[slot]!, result);
      metrics.took('run', atMs, atMs - table.leases.leasedAtMs[table.columns.position[slot]!]!);
      if (events.isOn) events.job('completed', slot);
      table.ack(slot, token, atMs, location, end - at - ACK_ITEM_BYTES);
      at = end;
    }
    metrics.totals.completed += count;
  }
}
