import { type Clock, type HoldfastError, LogCorruptError, type Payload } from '@holdfast/contract';
import { cutBytes } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import { ranksBefore } from '../state/job-heaps.js';
import type { JobTable } from '../state/job-table.js';
import type { Lane } from '../state/lane.js';
import type { LaneHeap } from '../state/lane-heap.js';
import { attemptBodyBytes, encodeAttemptHead, encodeAttemptItem } from '../state/lease-records.js';
import { CAUSE, RECORD } from '../state/record-kinds.js';
import type { Call, Commits } from './commits.js';
import type { ClaimedJob, Done, EngineClaim, PendingClaim } from './engine-calls.js';
import type { ExpiredJobs } from './expired-jobs.js';
import type { Metrics } from './metrics.js';
import type { Pauses } from './pauses.js';
import { extrasIn, type LadenPayload, type Payloads, payloadIn } from './payloads.js';
import type { Settling } from './settling.js';
import type { Shapes } from './shapes.js';
import type { Tokens } from './tokens.js';
import type { WorkerRegistry } from './worker-registry.js';

export interface ClaimParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly payloads: Payloads;
  readonly shapes: Shapes;
  readonly settling: Settling;
  readonly tokens: Tokens;
  readonly pauses: Pauses;
  readonly expired: ExpiredJobs;
  readonly workers: WorkerRegistry;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** A lane, or all of a queue. */
type LaneChoice = Pick<LaneHeap, 'first'>;

/** Payload bytes that one claim hands out, unless the first job alone has more. */
const CLAIM_BYTES_MAX = LIMITS.enqueueBytesMax;

/** Jobs that become due are made ready this many at a time. */
export const DUE_BATCH = 10_000;

/** One claim, from the call to its answer. */
class ClaimCall implements Call, PendingClaim {
  readonly request: EngineClaim;
  readonly deadlineMs: number;
  state: 'waiting' | 'leased' | 'answered' = 'waiting';
  jobs: readonly ClaimedJob[] = [];
  readonly #owner: Claims;
  readonly #done: Done<readonly ClaimedJob[]>;

  constructor(owner: Claims, request: EngineClaim, deadlineMs: number, done: Done<readonly ClaimedJob[]>) {
    this.#owner = owner;
    this.request = request;
    this.deadlineMs = deadlineMs;
    this.#done = done;
  }

  cancel(): void {
    this.#owner.cancel(this);
  }

  finish(error: HoldfastError | undefined): void {
    const { jobs } = this;
    this.state = 'answered';
    // A Set that this call waited in may keep it (see OpenCalls), but not its jobs.
    this.jobs = [];
    this.#done(error, error === undefined ? jobs : undefined);
  }
}

