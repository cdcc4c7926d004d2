import type { EventRow } from '@holdfast/sql-store';
import { SqlText, sql } from '../sql-text.js';
import type { Step } from './step.js';

export const listenOn: Step<'listenOn'> = {
  scope: 'separately',
  async run(work, [forMs]) {
    await work.rows(sql`
      update hf.listening set until_ms = greatest(until_ms, ${work.now} + ${forMs})
      where until_ms < ${work.now} + ${Math.floor(forMs / 2)}`);
    return [];
  },
};

/** The place behind the last event. */
export const lastEvent: Step<'lastEvent'> = {
  scope: 'separately',
  run: (work) => work.rows<{ id: number }>(sql`select coalesce(max(id), 0) as id from hf.event`),
};

export const events: Step<'events'> = {
  scope: 'separately',
  run(work, [after, seen, limit]) {
    const isNew = seen.length === 0 ? sql`` : sql`and e.id not in (${seen})`;
    return work.rows<EventRow>(sql`
      select e.*, q.name as queue from hf.event e join hf.queue q on q.id = e.queue_id
      where e.id > ${after} ${isNew} order by e.id limit ${new SqlText(String(limit))}`);
  },
};
