import type { ProofRig } from '@holdfast/store-trials';
import type { MysqlRig } from '../test-database.js';

/** The workers run what is built, and their connections are in the database of the schema. */
export function proofRig(rig: MysqlRig): ProofRig {
  const { schema } = rig;
  const url = new URL(rig.url);
  url.pathname = `/${schema}`;
  return {
    schema,
    open: () => rig.open({ sweepMs: 100 }),
    query: (text) => rig.query(text),
    worker: {
      module: new URL('../../dist/index.js', import.meta.url).href,
      open: 'openMysqlStore',
      options: { connectionString: url.href, schema, connectionsMax: 2, sweepMs: 100, migrate: false },
    },
    async terminate() {
      const connections = await rig.query<{ id: number }>(
        `select id from information_schema.processlist where db = '${schema}' order by rand() limit 2`,
      );
      // One may have ended by itself meanwhile.
      for (const { id } of connections) await rig.query(`kill ${id}`).catch(() => {});
    },
  };
}
