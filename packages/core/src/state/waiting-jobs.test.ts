import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import { STATE } from './job-state.js';
import { JobTable } from './job-table.js';

const BACKOFF = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } as const;
const NOW_MS = 1_700_000_000_000;

/** What happens to the jobs, by their numbers. */
const anyStep = fc.record({
  kind: fc.constantFrom('enqueue', 'enqueue', 'enqueue', 'lease', 'ack', 'retry', 'runNow', 'reprioritise', 'cancel'),
  job: fc.nat({ max: 40 }),
  priority: fc.nat({ max: 3 }),
  delayMs: fc.constantFrom(0, 0, 5, 5000, 10_000_000),
  name: fc.constantFrom('a', 'b'),
});
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** A table that is led through steps as a replay would; those that LIFECYCLE refuses are left out. */
class Led {
  readonly table = new JobTable(keeping(10));
  #location = 100;
  #token = 0;

  constructor(steps: readonly Step[], isReplay: boolean) {
    if (isReplay) this.table.waiting.leaveUnordered();
    for (const step of steps) this.#lead(step);
    if (isReplay) this.table.order();
  }

  #lead({ kind, job, priority, delayMs, name }: Step): void {
    const { table } = this;
    this.#location += 100;
    const location = this.#location;
    if (kind === 'enqueue') {
      const id = table.nextId;
      const times = { enqueuedAtMs: NOW_MS + id, runAtMs: NOW_MS + id + delayMs, expiresAtMs: 0 };
      const shape = table.shapes.intern({ queue: 'q', name, maxAttempts: 9, backoff: BACKOFF });
      table.publish(table.enqueue({ id, priority, payloadBytes: 2, ...times }, shape, location, 60));
      return;
    }
    const slot = table.ids.find(job);
    if (job === 0 || slot > 1000) return;
    const state = table.columns.state[slot];
    const isLeased = state === STATE.leased;
    const waits = state === STATE.ready || state === STATE.scheduled;
    const lease = { worker: 'w', atMs: NOW_MS, leaseMs: 1, deadlineMs: 1 };
    if (kind === 'lease' && waits)
      table.attempt(slot, ++this.#token, table.columns.attemptsOf(slot) + 1, location, lease);
    if (kind === 'ack' && isLeased) table.ack(slot, table.tokenOf(slot), NOW_MS, location);
    if (kind === 'retry' && isLeased) table.retry(slot, table.tokenOf(slot), NOW_MS + delayMs, NOW_MS, location);
    if (kind === 'runNow' && state === STATE.scheduled) table.runNow(slot, NOW_MS, location);
    if (kind === 'reprioritise' && waits) table.reprioritise(slot, priority, location);
    if (kind === 'cancel' && (waits || isLeased)) table.cancel(slot, NOW_MS, location);
  }

  /** Ids in the order in which they would be claimed, and those that wait in the order in which they become due. */
  orders() {
    const { table } = this;
    const queue = table.shapes.queueFor('q');
    const { retrying, stateCounts } = queue;
    const due: number[] = [];
    while (table.waiting.scheduled.size > 0) {
      table.waiting.scheduled.advance(Number.MAX_SAFE_INTEGER, 0);
      const slot = table.waiting.scheduled.firstDue(Number.MAX_SAFE_INTEGER)!;
      due.push(table.columns.id[slot]!);
      table.waiting.scheduled.remove(slot);
    }
    const ready: number[] = [];
    for (let lane = queue.readyLanes.first; lane !== undefined; lane = queue.readyLanes.first) {
      ready.push(table.columns.id[table.take(lane)]!);
    }
    return { ready, due, retrying, stateCounts: [...stateCounts] };
  }
}

describe('jobs that a replay leaves unordered', () => {
  it('stand where the live path would have put them, whatever happened to them', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
        expect(new Led(steps, true).orders()).toEqual(new Led(steps, false).orders());
      }),
      { numRuns: 300 },
    );
  });

  it('wake the claims that wait for their queue', () => {
    const step = { kind: 'enqueue', job: 0, priority: 0, delayMs: 0, name: 'a' } as const;
    const { table } = new Led([step], true);
    expect(table.waiting.takeGained().map(({ name }) => name)).toEqual(['q']);
  });
});
