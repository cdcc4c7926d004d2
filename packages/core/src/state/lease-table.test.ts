import { describe, expect, it } from 'vitest';
import { LeaseTable } from './lease-table.js';

describe('LeaseTable', () => {
  it('knows which lease ends next while leases are opened, extended and closed', () => {
    const table = new LeaseTable();
    expect(table.nextDeadlineMs).toBe(Number.POSITIVE_INFINITY);
    const leases = [300, 100, 200].map((deadlineMs, job) => table.open(job, job + 1, `w${job}`, 5, 50, deadlineMs));
    expect(table.nextDeadlineMs).toBe(100);
    table.extend(leases[1]!, 900, 1000);
    expect(table.nextDeadlineMs).toBe(200);
    expect([table.leaseMs[leases[1]!], table.extensions[leases[1]!]]).toEqual([900, 1]);
    table.close(leases[2]!);
    expect([table.nextDeadlineMs, table.job[table.top], table.size]).toEqual([300, 0, 2]);
  });

  it('uses the place of a closed lease again, as new', () => {
    const table = new LeaseTable();
    const first = table.open(1, 1, 'w', 0, 50, 100);
    table.extend(first, 50, 200);
    expect([table.mark(first), table.mark(first)]).toEqual([true, false]);
    table.close(first);
    const second = table.open(2, 2, 'v', 0, 50, 150);
    expect(second).toBe(first);
    expect([table.extensions[second], table.worker[second], table.mark(second)]).toEqual([0, 'v', true]);
  });

  it('grows', () => {
    const table = new LeaseTable();
    for (let job = 0; job < 5000; job++) table.open(job, job + 1, 'w', 0, 50, 10_000 - job);
    expect([table.size, table.nextDeadlineMs]).toEqual([5000, 5001]);
    while (table.size > 1) table.close(table.top);
    expect(table.job[table.top]).toBe(0);
  });
});