/** Leases ready jobs to those who ask, at once or when there are some. */
export class Claims {
  readonly #parts: ClaimParts;
  /** Waiting claims, in order of their calls. */
  readonly #waiting = new Set<ClaimCall>();
  readonly #waitingOn = new Map<string, Set<ClaimCall>>();
  /** Payloads that the system did not give, damaged ones apart. */
  #readFailures = 0;
  /** No waiting claim ends before this. */
  #nextDeadlineMs = Number.POSITIVE_INFINITY;
  readonly #taken = new Uint32Array(LIMITS.claimJobsMax);

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  claim(request: EngineClaim, done: Done<readonly ClaimedJob[]>): PendingClaim {
    this.#parts.workers.claimed(request);
    // Those who wait already come first.
    this.serveWaiting();
    const call = new ClaimCall(this, request, this.#parts.clock.monotonicMs() + request.waitMs, done);
    if (this.#lease(call) || request.waitMs <= 0) this.#parts.commits.answerWritten(call);
    else this.#wait(call);
    return call;
  }

  cancel(call: ClaimCall): void {
    if (call.state === 'waiting' && this.#waiting.has(call)) {
      this.#endWait(call);
      this.#parts.commits.answerWritten(call);
    } else if (call.state === 'leased') {
      for (const { id, token } of call.jobs) this.#parts.settling.giveBack(id, token);
      call.jobs = [];
      call.state = 'answered';
    }
  }

  /** Makes due jobs ready and leases what has become ready to those who wait for it, the first caller first. */
  serveWaiting(): void {
    const { table, clock, pauses, expired } = this.#parts;
    expired.cancelDue();
    pauses.endDue();
    if (table.waiting.scheduled.size > 0) table.due(clock.now(), DUE_BATCH);
    while (table.waiting.hasGained) {
      for (const queue of table.waiting.takeGained()) {
        const waiting = this.#waitingOn.get(queue.name);
        if (waiting === undefined || queue.pause !== undefined) continue;
        for (const call of waiting) {
          if (queue.readyLanes.size === 0) break;
          if (!this.#lease(call)) continue;
          this.#endWait(call);
          this.#parts.commits.answerWritten(call);
        }
      }
    }
  }

  /** Answers the claims whose wait is over. */
  endOverdueWaits(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    if (nowMs < this.#nextDeadlineMs) return;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const call of this.#waiting) {
      if (call.deadlineMs > nowMs) {
        nextMs = Math.min(nextMs, call.deadlineMs);
        continue;
      }
      this.#endWait(call);
      this.#parts.commits.answerWritten(call);
    }
    this.#nextDeadlineMs = nextMs;
  }

  /** Monotonic time at which the next wait may end; Infinity without any. */
  nextMs(): number {
    return this.#waiting.size === 0 ? Number.POSITIVE_INFINITY : this.#nextDeadlineMs;
  }

  /** Ends all waits and gives the calls to the caller. */
  takeWaiting(): Call[] {
    const calls = [...this.#waiting];
    this.#waiting.clear();
    this.#waitingOn.clear();
    return calls;
  }

  #wait(call: ClaimCall): void {
    this.#waiting.add(call);
    this.#parts.workers.waitBegins(call.request.worker);
    this.#nextDeadlineMs = Math.min(this.#nextDeadlineMs, call.deadlineMs);
    for (const queue of call.request.queues) {
      const waiting = this.#waitingOn.get(queue);
      if (waiting === undefined) this.#waitingOn.set(queue, new Set([call]));
      else waiting.add(call);
    }
  }

  #endWait(call: ClaimCall): void {
    this.#waiting.delete(call);
    this.#parts.workers.waitEnds(call.request.worker);
    for (const queue of call.request.queues) {
      const waiting = this.#waitingOn.get(queue);
      waiting?.delete(call);
      if (waiting?.size === 0) this.#waitingOn.delete(queue);
    }
  }

  /** @returns whether the call has got jobs */
  #lease(call: ClaimCall): boolean {
    const choices = this.#choices(call.request);
    while (choices.length > 0) {
      const count = this.#take(choices, Math.min(call.request.limit, LIMITS.claimJobsMax));
      if (count === 0) return false;
      const failures = this.#readFailures;
      call.jobs = this.#handOut(call.request, count);
      if (call.jobs.length > 0) {
        call.state = 'leased';
        const { metrics, clock } = this.#parts;
        metrics.took('claim', clock.now(), clock.monotonicMs() - (call.deadlineMs - call.request.waitMs));
        return true;
      }
      // Whatever keeps the disk from being read would take an attempt of every job there is.
      if (this.#readFailures > failures) return false;
    }
    return false;
  }

  #choices(request: EngineClaim): LaneChoice[] {
    const choices: LaneChoice[] = [];
    for (const name of request.queues) {
      const queue = this.#parts.table.shapes.queue(name);
      if (queue === undefined || queue.pause !== undefined) continue;
      const wanted = request.names?.map((one) => queue.lane(one)) ?? [queue.readyLanes];
      for (const choice of wanted) if (choice?.first !== undefined) choices.push(choice);
    }
    return choices;
  }

  /** Takes the first jobs of all choices together, in order. */
  #take(choices: readonly LaneChoice[], limit: number): number {
    const { table, clock } = this.#parts;
    const nowMs = table.expiries.size > 0 ? clock.now() : 0;
    const passedOver: Lane[] = [];
    let count = 0;
    let bytes = 0;
    while (count < limit) {
      const lane = firstLane(table, choices);
      if (lane === undefined) break;
      if (table.expiries.isOver(lane.ready.top, nowMs)) {
        // More have expired at once than one turn cancels: what is behind them comes to light in the next ones.
        lane.queue.readyLanes.remove(lane);
        passedOver.push(lane);
        continue;
      }
      bytes += table.columns.payloadBytes.at(lane.ready.top);
      if (count > 0 && bytes > CLAIM_BYTES_MAX) break;
      this.#taken[count++] = table.take(lane);
    }
    for (const lane of passedOver) lane.queue.readyLanes.update(lane);
    return count;
  }

