import { afterEach, beforeEach, expect, it } from 'vitest';
import { AdminClient } from '../demo/admin-client.js';
import { eventually } from '../demo/eventually.js';
import { mailsByAddress, readMailbox } from '../demo/mailbox.js';
import { orderBy, type PlacedOrder, placeOrder } from '../demo/shop-client.js';
import { Supervisor } from '../demo/supervisor.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';

/** As in the demo: fewer than the other receipts have. */
const POISON_ATTEMPTS_MAX = 4;
const DEATH_MS_MAX = 90_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let shop: Supervisor;

beforeEach(async () => {
  directory = await temporaryDirectory();
  shop = new Supervisor({ dataDirectory: directory.path, env: { DEMO_POISON: 'on' } });
});

afterEach(async ({ task }) => {
  await shop.stop();
  if (task.result?.state === 'pass') await directory.remove();
});

it('T6: a job that kills its process is dead after its attempts, and the others go through', {
  timeout: 180_000,
}, async () => {
  const good = new Map<string, PlacedOrder>();
  await placeSomehow(good, 'before@example.org');
  const poison = await placePoison();

  let number = 0;
  await eventually('the poison order is dead', DEATH_MS_MAX, async () => {
    number += 1;
    await placeSomehow(good, `meanwhile-${number}@example.org`);
    const { job } = await new AdminClient(await shop.url()).job(poison.jobId);
    return job.state === 'dead' ? true : undefined;
  });
  await placeSomehow(good, 'after@example.org');

  const admin = new AdminClient(await shop.url());
  const { job } = await admin.job(poison.jobId);
  expect(job).toMatchObject({ state: 'dead', attempts: POISON_ATTEMPTS_MAX, maxAttempts: POISON_ATTEMPTS_MAX });
  expect(job.attemptLog.map(({ outcome }) => outcome)).toEqual(Array(POISON_ATTEMPTS_MAX).fill('processEnded'));
  expect((await admin.deadJobs('receipts')).rows.map(({ id }) => id)).toEqual([poison.jobId]);

  const starts = shop.output.match(/attempt \d+ kills process/g)?.length ?? 0;
  expect(starts).toBe(shop.deaths);
  expect(starts).toBeGreaterThanOrEqual(1);
  expect(starts).toBeLessThanOrEqual(POISON_ATTEMPTS_MAX);

  await eventually('all other receipts are done', DEATH_MS_MAX, async () =>
    (await admin.unfinished('receipts')) === 0 ? true : undefined,
  );
  const mails = mailsByAddress(await readMailbox(directory.path));
  expect([...good.keys()].filter((address) => mails.get(address) !== 1)).toEqual([]);
  expect(mails.get('poison@example.org')).toBeUndefined();
  console.log(`${starts} processes killed by the poison order; ${good.size} other orders confirmed and mailed`);
});

/** An order that the shop has no time to answer is not confirmed, and so not counted. */
async function placeSomehow(good: Map<string, PlacedOrder>, address: string): Promise<void> {
  const placed = await placeOrder(await shop.url(), orderBy(address));
  if (placed !== undefined) good.set(address, placed);
}

/** The answer may be lost with the process that it kills: the job is there all the same, and found by its queue. */
async function placePoison(): Promise<{ readonly jobId: string }> {
  const placed = await placeOrder(await shop.url(), orderBy('poison@example.org', 'poison'));
  if (placed !== undefined) return placed;
  return eventually('the poison order is found', DEATH_MS_MAX, async () => {
    const jobs = await new AdminClient(await shop.url()).jobs('receipts');
    const killer = jobs.rows.find(({ maxAttempts }) => maxAttempts === POISON_ATTEMPTS_MAX);
    return killer === undefined ? undefined : { jobId: killer.id };
  });
}
