import { settled, VirtualClock } from '@holdfast/testing';
import { expect, it } from 'vitest';
import type { Job, JobContext } from '../queue/handler.js';
import type { FromIsolate, ToIsolate } from './isolate-messages.js';
import { IsolatePool } from './isolate-pool.js';

const JOB = { name: 'send', payload: null } as Job;
const CONTEXT = { token: 't', attempt: 1, worker: 'tester', signal: new AbortController().signal } as JobContext;

/** Isolates that run everything at once, and do not end before they are killed. */
function stubbornIsolates(told: string[]) {
  return (hear: (message: FromIsolate) => void) => {
    let kill: () => void = () => {};
    const gone = new Promise<object>((resolve) => {
      kill = () => {
        told.push('kill');
        resolve({});
      };
    });
    const post = (message: ToIsolate) => {
      told.push(message.kind);
      if (message.kind === 'run') queueMicrotask(() => hear({ kind: 'returned', run: message.run, value: 1 }));
    };
    return { gone, post, kill };
  };
}

it('kills one that had no work for a minute and then does not end in its time: each minute without work left another one', async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const pool = new IsolatePool({ isolation: 'process', clock, start: stubbornIsolates(told) });
  expect(await pool.handler(JOB, CONTEXT)).toBe(1);
  await clock.advance(60_000);
  expect(told).toEqual(['run', 'end']);
  await clock.advance(400);
  await settled();
  expect(told).toEqual(['run', 'end', 'kill']);
  expect([pool.size, clock.timers]).toEqual([0, 0]);
});
