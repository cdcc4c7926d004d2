const JOB_COLUMNS = `queue_id, name, max_attempts, backoff_base_ms, backoff_max_ms, backoff_doubles, backoff_jitter, backoff_name,
  payload_text, payload_bytes, payload_size, headers, timeout_ms, dedupe_key`;

/**
 * Jobs as the store itself would have put them there, $1 of them at a time, like the one job that was enqueued before.
 * `count` is what they count as, `placed` puts them into the table of their place.
 */
function stored(count: string, placed: string): string {
  return `
with job as (
  insert into holdfast.job (number, enqueued_at_ms, ${JOB_COLUMNS})
  select nextval('holdfast.job_number'), holdfast.now_ms(), ${JOB_COLUMNS}
  from (select * from holdfast.job order by number limit 1) j, generate_series(1, $1::int8)
  returning number, queue_id, name),
placed as (${placed})
insert into holdfast.ledger (queue_id, step, total_enqueued, ${count})
select min(queue_id), holdfast.now_ms() / 10000, count(*), count(*) from job`;
}

const PLACE = 'number, queue_id, name, 100, holdfast.now_ms(), 0, holdfast.now_ms(), false';
const PLACE_COLUMNS = 'number, queue_id, name, priority, rank_ms, attempts, run_at_ms, keyed';
/** Later than any measurement ends. */
const LATER_MS = 86_400_000;

export const FILLS: readonly { readonly rows: number; readonly text: string }[] = [
  {
    rows: 5_000_000,
    text: stored(
      'completed',
      `insert into holdfast.ended (number, queue_id, name, priority, attempts, run_at_ms, state, ended_at_ms, end_number, token, worker, leased_at_ms)
       select number, queue_id, name, 100, 1, holdfast.now_ms(), 'completed', holdfast.now_ms(), nextval('holdfast.end_number'),
         nextval('holdfast.token'), 'fill', holdfast.now_ms() from job`,
    ),
  },
  {
    rows: 2_900_000,
    text: stored(
      'ready',
      `insert into holdfast.ready (${PLACE_COLUMNS}, updated_at_ms) select ${PLACE}, holdfast.now_ms() from job`,
    ),
  },
  {
    rows: 100_000,
    text: stored(
      'leased',
      `insert into holdfast.lease (${PLACE_COLUMNS}, token, worker, leased_at_ms, lease_ms, deadline_ms)
       select ${PLACE}, nextval('holdfast.token'), 'fill', holdfast.now_ms(), ${LATER_MS}, holdfast.now_ms() + ${LATER_MS} from job`,
    ),
  },
  {
    rows: 1_000_000,
    text: stored(
      'scheduled',
      `insert into holdfast.scheduled (${PLACE_COLUMNS}, updated_at_ms)
       select number, queue_id, name, 100, holdfast.now_ms() + ${LATER_MS}, 0, holdfast.now_ms() + ${LATER_MS}, false, holdfast.now_ms() from job`,
    ),
  },
];
