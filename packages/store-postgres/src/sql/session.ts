export const NEXT_PROCESS = "select nextval('hf.process_id')::int4 as id";

/** Notes the process ($1) that holds its lock by now, and forgets those that ended without closing. */
export const OPENED = `
with gone as (
  delete from hf.process p where pg_try_advisory_xact_lock('hf.process'::regclass::oid::int4, p.id) returning 1),
added as (insert into hf.process (id, opened_at_ms, host, pid) values ($1, hf.now_ms(), $2, $3))
select count(*) as lost from gone`;

/**
 * The server ends the connection, and with it its locks, when it has heard nothing on it for $1 milliseconds. Before PostgreSQL 14 it looks only whether the other machine
 * is there.
 */
export const END_WHEN_SILENT = `
select set_config(s.name, v.setting::text, false) from (
  values ('idle_session_timeout', $1::int8), ('tcp_user_timeout', $1), ('tcp_keepalives_idle', $1 / 3000),
    ('tcp_keepalives_interval', $1 / 3000), ('tcp_keepalives_count', 2)) v(name, setting)
  join pg_settings s on s.name = v.name`;

/** Held as long as the connection lives: a process whose lock is free did not close. */
export const HOLD_PROCESS = `select pg_advisory_lock('hf.process'::regclass::oid::int4, $1::int4)`;
export const LEAD = `select pg_try_advisory_lock('hf.queue'::regclass::oid::int4, 0) as leads`;
export const CLOSED = 'delete from hf.process where id = $1';

/** Only the first to open the store finds that nobody had. */
export const META = `
with first as (update hf.meta set opened = true where not opened returning 1)
select store_id, cluster, exists (select from first) as is_new, (select coalesce(max(id), 0) from hf.lease_expiry) as last_expiry, hf.now_ms() as at_ms from hf.meta`;

export const TRANSACTION = 'select pg_current_xact_id()::text as transaction';
export const TRANSACTION_STATUS = 'select pg_xact_status($1::text::xid8) as status';
export const TIME = 'select hf.now_ms() as at_ms';

export const STORAGE = `
select coalesce(sum(pg_total_relation_size(oid)), 0)::int8 as bytes, pg_current_wal_lsn()::text as log_place from pg_class
where relkind = 'r' and relnamespace = (select relnamespace from pg_class where oid = 'hf.job'::regclass)`;
