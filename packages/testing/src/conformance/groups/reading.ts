import { JOB_STATES } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, present } from '../bench.js';
import type { Rules } from '../rules.js';

/** Jobs of two queues in all states that they can have. */
async function variousJobs(bench: Bench): Promise<void> {
  for (const queue of ['print', 'mail']) {
    await bench.dead({ queue });
    await bench.ack(await bench.leased({ queue }));
    await bench.fail(await bench.leased({ queue }), 60_000);
    await bench.leased({ queue }, { leaseMs: 60_000 });
    await bench.release(await bench.leased({ queue }), 60_000);
    await bench.enqueue({ queue }, { queue }, { queue, delayMs: 60_000 });
  }
}

function sum(series: readonly number[]): number {
  return series.reduce((total, count) => total + count, 0);
}

export const readingRules: Rules = {
  async 'knows no job under a foreign id'({ store }) {
    for (const id of ['', 'unknown', '1', 'zzzzz-1', '\u0000', "' or 1=1 --", 'é'.repeat(300)]) {
      expect(await store.job(id), id.slice(0, 9)).toBeUndefined();
    }
  },

  async 'lists queues by name'(bench) {
    await bench.enqueue({ queue: 'b' }, { queue: 'B' }, { queue: 'a' }, { queue: 'ä' }, { queue: 'b' });
    expect((await bench.store.queues()).map(({ name }) => name)).toEqual(['B', 'a', 'b', 'ä']);
  },

  async 'shows the queues that are asked for, each once, as among all of them'(bench) {
    await variousJobs(bench);
    await bench.store.pause('quiet', { actor: 'olga' });
    // Between two looks a step of the throughput may begin.
    const shown = async (names?: readonly string[]) =>
      (await bench.store.queues(names)).map(({ throughput, ...queue }) => ({
        ...queue,
        enqueued: sum(throughput.enqueued),
      }));
    const all = await shown();
    expect(all.map(({ name }) => name)).toEqual(['mail', 'print', 'quiet']);
    for (const { name } of all) expect(await shown([name])).toEqual(all.filter((one) => one.name === name));
    expect(await shown(['quiet', 'mail', 'unknown', 'quiet'])).toEqual([all[0], all[2]]);
    expect(await shown(['Mail', 'holdfast.unknown'])).toEqual([]);
    expect(await shown([])).toEqual([]);
  },

  async 'counts jobs by state as a recount does'(bench) {
    await variousJobs(bench);
    const { rows } = await bench.store.browse({}, { limit: 200 });
    const queues = await bench.store.queues();
    expect(queues.map(({ name }) => name)).toEqual(['mail', 'print']);
    for (const { name, counts, retrying } of queues) {
      const jobs = rows.filter(({ queue }) => queue === name);
      const recount = JOB_STATES.map((state) => [state, jobs.filter((job) => job.state === state).length]);
      expect(counts).toEqual(Object.fromEntries(recount));
      expect(retrying).toBe(jobs.filter(({ state, attempts }) => state === 'scheduled' && attempts > 0).length);
      expect(retrying).toBe(1);
    }
  },

  async 'goes on listing a queue whose jobs are all done'(bench) {
    await bench.ack(await bench.leased());
    expect(await bench.store.queues()).toMatchObject([{ name: 'mail', counts: { ready: 0, completed: 1 } }]);
  },

  async 'says since when the longest-waiting ready job waits'(bench) {
    const first = await bench.job(await bench.add({ priority: 9 }));
    await bench.time.advance(100);
    await bench.enqueue({}, { delayMs: 60_000 });
    expect((await bench.store.queues())[0]?.oldestReadyAtMs).toBe(first.runAtMs);
    for (const job of await bench.claim()) await bench.ack(job);
    expect((await bench.store.queues())[0]).not.toHaveProperty('oldestReadyAtMs');
  },

  async 'adds up what a queue has done in its throughput'(bench) {
    await variousJobs(bench);
    for (const { throughput } of await bench.store.queues()) {
      const { fromMs, stepMs, enqueued, completed, failed } = throughput;
      expect(stepMs).toBeGreaterThan(0);
      expect(Number.isInteger(fromMs / stepMs)).toBe(true);
      expect(completed).toHaveLength(enqueued.length);
      expect(failed).toHaveLength(enqueued.length);
      expect([sum(enqueued), sum(completed), sum(failed)]).toEqual([8, 1, 2]);
    }
  },

  async 'totals what was done since it was opened'(bench) {
    await variousJobs(bench);
    const { totals, ...metrics } = await bench.store.metrics();
    expect(totals).toMatchObject({ enqueued: 16, claimed: 10, completed: 2, failed: 4, dead: 2, leaseExpiries: 0 });
    expect(metrics.stepMs).toBeGreaterThan(0);
    expect(metrics.engineStallMsMax).toBeGreaterThanOrEqual(0);
    for (const { count } of metrics.syncLatency) expect(count).toBeGreaterThan(0);
    for (const { commits, records } of metrics.commits) expect(records).toBeGreaterThanOrEqual(commits);
  },

  async 'says what keeps the bytes'({ store }) {
    const { kind, storeId, location, segments, bytes, recovery } = await store.storage();
    expect(kind).toBe(store.capabilities.kind);
    expect(storeId).not.toBe('');
    expect(location).not.toBe('');
    expect(Array.isArray(segments)).toBe(true);
    expect(bytes).toBeGreaterThanOrEqual(0);
    expect(recovery).toMatchObject({ kind: 'new', leasesEnded: { retried: 0, dead: 0 } });
  },

  async 'is well while it is open'({ store }) {
    expect(store.health()).toEqual({ status: 'open', reopened: 0 });
  },

  async 'gives answers that nobody can change the store by'(bench) {
    const [answer] = await bench.enqueue({ payload: Uint8Array.of(1, 2, 3) });
    const { id } = present(answer);
    const detail = await bench.job(id);
    (detail.payload as Uint8Array).fill(9);
    Object.assign(detail, { state: 'dead' });
    const [job] = await bench.claim();
    expect([...(present(job).payload as Uint8Array)]).toEqual([1, 2, 3]);
    (present(job).payload as Uint8Array).fill(9);
    expect([...((await bench.job(id)).payload as Uint8Array)]).toEqual([1, 2, 3]);
    expect(await bench.state(id)).toBe('leased');
  },
};
