import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from '@holdfast/core';
import { getQueueToken, HoldfastModule, Process, Processor } from '@holdfast/nestjs';
import { Test } from '@nestjs/testing';
import { expect, vi } from 'vitest';
import { TcpProxy } from '../tcp-proxy.js';
import type { OverRig, TrialRig } from './trial-rig.js';

interface SumJobs {
  add: { a: number; b: number };
}

@Processor('sums')
class Sums {
  @Process('add')
  add({ payload: { a, b } }: { readonly payload: SumJobs['add'] }) {
    return a + b;
  }
}

/** Longer than the worker's first attempts to go on. */
const OUTAGE_MS = 1500;

/** An application over a store, as one process of several. */
async function startApp<Transaction>(rig: TrialRig<Transaction>, url: string) {
  const app = await Test.createTestingModule({
    imports: [HoldfastModule.forRoot({ store: rig.source(url) }), HoldfastModule.registerQueue({ name: 'sums' })],
    providers: [Sums],
  }).compile();
  await app.init();
  return { app, queue: app.get<Queue<SumJobs, Transaction>>(getQueueToken('sums')) };
}

/** @param port of a server whose URL names none */
export function exerciseNestModule<Transaction>(overRig: OverRig<Transaction>, port: number): void {
  overRig('the Nest module works over it: a producer, a processor, a transaction, and an outage', async (rig) => {
    const { proxy, url } = await TcpProxy.before(rig.url, port);
    const { app, queue } = await startApp(rig, url);
    try {
      const first = await queue.enqueue('add', { a: 1, b: 2 });
      expect(await queue.waitFor(first.id)).toBe(3);

      const { transaction, commit } = await rig.begin();
      const second = await queue.enqueue('add', { a: 3, b: 4 }, { transaction });
      expect(await queue.job(second.id)).toBeUndefined();
      await commit();
      expect(await queue.waitFor(second.id)).toBe(7);

      // Nobody restarts the application: its worker claims again by itself.
      proxy.down();
      await pause(OUTAGE_MS);
      proxy.up();
      const other = await rig.open();
      const [third] = await other.enqueue([{ queue: 'sums', name: 'add', payload: '{"a":5,"b":6}' }]);
      const stateOf = async () => (await other.job(third?.id ?? ''))?.state;
      await vi.waitFor(async () => expect(await stateOf()).toBe('completed'), { timeout: 20_000, interval: 50 });
    } finally {
      await app.close();
      await proxy.close();
    }
  });
}
