// One life of a store's process. Its whole plan is the JSON text in its first argument: see LifePlan in machine/life-plan.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { Seeded } from '../seeded.mjs';
import { Consumer } from './consumer.mjs';
import { Journal, monotonicMs } from './journal.mjs';
import { Producer } from './producer.mjs';
import { RecordedStore } from './recorded-store.mjs';

/** @type {import('../machine/life-plan.js').LifePlan} */
const plan = JSON.parse(process.argv[2] ?? '');
const random = new Seeded(plan.seed);
const journal = new Journal(plan.journal);

const DEAD_KEPT = 50;

/** @param {string} what */
function say(what) {
  process.stdout.write(`${what}\n`);
}

journal.note({ event: 'started', pid: process.pid, atMs: monotonicMs() });
say('opening');
const store = await RecordedStore.open(journal, plan);
say('open');
store.onHealth((status) => say(`health ${status}`));

const consumers = [1, 2, 3].map(() => new Consumer(store, new Seeded(random.below(2 ** 32))));
if (plan.what === 'work') await work();
else if (plan.what === 'drain') await Promise.all(consumers.map((consumer) => consumer.drain()));
await store.close();
say('closed');

/** Until this process is killed. */
async function work() {
  if (plan.ownEnd !== undefined) journal.endAfter(plan.ownEnd.afterLines, plan.ownEnd.by);
  const backlog = { jobs: await store.liveJobs(), jobsMax: plan.liveJobsMax };
  const producers = [1, 2, 3].map((each) => {
    return new Producer(store, new Seeded(random.below(2 ** 32)), `${plan.round}.${each}`, backlog);
  });
  // An open lists the dead with their histories: most of them are brought back, and what was cancelled is removed.
  const running = [
    ...store.dead.splice(DEAD_KEPT).map((id) => store.act('redrive', id)),
    ...store.cancelled.splice(DEAD_KEPT).map((id) => store.act('remove', id)),
    ...producers.map((producer) => producer.run()),
    ...consumers.map((consumer) => consumer.run(plan.oldLeases)),
  ];
  setInterval(async () => {
    backlog.jobs = await store.liveJobs().catch(() => backlog.jobs);
    await store.noteSyncs().catch(() => {});
  }, 50);
  await Promise.all(running);
  await pause(2 ** 30);
}
