import type { ProofRig } from '@holdfast/store-trials';
import type { PostgresRig } from '../test-database.js';

/** The workers run what is built, and their connections go by the name of the schema. */
export function proofRig(rig: PostgresRig): ProofRig {
  const { schema, url } = rig;
  const connection = { connectionString: url, application_name: schema };
  return {
    schema,
    open: () => rig.open({ sweepMs: 100 }),
    query: (text) => rig.query(text) as Promise<never[]>,
    worker: {
      module: new URL('../../dist/index.js', import.meta.url).href,
      open: 'openPostgresStore',
      options: { connection, schema, connectionsMax: 2, sweepMs: 100, migrate: false },
    },
    async terminate() {
      await rig.query(
        `select pg_terminate_backend(pid) from (
          select pid from pg_stat_activity where application_name = $1 order by random() limit 2) x`,
        [schema],
      );
    },
  };
}
