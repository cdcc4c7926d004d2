import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import { JobColumns } from './job-columns.js';
import { PauseTable } from './pause-table.js';
import { SegmentBytes } from './segment-bytes.js';
import { ShapeTable } from './shape-table.js';

function tableWith(untilMs: Readonly<Record<string, number>>): PauseTable {
  const table = new PauseTable(new ShapeTable(new JobColumns(), keeping(0)), new SegmentBytes());
  for (const [queue, endMs] of Object.entries(untilMs)) pause(table, queue, endMs);
  return table;
}

function pause(table: PauseTable, queue: string, untilMs: number): void {
  table.pause(queue, { sinceMs: 1, untilMs, actor: 'olga', reason: '', location: 1, recordBytes: 1 });
}

function endDue(table: PauseTable, nowMs: number): string[] {
  return table.endDue(nowMs).map(({ name }) => name);
}

describe('pauses', () => {
  it('end one after the other, those without an end never', () => {
    const table = tableWith({ late: 200, never: 0, soon: 100, same: 100 });
    expect(table.nextEndMs).toBe(100);
    expect(endDue(table, 99)).toEqual([]);
    expect(endDue(table, 100)).toEqual(['soon', 'same']);
    expect(table.nextEndMs).toBe(200);
    expect(endDue(table, 300)).toEqual(['late']);
    expect(table.nextEndMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('that were made longer or ended by somebody are looked at once at their former end, and end no queue', () => {
    const table = tableWith({ longer: 100, over: 150 });
    pause(table, 'longer', 300);
    table.resume('over');
    expect(endDue(table, 100)).toEqual([]);
    expect(table.nextEndMs).toBe(300);
    pause(table, 'shorter', 250);
    expect(table.nextEndMs).toBe(250);
    expect(endDue(table, 300)).toEqual(['longer', 'shorter']);
  });
});
