import { exerciseAtOnce } from '@holdfast/store-trials/suites';
import type { MysqlTransaction } from '../src/index.js';
import { rigTests } from './test-database.js';

exerciseAtOnce<MysqlTransaction>({
  overRig: rigTests(),
  endConnections: async (rig) => {
    const { schema } = rig;
    const connections = await rig.query<{ id: number }>(
      `select id from information_schema.processlist where id <> connection_id() and info like '%${schema}.%' order by rand() limit 2`,
    );
    for (const { id } of connections) await rig.query(`kill ${id}`).catch(() => {});
  },
});
