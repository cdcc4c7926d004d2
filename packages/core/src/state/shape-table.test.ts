import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import { JobTable } from './job-table.js';
import type { Shape } from './shape-table.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };
/** More than the idle ones that are remembered. */
const MANY = 3000;

class Table extends JobTable {
  #token = 0;

  shape(name: string): Shape {
    return this.shapes.intern({ queue: 'q', name, maxAttempts: 5, backoff: BACKOFF });
  }

  ready(name: string): number {
    const id = this.nextId;
    const fields = { id, enqueuedAtMs: id, runAtMs: id, priority: 0, payloadBytes: 2, expiresAtMs: 0 };
    const slot = this.enqueue(fields, this.shape(name), 100, 60);
    this.publish(slot);
    return slot;
  }

  run(slot: number): void {
    const token = ++this.#token;
    this.attempt(slot, token, 1, 200, { worker: 'w', atMs: 1, leaseMs: 50, deadlineMs: 60 });
    this.ack(slot, token, 2, 300 + token);
  }

  get queue() {
    return this.shapes.queue('q')!;
  }
}

describe('ShapeTable', () => {
  it('forgets shapes and lanes with their last jobs, and gives their numbers again', () => {
    const table = new Table(keeping(0));
    const numbers = new Set<number>();
    for (let number = 0; number < MANY; number++) {
      const slot = table.ready(`n${number}`);
      numbers.add(table.shapeOf(slot).index);
      table.run(slot);
    }
    expect(table.shapes.size).toBe(1000);
    expect(table.queue.lanes).toBe(1000);
    expect(numbers.size).toBe(1001);
    expect([...table.shapes.queues()].map(({ name }) => name)).toEqual(['q']);
  });

  it('keeps those of the jobs that are kept', () => {
    const table = new Table(keeping(10));
    const slots = Array.from({ length: MANY }, (_, number) => table.ready(`n${number}`));
    expect(table.shapes.size).toBe(MANY);
    for (const slot of slots.slice(0, -5)) table.run(slot);
    expect(table.shapes.size).toBe(1015);
    for (const slot of slots.slice(-5)) expect(table.shapeOf(slot).name).toBe(`n${slot}`);
    expect(table.queue.counts()).toMatchObject({ ready: 5, completed: 10, leased: 0 });
  });

  it('finds a shape by its fields again, also after it was forgotten', () => {
    const table = new Table(keeping(0));
    const first = table.shape('first');
    expect(table.shape('first')).toBe(first);
    for (let number = 0; number < MANY; number++) table.shape(`n${number}`);
    expect(table.shapes.has(first)).toBe(false);
    const again = table.shape('first');
    expect(table.shapes.has(again)).toBe(true);
    expect(again).toMatchObject({ name: 'first', jobs: 0 });
    expect(again.lane).toBe(table.queue.lane('first'));
  });
});

describe('LaneHeap', () => {
  it('holds no lane but those with ready jobs, headed by the one whose first job ranks first', () => {
    const table = new Table(keeping(0));
    const { readyLanes } = table.shape('n0').lane.queue;
    const slots = Array.from({ length: MANY }, (_, number) => table.ready(`n${number % 500}`));
    expect(readyLanes.size).toBe(500);
    const order: number[] = [];
    for (let lane = readyLanes.first; lane !== undefined; lane = readyLanes.first) {
      const slot = table.take(lane);
      order.push(slot);
      table.run(slot);
    }
    expect(order).toEqual(slots);
    expect(readyLanes.size).toBe(0);
    const last = table.ready('last');
    expect([...readyLanes.all()].map(({ name }) => name)).toEqual(['last']);
    table.cancel(last, 3, 400);
    expect(readyLanes.size).toBe(0);
  });
});
