import { expect } from 'vitest';
import { type Bench, CLAIM, present } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga' };

/** Kinds of what was seen, without the counts of enqueued jobs, which come when the store likes. */
function kindsOf(seen: readonly { readonly kind: string }[]): string[] {
  return seen.map(({ kind }) => kind).filter((kind) => kind !== 'enqueued');
}

async function liveThrough(bench: Bench): Promise<void> {
  await bench.ack(await bench.leased());
  const failing = await bench.leased({ maxAttempts: 2 });
  await bench.fail(failing, 0);
  await bench.eventually(async () => expect(await bench.state(failing.id)).toBe('ready'));
  await bench.fail(await bench.claimOne());
  await bench.store.redrive({ ids: [failing.id] }, BY);
  await bench.store.cancel({ ids: [failing.id] }, BY);
  await bench.store.remove({ ids: [failing.id] }, BY);
  await bench.store.pause('mail', BY);
  await bench.store.resume('mail', BY);
}

const LIFE = ['completed', 'retried', 'dead', 'redriven', 'cancelled', 'removed', 'paused', 'resumed'];

export const eventRules: Rules = {
  async 'tell what happens, in order, under cursors that grow'(bench) {
    const { seen, stop, ended } = bench.listen();
    await liveThrough(bench);
    await bench.eventually(async () => expect(kindsOf(seen)).toEqual(LIFE));
    const cursors = seen.map(({ cursor }) => cursor);
    expect(cursors).toEqual(cursors.toSorted());
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(seen.find(({ kind }) => kind === 'retried')).toMatchObject({
      queue: 'mail',
      name: 'send',
      attempt: 1,
      error: { class: 'TypeError', message: 'no such thing' },
    });
    expect(seen.find(({ kind }) => kind === 'paused')).toMatchObject({ queue: 'mail', actor: 'olga' });
    stop.abort();
    await ended;
  },

  async 'count the jobs that come'(bench) {
    const { seen, stop, ended } = bench.listen({ kinds: ['enqueued'] });
    await bench.enqueue({}, {}, { queue: 'other' });
    await bench.enqueue({});
    const counted = () => {
      const sums: Record<string, number> = {};
      for (const event of seen) {
        if (event.kind === 'enqueued') sums[event.queue] = (sums[event.queue] ?? 0) + event.count;
      }
      return sums;
    };
    await bench.eventually(async () => expect(counted()).toEqual({ mail: 3, other: 1 }));
    stop.abort();
    await ended;
  },

  async 'tell of a lease that ran out, and what followed'(bench) {
    const { seen, stop, ended } = bench.listen();
    const { id } = await bench.leased({}, { leaseMs: 500 });
    await bench.time.advance(600);
    await bench.eventually(async () => expect(kindsOf(seen)).toEqual(['leaseExpired', 'retried']));
    expect(seen.find(({ kind }) => kind === 'leaseExpired')).toMatchObject({ id, attempt: 1, worker: CLAIM.worker });
    stop.abort();
    await ended;
  },

  async 'go on behind a cursor, for who comes back'(bench) {
    const first = bench.listen({ kinds: ['completed'] });
    await bench.ack(await bench.leased());
    await bench.eventually(async () => expect(first.seen).toHaveLength(1));
    first.stop.abort();
    await first.ended;
    const missed = await bench.leased();
    await bench.ack(missed);
    const again = bench.listen({ after: present(first.seen[0]).cursor, kinds: ['completed'] });
    await bench.eventually(async () => expect(again.seen).toMatchObject([{ kind: 'completed', id: missed.id }]));
    again.stop.abort();
    await again.ended;
  },

  async 'tell several listeners the same'(bench) {
    const listeners = [bench.listen({ kinds: ['dead'] }), bench.listen({ kinds: ['dead'] })];
    await bench.dead();
    for (const { seen } of listeners) await bench.eventually(async () => expect(kindsOf(seen)).toEqual(['dead']));
    for (const { stop, ended } of listeners) {
      stop.abort();
      await ended;
    }
  },

  async 'tell a gap where more happened than is remembered'(bench) {
    const first = bench.listen({ kinds: ['paused'] });
    await bench.store.pause('mail', BY);
    await bench.eventually(async () => expect(first.seen).toHaveLength(1));
    first.stop.abort();
    await first.ended;
    const jobs = await bench.enqueue(...Array.from({ length: 5000 }, () => ({})));
    let done = 0;
    void bench.store.cancel({ ids: jobs.map(({ id }) => id) }, BY).then((outcome) => {
      done = outcome.done;
    });
    await bench.eventually(async () => expect(done).toBe(5000));
    const again = bench.listen({ after: present(first.seen[0]).cursor });
    await bench.eventually(async () => expect(again.seen.length).toBeGreaterThan(4000));
    expect(again.seen[0]?.kind).toBe('gap');
    expect(again.seen.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
    again.stop.abort();
    await again.ended;
  },

  async 'let a listener leave while it waits'(bench) {
    const events = bench.events()[Symbol.asyncIterator]();
    const next = events.next();
    await bench.time.settle();
    await events.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  },

  async 'refuse a cursor or a kind that is none'(bench) {
    const events = bench.listen();
    expect(() => bench.store.events?.({ after: 'yesterday' })).toThrow(
      expect.objectContaining({ code: 'CURSOR_INVALID' }),
    );
    expect(() => bench.store.events?.({ kinds: ['done'] as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
    events.stop.abort();
    await events.ended;
  },

  async 'end when the store closes'(bench) {
    const { ended } = bench.listen();
    await bench.time.settle();
    await bench.store.close();
    await ended;
    expect(() => bench.store.events?.()).toThrow(expect.objectContaining({ code: 'STORE_CLOSED' }));
  },
};
