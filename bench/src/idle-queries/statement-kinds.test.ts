import { expect, it } from 'vitest';
import { kindOf } from './statement-kinds.js';

it.each([
  [
    'select q.id from s.queue q where q.id in (?)\n  and exists (select 1 from s.ready r where r.queue_id = q.id)',
    'looks for jobs',
  ],
  [
    'with gone as (delete from s.ready where …), leased as (insert into s.lease (number) select 1) select 1',
    'looks for jobs',
  ],
  ['select m.at_ms, (select min(run_at_ms) from s.scheduled) - m.at_ms as due_in_ms', 'looks what is due'],
  ['select get_lock(?, 0) as leads', 'asks for the lead'],
  ['select 1', 'shows that it is alive'],
  ['delete from s.crew where told_at_ms < ?', 'tells of its workers'],
  ['delete from s.event where at_ms < ?', 'forgets what is old'],
  ['select 2', 'anything else'],
])('takes %s for one that %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});
