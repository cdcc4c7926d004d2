import { COUNTS_IN_STATES, SUMS } from './read-queues.js';

/** What the database shows at this moment, as it writes it. */
export const SNAPSHOT = 'select pg_current_snapshot()::text as snapshot';

/** Whether a snapshot's end ($1) has come. One that was made up, or that is of a later state of a database that was restored, has not. */
export const HAS_BEEN = 'select $1::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as has_been';

/** How many jobs are in each state of each queue, or of one ($1), and the snapshot for which that holds. */
export const PLANNED_COUNTS = `
with ${SUMS}
select pg_current_snapshot()::text as snapshot, (
  select json_agg(json_build_array(q.name, x.state, x.count))
  from sums s join hf.queue q on q.id = s.queue_id cross join lateral (
    values ${COUNTS_IN_STATES.map((state) => `('${state}', s.${state})`).join(', ')}) x(state, count)
  where x.count > 0 and case when $1::int4 is null then q.name not like 'holdfast.%' else q.id = $1 end) as counts`;

/** Where a store is that was copied into another database server: numbers of transactions mean nothing there. */
export const ADOPT = `
with elsewhere as (
  update hf.meta set cluster = (select system_identifier::text from pg_control_system())
  where cluster <> (select system_identifier::text from pg_control_system()) returning 1),
${['ready', 'scheduled', 'lease', 'ended']
  .map(
    (table) => `${table}s as (
  update hf.${table} set changed_in = '3' where exists (select from elsewhere)
    and changed_in >= pg_snapshot_xmin(pg_current_snapshot()))`,
  )
  .join(',\n')}
select count(*) as adopted from elsewhere`;
