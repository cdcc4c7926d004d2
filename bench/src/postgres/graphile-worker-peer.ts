import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { batchesOf, CONNECTIONS, FETCH_JOBS, PAYLOAD, type SqlPeer } from './peer.js';

/** As its own page on performance sets it up. */
const CONCURRENT_JOBS = 24;

export const graphileWorkerPeer: SqlPeer = {
  name: 'graphile-worker',
  async open(connectionString, schema) {
    const logger = new Logger(() => () => {});
    const settings = { connectionString, schema, logger, maxPoolSize: CONNECTIONS };
    const utils = await makeWorkerUtils({ preset: { worker: settings } });
    await utils.migrate();
    return {
      async enqueue(jobs, batch) {
        for (const count of batchesOf(jobs, batch)) {
          await utils.addJobs(Array.from({ length: count }, () => ({ identifier: 'noop', payload: PAYLOAD })));
        }
      },
      async work(jobs) {
        let done = 0;
        let finish = () => {};
        const finished = new Promise<void>((resolve) => {
          finish = resolve;
        });
        const noop = async () => {
          if (++done === jobs) finish();
        };
        const batching = { localQueue: { size: FETCH_JOBS }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
        const preset = { worker: { ...settings, concurrentJobs: CONCURRENT_JOBS, ...batching } };
        const runner = await run({ preset, taskList: { noop } });
        await finished;
        await runner.stop();
      },
      close: async () => utils.release(),
    };
  },
};
