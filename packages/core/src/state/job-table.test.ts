import { JOB_EVENTS, JOB_STATES, type JobEvent, type JobState, LIFECYCLE } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import { NONE } from './job-columns.js';
import { STATE, stateName } from './job-state.js';
import { JobTable } from './job-table.js';
import { RecordError } from './record-body.js';
import type { Shape } from './shape-table.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };
const NOW_MS = 1_700_000_000_000;
const EXPIRES_AT_MS = NOW_MS + 1e6;

/** A table with one job, and the token of its last lease. */
class OneJob {
  readonly table = new JobTable(keeping(10));
  readonly slot: number;
  token = 0;

  constructor(delayMs: number) {
    this.slot = this.table.enqueue(this.#fields(NOW_MS, delayMs), this.#shape, 100, 60);
    this.table.publish(this.slot);
  }

  get #shape(): Shape {
    return this.table.shapes.intern({ queue: 'q', name: 'n', maxAttempts: 5, backoff: BACKOFF });
  }

  #fields(enqueuedAtMs: number, delayMs: number) {
    const runAtMs = enqueuedAtMs + delayMs;
    return { id: 1, enqueuedAtMs, runAtMs, priority: 0, payloadBytes: 2, expiresAtMs: EXPIRES_AT_MS };
  }

  get state(): JobState {
    return stateName(this.table.columns.state[this.slot]!);
  }

  /** States that count a job. */
  get counted(): JobState[] {
    const counts = [...this.table.shapes.queues()].flatMap((queue) => Object.entries(queue.counts()));
    return counts.flatMap(([state, count]) => (count === 0 ? [] : [state as JobState]));
  }

  apply(event: JobEvent, delayMs = 0): void {
    const { table, slot, token } = this;
    const atMs = NOW_MS + 10;
    const acts: Record<JobEvent, () => unknown> = {
      due: () => table.due(NOW_MS + 1e9, 10),
      claim: () => {
        const lease = { worker: 'w', atMs, leaseMs: 50, deadlineMs: 60 };
        table.attempt(slot, ++this.token, table.columns.attemptsOf(slot) + 1, 200, lease);
      },
      ack: () => table.ack(slot, token, atMs, 300),
      retry: () => table.retry(slot, token, atMs + 5, atMs, 300),
      die: () => table.dead(slot, token, atMs, 300),
      release: () => table.release(slot, token, atMs + delayMs, atMs, 300),
      redrive: () => table.redrive(slot, atMs, 400),
      cancel: () => table.cancel(slot, atMs, 500),
      expire: () => table.expire(slot, atMs, 500),
      runNow: () => table.runNow(slot, atMs, 500),
      reprioritise: () => table.reprioritise(slot, 7, 500),
      remove: () => table.remove(slot),
      transfer: () => table.transfer(slot, table.shapeOf(slot).queue, 'elsewhere', 500),
      replace: () => table.replace(slot, this.#fields(atMs, delayMs), this.#shape, 600, 60),
    };
    acts[event]();
  }

  /** All that is kept of the job. */
  snapshot() {
    const { columns, ids, leases } = this.table;
    const { scheduled } = this.table.waiting;
    const { lane } = this.table.shapeOf(this.slot);
    const fields = [
      columns.state,
      columns.runAtMs,
      columns.rankAtMs,
      columns.history,
      columns.position,
      columns.priority,
      columns.updatedAtMs,
    ];
    const kept = fields.map((column) => column[this.slot]);
    return [
      ...kept,
      columns.attemptsOf(this.slot),
      this.table.expiries.size,
      ids.find(1),
      leases.size,
      scheduled.size,
      lane.ready.size,
      lane.retrying,
      ...lane.counts,
    ];
  }
}

const PATHS: Record<JobState, readonly JobEvent[]> = {
  scheduled: [],
  ready: ['due'],
  leased: ['due', 'claim'],
  completed: ['due', 'claim', 'ack'],
  dead: ['due', 'claim', 'die'],
  cancelled: ['due', 'cancel'],
};

const cells = JOB_STATES.flatMap((state) =>
  JOB_EVENTS.map((event) => ({ state, path: PATHS[state], event, next: LIFECYCLE[state][event] })),
);

