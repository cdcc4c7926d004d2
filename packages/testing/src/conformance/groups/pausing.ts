import { expect } from 'vitest';
import { present } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga', reason: 'the printer is out' };

export const pausingRules: Rules = {
  async 'no job of a paused queue is claimed, those of others are'(bench) {
    const [mail, print] = await bench.enqueue({ queue: 'mail' }, { queue: 'print' });
    const pause = await bench.store.pause('print', BY);
    expect(pause).toEqual({ sinceMs: expect.any(Number), ...BY });
    expect(await bench.claimedIds({ queues: ['print', 'mail'] })).toEqual([present(mail).id]);
    expect(await bench.state(present(print).id)).toBe('ready');
    const queues = await bench.store.queues();
    expect(queues.map(({ name, paused }) => [name, paused])).toEqual([
      ['mail', undefined],
      ['print', pause],
    ]);
  },

  async 'leased jobs go on, and jobs come and become due'(bench) {
    const leased = await bench.leased();
    await bench.store.pause('mail', BY);
    const scheduled = await bench.add({ delayMs: 200 });
    expect(await bench.extend(leased, 10_000)).toBe('ok');
    expect(await bench.ack(leased)).toBe('ok');
    await bench.time.advance(200);
    await bench.eventually(async () => expect(await bench.state(scheduled)).toBe('ready'));
    expect(await bench.claim()).toEqual([]);
  },

  async 'ends with resume, and waiting claims get jobs at once'(bench) {
    await bench.store.pause('mail', BY);
    const id = await bench.add();
    const waiting = bench.claim({ waitMs: 10_000 });
    await bench.time.settle();
    expect(await bench.store.resume('mail', BY)).toBe(true);
    expect(await waiting).toMatchObject([{ id }]);
    expect(await bench.store.resume('mail', BY)).toBe(false);
    expect((await bench.store.queues())[0]).not.toHaveProperty('paused');
  },

  async 'ends by itself when its time is over'(bench) {
    const id = await bench.add();
    const pause = await bench.store.pause('mail', BY, { forMs: 1000 });
    expect(present(pause.untilMs) - pause.sinceMs).toBe(1000);
    const waiting = bench.claim({ waitMs: 60_000 });
    await bench.time.advance(1000 - bench.time.graceMs);
    expect((await bench.store.queues())[0]?.paused).toEqual(pause);
    await bench.time.advance(bench.time.graceMs);
    await bench.eventually(async () => expect((await bench.store.queues())[0]).not.toHaveProperty('paused'));
    expect(await waiting).toMatchObject([{ id }]);
    expect(await bench.store.resume('mail', BY)).toBe(false);
  },

  async 'a second pause replaces end, actor and reason, and keeps since when'(bench) {
    const { sinceMs } = await bench.store.pause('mail', BY, { forMs: 60_000 });
    await bench.time.advance(100);
    const again = await bench.store.pause('mail', { actor: 'piet' });
    expect(again).toEqual({ sinceMs, actor: 'piet' });
    expect((await bench.store.queues())[0]?.paused).toEqual(again);
  },

  async 'a queue that never held a job can be paused, and is listed then'(bench) {
    await bench.store.pause('new', BY);
    const [queue] = await bench.store.queues();
    expect(queue).toMatchObject({ name: 'new', paused: BY, counts: { ready: 0, scheduled: 0 } });
    await bench.add({ queue: 'new' });
    expect(await bench.claim({ queues: ['new'] })).toEqual([]);
    await bench.store.resume('new', BY);
    expect(await bench.claim({ queues: ['new'] })).toHaveLength(1);
  },

  async 'resume says whether there was a pause'(bench) {
    expect(await bench.store.resume('mail', BY)).toBe(false);
  },
};
