import { insertRows, updating } from '../insert-rows.js';
import { sql } from '../sql-text.js';
import { momentOf } from '../work.js';
import type { Step } from './step.js';

export const tellWorkers: Step<'tellWorkers'> = {
  scope: 'separately',
  async run(work, [process_id, workers, forgottenMs]) {
    const { atMs } = await momentOf(work);
    const row = { process_id, workers, told_at_ms: atMs };
    await insertRows(work, 'hf.crew', [row], updating(['workers', 'told_at_ms']));
    await work.rows(sql`delete from hf.crew where told_at_ms < ${atMs - forgottenMs}`);
    return [];
  },
};

export const crews: Step<'crews'> = {
  scope: 'separately',
  run: (work, [processId]) =>
    work.rows<{ workers: string; told_at_ms: number }>(
      sql`select workers, told_at_ms from hf.crew where process_id <> ${processId}`,
    ),
};

export const busyWorkers: Step<'busyWorkers'> = {
  scope: 'separately',
  run: (work) =>
    work.rows<{ worker: string | null; busy: number; at_ms: number }>(sql`
      select worker, count(*) as busy, ${work.now} as at_ms from hf.lease group by worker
      union all select null, 0, ${work.now}`),
};