describe('every cell of LIFECYCLE', () => {
  it.each(cells)('$state, $event: $next', ({ state, path, event, next }) => {
    const job = new OneJob(5);
    for (const step of path) job.apply(step);
    expect(job.state).toBe(state);
    const before = job.snapshot();
    if (next !== 'refused') {
      job.apply(event);
      if (next === 'forgotten') expect([job.table.ids.find(1), job.table.columns.live]).toEqual([NONE, 0]);
      else expect(job.state).toBe(next);
      expect(job.counted).toEqual(next === 'forgotten' ? [] : [next]);
      return;
    }
    // Two that are not refusals of a record: a job that is not scheduled is never due, and an attempt of a scheduled job proves that it was.
    if (event === 'due' || (state === 'scheduled' && event === 'claim')) job.apply(event);
    else expect(() => job.apply(event)).toThrow(RecordError);
    if (state === 'scheduled' && event === 'claim') expect(job.state).toBe('leased');
    else expect(job.snapshot()).toEqual(before);
  });

  it('refuses to expire a job that may wait for ever, or that was started', () => {
    const job = new OneJob(0);
    for (const step of ['claim', 'release'] as const) job.apply(step);
    expect(job.state).toBe('ready');
    expect(() => job.apply('expire')).toThrow(/may wait for ever/);
  });

  it('leads a replacement with a delay to scheduled', () => {
    const job = new OneJob(0);
    job.apply('replace', 50);
    expect([job.state, job.counted, job.table.waiting.scheduled.size]).toEqual(['scheduled', ['scheduled'], 1]);
  });

  it('leads a release with a delay to scheduled', () => {
    const job = new OneJob(0);
    job.apply('claim');
    job.apply('release', 100);
    expect(job.state).toBe('scheduled');
    expect(job.table.columns.attemptsOf(job.slot)).toBe(0);
  });
});

describe('JobTable', () => {
  it('hides a job until it is published', () => {
    const table = new JobTable(keeping(10));
    const shape = table.shapes.intern({ queue: 'q', name: 'n', maxAttempts: 5, backoff: BACKOFF });
    const slot = table.enqueue(
      { id: 9, enqueuedAtMs: 5, runAtMs: 5, priority: 0, payloadBytes: 2, expiresAtMs: 0 },
      shape,
      100,
      60,
    );
    expect([table.ids.find(9), shape.lane.ready.size, table.waiting.hasGained]).toEqual([NONE, 0, false]);
    table.publish(slot);
    expect([table.ids.find(9), shape.lane.ready.size, table.waiting.hasGained]).toEqual([slot, 1, true]);
    expect(() => table.publish(slot)).toThrow(RecordError);
  });

  it('refuses ids, tokens and attempt numbers that do not grow, and changes nothing then', () => {
    const job = new OneJob(0);
    const { table, slot } = job;
    const lease = { worker: 'w', atMs: 1, leaseMs: 50, deadlineMs: 60 };
    const shape = table.shapeOf(slot);
    const again = { id: 1, enqueuedAtMs: 5, runAtMs: 5, priority: 0, payloadBytes: 2, expiresAtMs: 0 };
    const before = job.snapshot();
    expect(() => table.enqueue(again, shape, 100, 60)).toThrow(RecordError);
    expect(() => table.attempt(slot, 5, 2, 200, lease)).toThrow(RecordError);
    expect(() => table.attempt(slot, 0, 1, 200, lease)).toThrow(RecordError);
    expect(job.snapshot()).toEqual(before);
    table.attempt(slot, 5, 1, 200, lease);
    expect(() => table.ack(slot, 4, 10, 300)).toThrow(RecordError);
    table.release(slot, 5, 10, 10, 300);
    expect(() => table.attempt(slot, 5, 1, 200, lease)).toThrow(RecordError);
  });

  it('does not take back a completed job that is older than those it remembers', () => {
    const table = new JobTable(keeping(2));
    const shape = table.shapes.intern({ queue: 'q', name: 'n', maxAttempts: 5, backoff: BACKOFF });
    const fields = { enqueuedAtMs: 5, runAtMs: 5, priority: 0, payloadBytes: 2, expiresAtMs: 0 };
    const lease = { token: 0, leasedAtMs: 0, leaseMs: 0, worker: '' };
    const ended = {
      attempts: 1,
      rankAtMs: 5,
      updatedAtMs: 6,
      historyCut: false,
      mayExpire: false,
      takesKey: false,
      ...lease,
    };
    const recreate = (id: number, endedOrder: number) => {
      const moved = { ...fields, ...ended, state: STATE.completed, endedOrder };
      table.recreate({ ...fields, id }, shape, moved, 100 * id, 60);
    };
    for (const [id, endedOrder] of [3, 2, 1].map((order) => [order, 100 * order] as const)) recreate(id, endedOrder);
    const known = () => [1, 2, 3, 4].filter((id) => table.ids.find(id) !== NONE);
    expect(known()).toEqual([2, 3]);
    recreate(4, 400);
    expect(known()).toEqual([3, 4]);
    expect(table.homes.total).toBe(120);
  });
});
