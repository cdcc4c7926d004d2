// One worker process of the proof: worker.mjs <url> <schema> <name>. It says each start and each ack, a line each, and ends with its input.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresStore } from '@holdfast/store-postgres';

const [, , connectionString, schema, worker] = process.argv;
const BATCH = 20;
const HANDLER_MS = 5;

let stopping = false;
process.stdin.on('end', () => {
  stopping = true;
});
process.stdin.resume();

const connection = { connectionString, application_name: schema };
const store = await opened();
console.log('ready');
while (!stopping) {
  try {
    const jobs = await store.claim({ queues: ['proof'], limit: BATCH, leaseMs: 1000, waitMs: 200, worker });
    for (const { id, token, attempt } of jobs) console.log(`start ${id} ${token} ${attempt}`);
    await pause(HANDLER_MS);
    const answers = await store.ack(jobs.map(({ id, token }) => ({ id, token })));
    for (const [index, { id, token }] of jobs.entries()) console.log(`acked ${id} ${token} ${answers[index]}`);
  } catch (error) {
    console.log(`failed ${error.code} ${error.outcome}`);
    await pause(HANDLER_MS);
  }
}
await store.close();

/** Its first connections may be ended like any other. */
async function opened() {
  for (;;) {
    try {
      return await openPostgresStore({ connection, schema, connectionsMax: 2, sweepMs: 100, migrate: false });
    } catch (error) {
      if (error.code !== 'STORE_OPEN_FAILED') throw error;
      await pause(HANDLER_MS);
    }
  }
}
