/** What the tables say of the jobs of a queue that completed. */
export interface StoreAccount {
  readonly completed: number;
  /** As the store counts them. */
  readonly attempts: number;
  /** Attempts of which the store says that their lease ran out. */
  readonly expired: number;
  /** Jobs whose attempts are not one more than those that ran out. */
  readonly unexplained: number;
}

/** A store whose tables can be read. */
export interface ReadableStore {
  readonly schema: string;
  query<Row>(text: string): Promise<readonly Row[]>;
}

export async function storeAccount({ schema, query }: ReadableStore, queue: string): Promise<StoreAccount> {
  const [row] = await query<Record<keyof StoreAccount, string>>(`
    with per_job as (
      select e.number, e.attempts, (
        select count(*) from ${schema}.attempt a where a.number = e.number and a.outcome = 'leaseExpired') as expired
      from ${schema}.ended e join ${schema}.queue q on q.id = e.queue_id
      where e.state = 'completed' and q.name = '${queue}')
    select count(*) as completed, sum(attempts) as attempts, sum(expired) as expired,
      sum(case when attempts <> expired + 1 then 1 else 0 end) as unexplained from per_job`);
  const of = (name: keyof StoreAccount) => Number(row?.[name] ?? 0);
  return {
    completed: of('completed'),
    attempts: of('attempts'),
    expired: of('expired'),
    unexplained: of('unexplained'),
  };
}

const STATES = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'] as const;

/** Where every job is, as both databases understand it. */
function placesOf(schema: string): string {
  const of = (table: string, state: string, keyed: string) =>
    `select number, queue_id, name, attempts, ${state} as state, ${keyed} as keyed from ${schema}.${table}`;
  return `(${of('ready', "'ready'", 'keyed')} union all ${of('scheduled', "'scheduled'", 'keyed')}
    union all ${of('lease', "'leased'", 'keyed')} union all ${of('ended', 'state', 'false')})`;
}

/** Rows of the tables of a store that contradict each other: none, whatever its callers did. */
export async function disagreements(store: ReadableStore): Promise<string[]> {
  const { schema } = store;
  const places = placesOf(schema);
  const count = (column: string) =>
    `(select coalesce(sum(${column}), 0) from (select queue_id, ${column} from ${schema}.queue_count
      union all select queue_id, ${column} from ${schema}.ledger) c where c.queue_id = q.id)`;
  const counts = STATES.map(
    (state) => `select q.name as what, '${state}' as why, ${count(state)} as said,
      (select count(*) from ${places} p where p.queue_id = q.id and p.state = '${state}') as really from ${schema}.queue q`,
  );
  const retrying = `select q.name as what, 'retrying' as why, ${count('retrying')} as said,
    (select count(*) from ${schema}.scheduled s where s.queue_id = q.id and s.attempts > 0) as really from ${schema}.queue q`;
  const strays = ['attempt', 'note', 'act'].map(
    (table) => `select number as what, 'a job that is gone has rows in ${table}' as why from ${schema}.${table} t
      where not exists (select 1 from ${schema}.job j where j.number = t.number)`,
  );
  const texts = [
    `select number as what, 'a job is not in one place' as why from ${schema}.job j
      where (select count(*) from ${places} p where p.number = j.number) <> 1`,
    `select p.number as what, 'a place has no job, or one of another queue or name' as why from ${places} p
      where not exists (select 1 from ${schema}.job j where j.number = p.number and j.queue_id = p.queue_id and j.name = p.name)`,
    `select number as what, 'a job is stored twice' as why from ${schema}.job group by number having count(*) > 1`,
    `select number as what, 'a key is held for a job that takes none, or is in another queue' as why from ${schema}.key_holder k
      where not exists (select 1 from ${places} p where p.number = k.number and p.queue_id = k.queue_id and p.keyed)`,
    `select number as what, 'a job takes a key, and nothing says which' as why from ${places} p
      where p.keyed and not exists (select 1 from ${schema}.key_holder k where k.number = p.number)`,
    `select min(k.number) as what, 'a key has two jobs' as why from ${schema}.key_holder k join ${schema}.job j on j.number = k.number
      where j.dedupe_key like 'once%' group by k.queue_id, j.dedupe_key having count(*) > 1`,
    ...strays,
    ...[...counts, retrying].map((text) => `select * from (${text}) c where said <> really`),
  ];
  const found: string[] = [];
  for (const text of texts) for (const row of await store.query(text)) found.push(JSON.stringify(row));
  return found;
}
