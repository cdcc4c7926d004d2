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
