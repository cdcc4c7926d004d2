/**
 * The tables as docs/mysql-store.md describes them. `%collation` compares texts byte by byte, and `%now` is the time; both depend on the server. There
 * are no foreign keys and hardly a unique key beside the primary ones: their checks lock gaps, and calls that meet there end in deadlocks.
 */
const PLACE = `
  name varchar(100) not null, attempts bigint not null, run_at_ms bigint not null, keyed tinyint not null,
  changed_in bigint not null`;
const COUNTS = `
  total_enqueued bigint not null default 0, total_claimed bigint not null default 0, total_completed bigint not null default 0,
  total_failed bigint not null default 0, total_dead bigint not null default 0, total_expired bigint not null default 0,
  scheduled bigint not null default 0, retrying bigint not null default 0, ready bigint not null default 0,
  leased bigint not null default 0, completed bigint not null default 0, dead bigint not null default 0,
  cancelled bigint not null default 0`;
const SIXTEEN = Array.from({ length: 16 }, (_, n) => `select ${n}${n === 0 ? ' as n' : ''}`).join(' union all ');

function table(name: string, columns: string): string {
  return `create table if not exists hf.${name} (${columns}) engine = InnoDB default character set utf8mb4 collate %collation`;
}

export const JOBS: readonly string[] = [
  table(
    'meta',
    `
  one tinyint primary key, store_id char(32) not null, created_at_ms bigint not null, opened tinyint not null,
  processes int not null`,
  ),
  'insert ignore into hf.meta values (1, md5(concat(uuid(), rand(), connection_id())), %now, 0, 0)',
  table(
    'queue',
    `
  id int auto_increment primary key, name varchar(100) not null unique,
  paused_since_ms bigint, paused_until_ms bigint, paused_actor varchar(255), paused_reason text`,
  ),
  table(
    'job',
    `
  number bigint auto_increment primary key, queue_id int not null, name varchar(100) not null, max_attempts bigint,
  backoff_base_ms bigint not null, backoff_max_ms bigint not null, backoff_doubles tinyint not null,
  backoff_jitter varchar(16) not null, backoff_name varchar(100), payload_text longtext, payload_bytes longblob,
  payload_size int not null, headers mediumtext, timeout_ms bigint, dedupe_key varchar(255),
  enqueued_at_ms bigint not null, cloned_from bigint, key job_of_queue (queue_id, number)`,
  ),
  table(
    'ready',
    `
  queue_id int, priority bigint, rank_ms bigint, number bigint, ${PLACE},
  updated_at_ms bigint not null, expires_at_ms bigint, primary key (queue_id, priority, rank_ms, number),
  key ready_number (number), key ready_expiry (expires_at_ms, number)`,
  ),
  table(
    'scheduled',
    `
  number bigint primary key, queue_id int not null, priority bigint not null, rank_ms bigint not null, ${PLACE},
  updated_at_ms bigint not null, expires_at_ms bigint, key scheduled_due (run_at_ms, number),
  key scheduled_expiry (expires_at_ms, number)`,
  ),
  table(
    'lease',
    `
  token bigint auto_increment primary key, number bigint not null, queue_id int not null, priority bigint not null,
  rank_ms bigint not null, ${PLACE}, worker varchar(100) not null, leased_at_ms bigint not null,
  lease_ms bigint not null, deadline_ms bigint not null, extensions int not null default 0, key lease_number (number)`,
  ),
  table(
    'ended',
    `
  end_number bigint auto_increment primary key, number bigint not null, queue_id int not null, name varchar(100) not null,
  priority bigint not null, attempts bigint not null, run_at_ms bigint not null,
  state enum('completed', 'dead', 'cancelled') not null, ended_at_ms bigint not null, result_text mediumtext,
  result_bytes mediumblob, result_size int not null default 0, token bigint, worker varchar(100), leased_at_ms bigint,
  cancel_cause varchar(16), changed_in bigint not null, key ended_number (number), key ended_order (queue_id, state, end_number),
  key ended_state (state, number)`,
  ),
  table(
    'death',
    `
  number bigint primary key, kind varchar(64) not null, queue_id int not null, name varchar(100) not null,
  end_number bigint not null, died_at_ms bigint not null, key death_of_kind (kind, end_number)`,
  ),
  table(
    'death_kind',
    `
  kind varchar(64) primary key, error_class varchar(255) not null, message text not null, frame text`,
  ),
  table(
    'attempt',
    `
  number bigint, token bigint, attempt bigint not null, worker varchar(100) not null, started_at_ms bigint not null,
  ended_at_ms bigint not null, outcome varchar(16) not null, error_class varchar(255), error_message text,
  error_stack text, primary key (number, token)`,
  ),
  table(
    'note',
    `
  number bigint, token bigint, progress varchar(1024), log_lines mediumtext, dropped_lines bigint not null,
  primary key (number, token)`,
  ),
  table(
    'act',
    `
  id bigint auto_increment primary key, number bigint not null, act varchar(16) not null, at_ms bigint not null,
  actor varchar(255) not null, reason text, priority bigint, from_queue_id int, to_queue_id int,
  key act_of_job (number)`,
  ),
  table('job_change', 'id bigint auto_increment primary key'),
  table(
    'settled_changes',
    `
  one tinyint primary key, below bigint not null, still_open mediumtext not null, next_below bigint not null,
  seen_at_s bigint not null`,
  ),
  "insert ignore into hf.settled_changes values (1, 1, '', 1, 0)",
  table(
    'key_holder',
    `
  number bigint primary key, queue_id int not null, dedupe_key varchar(255) not null, until_ms bigint not null,
  key holder_of_key (queue_id, dedupe_key)`,
  ),
  table(
    'key_window',
    `
  queue_id int, dedupe_key varchar(255), number bigint not null, until_ms bigint not null,
  primary key (queue_id, dedupe_key), key window_end (until_ms)`,
  ),
  table(
    'request',
    `
  id varchar(200) primary key, fingerprint varchar(100) not null, at_ms bigint not null, jobs int not null,
  answer mediumtext not null, key request_age (at_ms)`,
  ),
  table('name_lock', 'slot smallint primary key'),
  `insert ignore into hf.name_lock select a.n + 16 * b.n + 256 * c.n
from (${SIXTEEN}) a cross join (${SIXTEEN}) b cross join (${SIXTEEN}) c`,
  table('ledger', `\n  id bigint auto_increment primary key, queue_id int not null, step bigint not null, ${COUNTS}`),
  table('queue_count', `\n  queue_id int primary key, ${COUNTS}`),
  table(
    'throughput',
    `
  queue_id int, step bigint, enqueued bigint not null, completed bigint not null, failed bigint not null,
  primary key (queue_id, step)`,
  ),
  table(
    'event',
    `
  id bigint auto_increment primary key, at_ms bigint not null, kind varchar(16) not null, queue_id int not null,
  number bigint, name varchar(100), attempt bigint, worker varchar(100), error_class varchar(255), error_message text,
  actor varchar(255), count bigint`,
  ),
  table('listening', 'one tinyint primary key, until_ms bigint not null'),
  'insert ignore into hf.listening values (1, 0)',
  table(
    'lease_expiry',
    `
  id bigint auto_increment primary key, number bigint not null, queue_id int not null, name varchar(100) not null,
  worker varchar(100) not null, attempt bigint not null, at_ms bigint not null, late_ms bigint not null,
  then_state varchar(16) not null`,
  ),
  table('crew', 'process_id int primary key, workers mediumtext not null, told_at_ms bigint not null'),
  table('process', 'id int primary key, opened_at_ms bigint not null, host varchar(255) not null, pid bigint not null'),
];
