import { describe, expect, it, vi } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import { IdIndex } from './id-index.js';
import { countJobs, scanJobs } from './job-scan.js';
import { STATE } from './job-state.js';
import { JobTable } from './job-table.js';
import { oldestReadyAtMs } from './oldest-ready.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };
const ALL = { state: undefined, queue: undefined, name: undefined };

function tableOf(jobs: number): JobTable {
  const table = new JobTable(keeping(10));
  const shapes = ['a', 'b', 'c'].map((name) =>
    table.shapes.intern({ queue: name === 'c' ? 'q2' : 'q1', name, maxAttempts: 5, backoff: BACKOFF }),
  );
  for (let id = 1; id <= jobs; id++) {
    const fields = {
      id,
      enqueuedAtMs: 1000 + id,
      runAtMs: 1000 + id,
      priority: id % 3,
      payloadBytes: 2,
      expiresAtMs: 0,
    };
    table.publish(table.enqueue(fields, shapes[id % 3]!, 100, 60));
  }
  return table;
}

function pages(table: JobTable, filter: Parameters<typeof scanJobs>[1], limit: number): number[][] {
  const found: number[][] = [];
  for (let belowId = table.nextId; belowId !== 0; ) {
    const page = scanJobs(table, filter, belowId, limit);
    found.push(page.slots.map((slot) => table.columns.id[slot]!));
    belowId = page.nextBelowId;
  }
  return found;
}

describe('scanJobs', () => {
  it('gives pages, newest first, that together are the whole', () => {
    const table = tableOf(1000);
    for (const limit of [1, 7, 200]) {
      expect(pages(table, ALL, limit).flat()).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index));
    }
    expect(pages(table, ALL, 500)).toHaveLength(2);
    const named = pages(table, { ...ALL, queue: 'q1', name: 'b' }, 50).flat();
    expect(named).toEqual(Array.from({ length: 334 }, (_, index) => 1000 - 3 * index));
    expect(countJobs(table, { ...ALL, queue: 'q1', name: 'b' })).toBe(334);
    expect(countJobs(table, { ...ALL, queue: 'q2' })).toBe(333);
    expect(countJobs(table, { ...ALL, state: STATE.dead })).toBe(0);
  });

  it('looks at no more places for a page in the middle than for the first', () => {
    const table = tableOf(120_000);
    const walkDown = vi.spyOn(table.ids, 'walkDown');
    const placesOf = (filter: Parameters<typeof scanJobs>[1], belowId: number) => {
      let places = 0;
      walkDown.mockImplementationOnce((from, state, visit) => {
        IdIndex.prototype.walkDown.call(table.ids, from, state, (slot) => {
          places++;
          return visit(slot);
        });
      });
      expect(scanJobs(table, filter, belowId, 50).slots).toHaveLength(50);
      return places;
    };
    for (const filter of [ALL, { ...ALL, state: STATE.ready }, { ...ALL, queue: 'q2' }]) {
      expect(placesOf(filter, 60_001)).toBe(placesOf(filter, table.nextId));
    }
  });

  it('stops after a bounded search and goes on with the next page', () => {
    const table = tableOf(120_000);
    const found = pages(table, { ...ALL, state: STATE.ready, queue: 'nobody' }, 10);
    expect(found).toEqual([[], [], []]);
  });
});

describe('oldestReadyAtMs', () => {
  it('sees a starved job behind those of smaller priority numbers', () => {
    const table = tableOf(300);
    expect(oldestReadyAtMs(table.columns, table.shapes.queue('q1')!, 0)).toBe(1001);
    expect(oldestReadyAtMs(table.columns, table.shapes.queue('q2')!, 0)).toBe(1002);
  });
});
