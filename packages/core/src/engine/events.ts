import type { Clock, HoldfastError, JobError, StoreHappening } from '@holdfast/contract';
import { type CheckedEvents, EventBuffer, type EventsPage } from '@holdfast/contract/rules';
import { formatId } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { JobTable } from '../state/job-table.js';
import type { Call, Commits } from './commits.js';
import type { Done, EngineEvents, PendingClaim } from './engine-calls.js';

export interface EventParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly clock: Clock;
  readonly storeTag: string;
  readonly epoch: number;
}

/** Events in one answer. */
const PAGE_EVENTS_MAX = 500;
/** Answers to listeners come at least so far apart, so that a busy engine tells many events with each. */
const ANSWER_EVERY_MS = 20;
/** Events go on to be recorded so long for a listener that went away: it may come back. */
const ON_MS = 60_000;

class EventsCall implements Call, PendingClaim {
  request: CheckedEvents;
  readonly deadlineMs: number;
  page: EventsPage | undefined;
  readonly #owner: Events;
  readonly #done: Done<EventsPage>;

  constructor(owner: Events, request: CheckedEvents, deadlineMs: number, done: Done<EventsPage>) {
    this.#owner = owner;
    this.request = request;
    this.deadlineMs = deadlineMs;
    this.#done = done;
  }

  cancel(): void {
    this.#owner.cancel(this);
  }

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.page : undefined);
  }
}

/** Tells those who listen what happens. While nobody does, `isOn` is false and nothing else here is called. */
export class Events {
  isOn = false;
  readonly #parts: EventParts;
  readonly #buffer: EventBuffer;
  #waiting: EventsCall[] = [];
  #onUntilMs = 0;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  /** Jobs by queue that were published since the last answer. */
  readonly #enqueued = new Map<string, number>();

  constructor(parts: EventParts) {
    this.#parts = parts;
    this.#buffer = new EventBuffer(parts.epoch, LIMITS.eventsKept);
  }

  pull({ waitMs, ...request }: EngineEvents, done: Done<EventsPage>): PendingClaim {
    const nowMs = this.#parts.clock.monotonicMs();
    if (!this.isOn) this.#buffer.interrupt();
    this.isOn = true;
    // From now on: also what happens before the first answer.
    const { after = this.#buffer.cursor } = request;
    const call = new EventsCall(this, { ...request, after }, nowMs + waitMs, done);
    this.#waiting.push(call);
    return call;
  }

  /** A listener leaves. Its call is answered all the same, with nothing: whoever carries the answer keeps the call until then. */
  cancel(call: EventsCall): void {
    if (!this.#waiting.includes(call)) return;
    this.#waiting = this.#waiting.filter((other) => other !== call);
    this.#onUntilMs = this.#parts.clock.monotonicMs() + ON_MS;
    call.page = { events: [], cursor: call.request.after ?? this.#buffer.cursor };
    this.#parts.commits.answerWritten(call);
  }

  record(happening: StoreHappening): void {
    this.#buffer.record(happening, this.#parts.clock.now());
  }

  /** Of a job that is still in the table. */
  job(kind: 'completed' | 'cancelled' | 'redriven' | 'removed', slot: number): void {
    this.record({ kind, ...this.#facts(slot) });
  }

  attemptEnded(kind: 'retried' | 'dead', slot: number, { class: name, message }: JobError): void {
    const attempt = this.#parts.table.columns.attemptsOf(slot);
    this.record({ kind, ...this.#facts(slot), attempt, error: { class: name, message } });
  }

  leaseExpired(slot: number, worker: string): void {
    const attempt = this.#parts.table.columns.attemptsOf(slot);
    this.record({ kind: 'leaseExpired', ...this.#facts(slot), attempt, worker });
  }

  enqueued(slot: number): void {
    const { queue } = this.#parts.table.shapeOf(slot);
    this.#enqueued.set(queue, (this.#enqueued.get(queue) ?? 0) + 1);
  }

  /** Answers those for whom there is something, and those whose wait is over. */
  endTurn(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    if (this.#waiting.length === 0) {
      this.#turnOffAt(nowMs);
      return;
    }
    if (nowMs < this.#answeredAtMs + ANSWER_EVERY_MS) return;
    this.#flushEnqueued();
    const wallMs = this.#parts.clock.now();
    this.#waiting = this.#waiting.filter((call) => {
      const page = this.#buffer.read(call.request, PAGE_EVENTS_MAX, wallMs);
      if (page.events.length === 0 && nowMs < call.deadlineMs) {
        call.request = { ...call.request, after: page.cursor };
        return true;
      }
      call.page = page;
      this.#answeredAtMs = nowMs;
      this.#onUntilMs = nowMs + ON_MS;
      this.#parts.commits.answerWritten(call);
      return false;
    });
  }

  /** Monotonic time at which a listener has to be answered; Infinity without one. */
  nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { request, deadlineMs } of this.#waiting) {
      const isBehind = this.#enqueued.size > 0 || request.after !== this.#buffer.cursor;
      nextMs = Math.min(nextMs, isBehind ? this.#answeredAtMs + ANSWER_EVERY_MS : deadlineMs);
    }
    return nextMs;
  }

  /** Ends all waits with what there is, for a store that closes. */
  answerAll(): void {
    for (const call of this.#waiting.splice(0)) {
      call.page = this.#buffer.read(call.request, PAGE_EVENTS_MAX, this.#parts.clock.now());
      this.#parts.commits.answerWritten(call);
    }
  }

  takeAll(): Call[] {
    return this.#waiting.splice(0);
  }

  #facts(slot: number) {
    const { table, storeTag } = this.#parts;
    const { queue, name } = table.shapeOf(slot);
    return { id: formatId(storeTag, table.columns.id[slot]!), queue, name };
  }

  #flushEnqueued(): void {
    if (this.#enqueued.size === 0) return;
    for (const [queue, count] of this.#enqueued) this.record({ kind: 'enqueued', queue, count });
    this.#enqueued.clear();
  }

  #turnOffAt(nowMs: number): void {
    if (nowMs < this.#onUntilMs) {
      this.#flushEnqueued();
      return;
    }
    this.isOn = false;
    this.#enqueued.clear();
    this.#buffer.interrupt();
  }
}
