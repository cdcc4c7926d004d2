import type { PostgresRig } from '../test-database.js';

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

export async function storeAccount(rig: PostgresRig, queue: string): Promise<StoreAccount> {
  const [row] = await rig.query<Record<keyof StoreAccount, string>>(
    `with per_job as (
      select e.number, e.attempts, (
        select count(*) from ${rig.schema}.attempt a where a.number = e.number and a.outcome = 'leaseExpired') as expired
      from ${rig.schema}.ended e join ${rig.schema}.queue q on q.id = e.queue_id
      where e.state = 'completed' and q.name = $1)
    select count(*) as completed, sum(attempts) as attempts, sum(expired) as expired,
      count(*) filter (where attempts <> expired + 1) as unexplained from per_job`,
    [queue],
  );
  const of = (name: keyof StoreAccount) => Number(row?.[name] ?? 0);
  return {
    completed: of('completed'),
    attempts: of('attempts'),
    expired: of('expired'),
    unexplained: of('unexplained'),
  };
}
