import type { DeathRow } from '@holdfast/sql-store';
import { joined, SqlText, sql } from '../sql-text.js';
import type { Step } from './step.js';

/** Counted where they are looked at: dead jobs have rows of their own, and are kept in some number only. */
export const deaths: Step<'deaths'> = {
  scope: 'separately',
  run(work, [queueId, name, errorClass]) {
    const conditions = [
      queueId === null ? sql`q.name not like 'holdfast.%'` : sql`d.queue_id = ${queueId}`,
      ...(name === null ? [] : [sql`d.name = ${name}`]),
      ...(errorClass === null ? [] : [sql`k.error_class = ${errorClass}`]),
    ];
    return work.rows<DeathRow>(sql`
      select d.kind as fingerprint, q.id as queue_id, q.name as queue, d.name, d.jobs as count, k.error_class, k.message,
        k.frame, d.first_at_ms, d.last_at_ms
      from (
        select kind, queue_id, name, count(*) as jobs, min(died_at_ms) as first_at_ms, max(died_at_ms) as last_at_ms
        from hf.death group by kind, queue_id, name) d
      join hf.death_kind k on k.kind = d.kind join hf.queue q on q.id = d.queue_id
      where ${joined(conditions, ' and ')}`);
  },
};

export const deathSamples: Step<'deathSamples'> = {
  scope: 'separately',
  run(work, [fingerprints, queueIds, name, limit]) {
    const isNamed = name === null ? sql`true` : sql`name = ${name}`;
    const each = fingerprints.map(
      (kind) => sql`(select kind as fingerprint, number, end_number from hf.death force index (death_of_kind)
        where kind = ${kind} and queue_id in (${queueIds}) and ${isNamed}
        order by end_number desc limit ${new SqlText(String(limit))})`,
    );
    return work.rows<{ fingerprint: string; number: number }>(
      sql`select fingerprint, number from (${joined(each, ' union all ')}) x order by end_number desc`,
    );
  },
};

/** Kinds that are looked at in one step. */
const KINDS_MAX = 500;

/**
 * Whoever notes a death touches its kind first. So once the kinds are held, a look at the deaths shows all that were noted, and who comes later waits and makes the
 * kind anew.
 */
export const forgetDeaths: Step<'forgetDeaths'> = {
  scope: 'together',
  async run(work) {
    const held = await work.rows<{ kind: string }>(sql`
      select k.kind from hf.death_kind k where not exists (select 1 from hf.death d where d.kind = k.kind)
      limit ${new SqlText(String(KINDS_MAX))} for update skip locked`);
    const kinds = held.map(({ kind }) => kind);
    if (kinds.length === 0) return [];
    const used = await work.rows<{ kind: string }>(sql`select distinct kind from hf.death where kind in (${kinds})`);
    const gone = kinds.filter((kind) => !used.some((row) => row.kind === kind));
    for (const kind of gone) await work.rows(sql`delete from hf.death_kind where kind = ${kind}`);
    return [];
  },
};
