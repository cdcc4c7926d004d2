import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { JobStore } from '@holdfast/contract';
import { HOLDFAST_STORE, HoldfastAdminModule, HoldfastModule, logStore } from '@holdfast/nestjs';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { processorTime } from '../processor-time.js';
import { LOAD_JOB, type OfferedFigures, offerLoad } from './offered-load.js';

/*
 * The application that is looked at: a Nest application over a log store, with the dashboard's API, that enqueues when it is told to. It is told
 * and answers by messages of its parent.
 */

export type Order =
  | { readonly kind: 'enqueue'; readonly forMs: number }
  | { readonly kind: 'offer'; readonly jobsPerSecond: number; readonly forMs: number }
  | { readonly kind: 'watchLoop' }
  | { readonly kind: 'loopBlockedMs' }
  | { readonly kind: 'processorMs' }
  | { readonly kind: 'close' };

export type Answer = { readonly port: number } | { readonly value: number } | { readonly offered: OfferedFigures };

const PRODUCERS = 64;

const [, , directory] = process.argv;
if (directory === undefined || process.send === undefined) throw new Error('Usage: a child of main, with a directory');
const app = await start(directory);
const store = app.get<JobStore>(HOLDFAST_STORE);
const loop = monitorEventLoopDelay({ resolution: 1 });
process.on('message', (order: Order) => void obey(order).then(answer));
answer({ port: (app.getHttpServer().address() as AddressInfo).port });

async function start(into: string): Promise<INestApplication> {
  class Measured {}
  Module({
    imports: [
      HoldfastModule.forRoot({ store: logStore({ directory: into }) }),
      HoldfastAdminModule.forRoot({
        path: '/ops',
        // Each dashboard is somebody else: what one person may ask for is not what is measured.
        authorize: ({ headers }) => ({ role: 'viewer', actor: String(headers['x-bench-actor'] ?? 'bench') }),
      }),
    ],
  })(Measured);
  const application = await NestFactory.create(Measured, { logger: ['error', 'warn'] });
  await application.listen(0, '127.0.0.1');
  return application;
}

async function obey(order: Order): Promise<Answer> {
  switch (order.kind) {
    case 'enqueue':
      return { value: await enqueuedPerSecond(order.forMs) };
    case 'offer':
      return { offered: await offerLoad(store, order.jobsPerSecond, order.forMs) };
    case 'watchLoop':
      loop.reset();
      loop.enable();
      return { value: 0 };
    case 'loopBlockedMs':
      loop.disable();
      return { value: loop.max / 1e6 };
    case 'processorMs':
      return { value: processorTime().process / 1000 };
    case 'close':
      await app.close();
      setImmediate(() => process.disconnect());
      return { value: 0 };
  }
}

/** Many callers that each enqueue one job after the other, and wait until it is on the disk. */
async function enqueuedPerSecond(forMs: number): Promise<number> {
  const startMs = performance.now();
  let jobs = 0;
  const produce = async () => {
    while (performance.now() - startMs < forMs) {
      await store.enqueue([LOAD_JOB]);
      jobs++;
    }
  };
  await Promise.all(Array.from({ length: PRODUCERS }, produce));
  return (jobs * 1000) / (performance.now() - startMs);
}

function answer(told: Answer): void {
  process.send?.(told);
}
