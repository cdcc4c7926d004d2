import { describe, expect, it } from 'vitest';
import { JobColumns, NONE } from './job-columns.js';
import { ExpiryHeap } from './job-heaps.js';
import { STATE } from './job-state.js';

const FIELDS = { enqueuedAtMs: 1000, runAtMs: 5000, priority: 3, expiresAtMs: 0 };
const ROWS = 300_000;

/** What a row costs, by the columns themselves. */
function bytesPerRow(columns: JobColumns): number {
  return columns.reservedBytes / columns.capacity;
}

describe('JobColumns', () => {
  it('holds 77 bytes a job, and hands back each value after it has grown past the size at which columns grow in place', () => {
    const columns = new JobColumns();
    for (let row = 0; row < ROWS; row++) {
      const slot = columns.allocate();
      columns.fill(slot, { ...FIELDS, id: row + 1, payloadBytes: row }, 7, row * 2 ** 20, row + 60);
    }
    for (const slot of [0, 1023, 1024, 65_475, 65_535, 65_536, ROWS - 1]) {
      expect(columns.id[slot]).toBe(slot + 1);
      expect(columns.state[slot]).toBe(STATE.hidden);
      expect(columns.priority[slot]).toBe(3);
      expect(columns.enqueueLocation[slot]).toBe(slot * 2 ** 20);
      expect(columns.payloadBytes.at(slot)).toBe(slot);
      expect(columns.enqueueBytes.at(slot)).toBe(slot + 60);
      expect(columns.updatedAtMsOf(slot)).toBe(1000);
    }
    expect(columns.state[ROWS]).toBe(STATE.free);
    expect(bytesPerRow(columns)).toBe(77);
    expect(columns.payloadBytes.wideSizes).toBe(ROWS - 0xffff);
    for (let slot = 0; slot < ROWS; slot++) columns.free(slot);
    expect(columns.payloadBytes.wideSizes).toBe(0);
  });

  it('grows a long column where it is, without a copy', () => {
    const columns = new JobColumns();
    for (let row = 0; row < 70_000; row++) columns.allocate();
    const { id } = columns;
    const { capacity } = columns;
    for (let row = 70_000; row < ROWS; row++) columns.allocate();
    expect(columns.capacity).toBeGreaterThan(capacity);
    expect(columns.id).toBe(id);
    expect(id.length).toBe(columns.capacity);
  });

  it('keeps an expiry where attempts and the last change would be, and these follow', () => {
    const columns = new JobColumns();
    const expiries = new ExpiryHeap(columns);
    const slots = [9000, 7000, 8000].map((expiresAtMs, index) => {
      const slot = columns.allocate();
      columns.fill(slot, { ...FIELDS, id: index + 1, payloadBytes: 2 }, 0, 0, 60);
      expiries.note(slot, expiresAtMs);
      expiries.enter(slot);
      return slot;
    });
    const [first, second, third] = slots as [number, number, number];
    expect(expiries.nextMs).toBe(7000);
    for (const slot of slots) {
      expect(columns.attemptsOf(slot)).toBe(0);
      columns.state[slot] = STATE.scheduled;
      columns.setUpdatedAtMs(slot, 1);
      expect(columns.updatedAtMsOf(slot)).toBe(1000);
      columns.state[slot] = STATE.ready;
      expect(columns.updatedAtMsOf(slot)).toBe(5000);
    }
    expiries.drop(second);
    expect([columns.attemptsOf(second), columns.expiresAtMs(second), columns.updatedAtMs[second]]).toEqual([
      0, 0, 5000,
    ]);
    expect(expiries.firstDue(8000, 9)).toEqual([third]);
    expiries.drop(third);
    expiries.drop(first);
    expect([expiries.size, expiries.nextMs]).toEqual([0, Number.POSITIVE_INFINITY]);
    columns.setAttempts(first, 2);
    columns.free(first);
    expect(columns.position[first]).toBe(NONE);
  });
});
