/** The tables as docs/postgres-store.md describes them. `now_ms` and `fraction` are functions so that tests can replace time and chance. */
const HOT =
  'autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0';
/** The transaction that put the job where it is: a plan knows by it what came later. */
const CHANGED_IN = 'changed_in xid8 not null default pg_current_xact_id()';
/** The widest columns come first, and texts last: so no row has gaps, and a column is found without reading those before it. */
const RANKED = `
  number int8 primary key, priority int8 not null, rank_ms int8 not null, attempts int8 not null, run_at_ms int8 not null,
  ${CHANGED_IN}`;
const NAMED = 'queue_id int4 not null, keyed boolean not null, name text collate "C" not null';
const COUNTS = `
  total_enqueued int8 not null default 0, total_claimed int8 not null default 0, total_completed int8 not null default 0,
  total_failed int8 not null default 0, total_dead int8 not null default 0, total_expired int8 not null default 0,
  scheduled int8 not null default 0, retrying int8 not null default 0, ready int8 not null default 0,
  leased int8 not null default 0, completed int8 not null default 0, dead int8 not null default 0,
  cancelled int8 not null default 0`;

/** How many dead jobs have one kind of error, queue and name. */
const DEATHS = `
  fingerprint text collate "C" not null, queue_id int4 not null, name text collate "C" not null, count int8 not null,
  error_class text, message text, frame text, first_at_ms int8, last_at_ms int8`;

export const JOBS = `
create sequence hf.job_number;
create sequence hf.token;
create sequence hf.end_number;

create function hf.now_ms() returns int8 language sql volatile
  as 'select floor(extract(epoch from clock_timestamp()) * 1000)::int8';
create function hf.fraction() returns float8 language sql volatile as 'select random()';

create function hf.backoff_ms(base_ms int8, max_ms int8, doubles boolean, jitter text, attempt int8)
  returns int8 language plpgsql volatile as $$
declare
  delay_ms float8 := base_ms;
begin
  if jitter = 'decorrelated' then
    for step in 1..least(attempt, 1000) loop
      delay_ms := least(max_ms::float8, base_ms + hf.fraction() * (3 * delay_ms - base_ms));
    end loop;
  else
    delay_ms := least(max_ms::float8, base_ms * case when doubles then power(2::float8, least(attempt - 1, 53)::float8) else 1 end);
    if jitter = 'full' then delay_ms := delay_ms * hf.fraction(); end if;
  end if;
  return floor(delay_ms + 0.5)::int8;
end $$;

create table hf.meta (
  one boolean primary key default true check (one), store_id text not null, created_at_ms int8 not null,
  opened boolean not null default false, cluster text not null);
insert into hf.meta (store_id, created_at_ms, cluster)
  select md5(random()::text || clock_timestamp()::text || pg_backend_pid()::text), hf.now_ms(),
    (select system_identifier::text from pg_control_system());

create table hf.queue (
  id int4 generated always as identity primary key, name text collate "C" not null unique,
  paused_since_ms int8, paused_until_ms int8, paused_actor text, paused_reason text);

create table hf.job (
  number int8, enqueued_at_ms int8 not null, backoff_base_ms int8 not null, backoff_max_ms int8 not null,
  queue_id int4, payload_size int4 not null, max_attempts int8, timeout_ms int8, cloned_from int8,
  backoff_doubles boolean not null, backoff_jitter text not null, name text collate "C" not null,
  backoff_name text, payload_text text, payload_bytes bytea, headers text, dedupe_key text,
  primary key (queue_id, number));

create table hf.ready (${RANKED}, updated_at_ms int8 not null, expires_at_ms int8, ${NAMED}) with (${HOT});
create index ready_order on hf.ready (queue_id, priority, rank_ms, number);
create index ready_expiry on hf.ready (expires_at_ms, number) where expires_at_ms is not null;

create table hf.scheduled (${RANKED}, updated_at_ms int8 not null, expires_at_ms int8, ${NAMED}) with (${HOT});
create index scheduled_due on hf.scheduled (run_at_ms, number);
create index scheduled_expiry on hf.scheduled (expires_at_ms, number) where expires_at_ms is not null;

create table hf.lease (
  ${RANKED}, token int8 not null, leased_at_ms int8 not null, lease_ms int8 not null, deadline_ms int8 not null,
  extensions int4 not null default 0, ${NAMED}, worker text not null)
  with (fillfactor = 60, ${HOT});

create table hf.ended (
  number int8 primary key, priority int8 not null, attempts int8 not null, run_at_ms int8 not null,
  ended_at_ms int8 not null, end_number int8 not null, ${CHANGED_IN}, token int8, leased_at_ms int8,
  queue_id int4 not null, result_size int4 not null default 0, name text collate "C" not null, state text not null,
  worker text, result_text text, result_bytes bytea, cancel_cause text, error_kind text collate "C");
create index ended_order on hf.ended (queue_id, state, end_number);
create index ended_badly on hf.ended (state, number) where state <> 'completed';
create index ended_of_kind on hf.ended (error_kind, end_number) where state = 'dead';

create table hf.attempt (
  number int8, token int8, attempt int8 not null, worker text not null, started_at_ms int8 not null,
  ended_at_ms int8 not null, outcome text not null, error_class text, error_message text, error_stack text,
  primary key (number, token));
create table hf.note (
  number int8, token int8, progress text, lines text, dropped_lines int8 not null default 0, primary key (number, token));
create table hf.act (
  number int8, id int8 generated always as identity, act text not null, at_ms int8 not null, actor text not null,
  reason text, priority int8, from_queue_id int4, to_queue_id int4, primary key (number, id));

create table hf.key_holder (
  number int8 primary key, queue_id int4 not null, key text collate "C" not null, until_ms int8 not null);
create index key_holder_key on hf.key_holder (queue_id, key);
create table hf.key_window (
  queue_id int4, key text collate "C", number int8 not null, until_ms int8 not null, primary key (queue_id, key));
create index key_window_end on hf.key_window (until_ms);
create table hf.request (
  id text collate "C" primary key, fingerprint text not null, at_ms int8 not null, jobs int4 not null,
  answer text not null);
create index request_age on hf.request (at_ms);

create table hf.ledger (queue_id int4 not null, step int8 not null, ${COUNTS}) with (${HOT});
create table hf.queue_count (queue_id int4 primary key, ${COUNTS});
create table hf.throughput (
  queue_id int4, step int8, enqueued int8 not null, completed int8 not null, failed int8 not null,
  primary key (queue_id, step));

create table hf.death_ledger (${DEATHS}) with (${HOT});
create table hf.death_count (${DEATHS}, primary key (fingerprint, queue_id, name));

create table hf.event (
  id int8 generated always as identity primary key, at_ms int8 not null, kind text not null, queue_id int4 not null,
  number int8, name text, attempt int8, worker text, error_class text, error_message text, actor text, count int8);
create table hf.listening (one boolean primary key default true check (one), until_ms int8 not null);
insert into hf.listening (until_ms) values (0);
create table hf.lease_expiry (
  id int8 generated always as identity primary key, number int8 not null, queue_id int4 not null, name text not null,
  worker text not null, attempt int8 not null, at_ms int8 not null, late_ms int8 not null, then_state text not null);
create table hf.crew (process_id int4 primary key, workers text not null, told_at_ms int8 not null);
create table hf.process (id int4 primary key, opened_at_ms int8 not null, host text not null, pid int4 not null);
create sequence hf.process_id as int4 cycle;
`;