  /** Leases the taken jobs in one record. The attempt of a job whose payload cannot be read ends at once. */
  #handOut(request: EngineClaim, count: number): ClaimedJob[] {
    const { table, commits, tokens, metrics, clock } = this.#parts;
    const { columns } = table;
    const worker = cutBytes(request.worker, LIMITS.workerNameBytesMax);
    const atMs = clock.now();
    const lease = {
      worker: request.worker,
      atMs,
      leaseMs: request.leaseMs,
      deadlineMs: clock.monotonicMs() + request.leaseMs,
    };
    const bodyBytes = attemptBodyBytes(worker, count);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.attempt, bodyBytes);
    const { view, location } = record;
    let at = encodeAttemptHead(record, atMs, request.leaseMs, worker, count);
    for (let index = 0; index < count; index++) {
      const slot = this.#taken[index]!;
      const token = tokens.next();
      const attempt = columns.attemptsOf(slot) + 1;
      at = encodeAttemptItem(view, at, columns.id[slot]!, token, attempt, columns.history[slot]!);
      metrics.took('queue', atMs, atMs - columns.runAtMs[slot]!);
      table.attempt(slot, token, attempt, location, lease);
    }
    metrics.totals.claimed += count;
    const jobs: ClaimedJob[] = [];
    for (let index = 0; index < count; index++) {
      const job = this.#claimedJob(this.#taken[index]!);
      if (job !== undefined) jobs.push(job);
    }
    return jobs;
  }

  #claimedJob(slot: number): ClaimedJob | undefined {
    const { table, payloads, shapes, settling } = this.#parts;
    const { columns } = table;
    const token = table.tokenOf(slot);
    let kept: Payload | LadenPayload;
    try {
      kept = payloads.of(slot);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const isDamaged = error instanceof LogCorruptError;
      if (!isDamaged) this.#readFailures++;
      // Damage stays. What the system refuses (a disk that fails, too many open files) may be given later.
      const then = isDamaged ? 'dead' : 'backoff';
      settling.endAttempt(slot, token, CAUSE.failed, { class: 'PayloadUnreadable', message }, then);
      return undefined;
    }
    return {
      id: columns.id[slot]!,
      token,
      shape: shapes.give(table.shapeOf(slot), columns.priority[slot]!),
      payload: payloadIn(kept),
      attempt: columns.attemptsOf(slot),
      enqueuedAtMs: columns.enqueuedAtMs[slot]!,
      extras: extrasIn(kept),
    };
  }
}

function firstLane(table: JobTable, choices: readonly LaneChoice[]): Lane | undefined {
  let first = choices[0]!.first;
  for (let index = 1; index < choices.length; index++) {
    const lane = choices[index]!.first;
    if (lane === undefined || lane === first) continue;
    if (first === undefined || ranksBefore(table.columns, lane.ready.top, first.ready.top)) first = lane;
  }
  return first;
}
