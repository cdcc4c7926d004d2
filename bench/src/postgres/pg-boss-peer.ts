import PgBoss from 'pg-boss';
import { batchesOf, CONNECTIONS, FETCH_JOBS, inLoops, PAYLOAD, QUEUE, type SqlPeer } from './peer.js';

export const pgBossPeer: SqlPeer = {
  name: 'pg-boss',
  async open(connectionString, schema) {
    const boss = new PgBoss({ connectionString, schema, max: CONNECTIONS });
    boss.on('error', (error) => console.error(error));
    await boss.start();
    await boss.createQueue(QUEUE);
    return {
      async enqueue(jobs, batch) {
        for (const count of batchesOf(jobs, batch)) {
          await boss.insert(Array.from({ length: count }, () => ({ name: QUEUE, data: PAYLOAD })));
        }
      },
      work: () =>
        inLoops(async () => {
          const jobs = await boss.fetch(QUEUE, { batchSize: FETCH_JOBS });
          if (jobs.length > 0)
            await boss.complete(
              QUEUE,
              jobs.map(({ id }) => id),
            );
          return jobs.length;
        }),
      close: () => boss.stop({ graceful: false, wait: true }),
    };
  },
};
