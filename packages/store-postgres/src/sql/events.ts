/** Whoever listens says so again and again; $1 milliseconds from now. */
export const LISTEN_ON = `
update hf.listening set until_ms = greatest(until_ms, hf.now_ms() + $1::int8)
where until_ms < hf.now_ms() + $1::int8 / 2 returning 1`;

/** The place behind the last event. */
export const LAST_EVENT = 'select coalesce(max(id), 0) as id from hf.event';

/** Events behind a place that were not seen ($2), $3 at most. */
export const EVENTS = `
select e.*, q.name as queue from hf.event e join hf.queue q on q.id = e.queue_id
where e.id > $1 and e.id <> all ($2::int8[]) order by e.id limit $3`;
