/** What a process ($1) tells of its workers ($2), and forgets of those of processes that have told nothing for $3 milliseconds. */
export const TELL_WORKERS = `
with gone as (delete from hf.crew where told_at_ms < hf.now_ms() - $3::int8)
insert into hf.crew (process_id, workers, told_at_ms) values ($1, $2, hf.now_ms())
on conflict (process_id) do update set workers = excluded.workers, told_at_ms = excluded.told_at_ms`;

/** What other processes than $1 have told. */
export const CREWS = 'select workers, told_at_ms from hf.crew where process_id <> $1';

/** Who has jobs leased, and a row for the time. */
export const BUSY_WORKERS = `
select l.worker, count(*) as busy, json_agg(distinct q.name) as queues, max(l.leased_at_ms) as leased_at_ms, hf.now_ms() as at_ms
from hf.lease l join hf.queue q on q.id = l.queue_id group by l.worker
union all select null, 0, '[]', 0, hf.now_ms()`;
