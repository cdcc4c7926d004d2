import { settled, VirtualClock } from '@holdfast/testing';
import { expect, it } from 'vitest';
import type { Job, JobContext } from '../queue/handler.js';
import { LostResult } from '../queue/lost-result.js';
import { HandlerIsolate } from './handler-isolate.js';
import type { FromIsolate, ToIsolate } from './isolate-messages.js';

const JOB = { name: 'send', payload: null } as Job;

function contextOf(extend: JobContext['extend']): JobContext {
  const { signal } = new AbortController();
  return { token: 't', attempt: 1, worker: 'tester', signal, extend, progress: () => {}, log: () => {} };
}

it('answers no extension of an attempt that is over: the next one would take it for its own', async () => {
  const posted: ToIsolate[] = [];
  let hear: (message: FromIsolate) => void = () => {};
  const isolate = new HandlerIsolate({
    isolation: 'thread',
    clock: new VirtualClock(),
    start(heard) {
      hear = heard;
      return { gone: new Promise(() => {}), post: (message) => void posted.push(message), kill: () => {} };
    },
  });
  const answers: (() => void)[] = [];
  const extend = () => new Promise<void>((resolve) => void answers.push(resolve));
  const first = isolate.run(JOB, contextOf(extend));
  hear({ kind: 'extend', run: 1, call: 1, leaseMs: undefined });
  hear({ kind: 'returned', run: 1, value: 1 });
  await first;
  const second = isolate.run(JOB, contextOf(extend));
  hear({ kind: 'extend', run: 2, call: 1, leaseMs: undefined });
  answers[0]?.();
  await settled();
  expect(posted.map(({ kind }) => kind)).toEqual(['run', 'run']);
  answers[1]?.();
  await settled();
  expect(posted.at(-1)).toEqual({ kind: 'extended', call: 1 });
  hear({ kind: 'returned', run: 2, value: 2 });
  expect(await second).toBe(2);
});

it('takes a message that cannot be read for the result: whoever waits for it would wait for ever', async () => {
  let hear: (message: FromIsolate) => void = () => {};
  const isolate = new HandlerIsolate({
    isolation: 'thread',
    clock: new VirtualClock(),
    start(heard) {
      hear = heard;
      return { gone: new Promise(() => {}), post: () => {}, kill: () => {} };
    },
  });
  hear({ kind: 'unreadable', run: 0, why: 'Nobody waits.' });
  const run = isolate.run(
    JOB,
    contextOf(async () => {}),
  );
  hear({ kind: 'unreadable', run: 0, why: 'It is too deep.' });
  expect(await run).toEqual(new LostResult('It is too deep.'));
});
