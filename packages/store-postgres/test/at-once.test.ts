import { exerciseAtOnce } from '@holdfast/store-trials/suites';
import type { PostgresTransaction } from '../src/index.js';
import { rigTests } from './test-database.js';

exerciseAtOnce<PostgresTransaction>({
  overRig: rigTests(),
  endConnections: async (rig) => {
    const { schema } = rig;
    await rig.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and query like '%${schema}.%' order by random() limit 2`);
  },
});
