import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UnrecoverableError } from '@holdfast/nestjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Order } from '../orders/order.js';
import { Receiver } from '../receiver/receiver.js';
import { SeededRandom } from '../seeded-random.js';
import { callWebhook } from './webhook-call.js';

const order: Order = {
  orderId: '3f0c2a54-9d3e-4a55-8b36-1f4f4d0c7a10',
  placedAtMs: 0,
  customer: { name: 'Ada', email: 'ada@example.org' },
  items: [{ sku: 'rope', quantity: 2, unitPriceCents: 100 }],
};

let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start(new SeededRandom(1));
});

afterEach(() => receiver.onApplicationShutdown());

const never = new AbortController().signal;

describe('callWebhook', () => {
  it('succeeds when the receiver is well', async () => {
    receiver.setMood('mended');
    expect(await callWebhook(receiver.url, order, never)).toEqual({ status: 200 });
    expect(receiver.report().answered.ok).toBe(1);
  });

  it('fails with what the receiver said', async () => {
    receiver.setMood('error');
    await expect(callWebhook(receiver.url, order, never)).rejects.toThrow(
      'The receiver answered 500: Our database is away.',
    );
  });

  it('is unrecoverable when the receiver is gone for good', async () => {
    receiver.setMood('gone');
    await expect(callWebhook(receiver.url, order, never)).rejects.toThrow(UnrecoverableError);
  });

  it('gives up on a receiver that hangs', async () => {
    receiver.setMood('hang');
    await expect(callWebhook(receiver.url, order, never)).rejects.toThrow('did not answer within 2000 ms');
  });

  it('gives up also when memory is cleaned up meanwhile', async () => {
    receiver.setMood('hang');
    const call = callWebhook(receiver.url, order, new AbortController().signal);
    await expect.poll(() => receiver.report().answered.hang).toBe(1);
    collectGarbage();
    await expect(call).rejects.toThrow('did not answer within 2000 ms');
  });

  it('does not call at all when the job is aborted already', async () => {
    receiver.setMood('mended');
    await expect(callWebhook(receiver.url, order, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
      'too late',
    );
    expect(receiver.report().answered.ok).toBe(0);
  });

  it('ends at once when the job is aborted', async () => {
    receiver.setMood('hang');
    const abort = new AbortController();
    const call = callWebhook(receiver.url, order, abort.signal);
    abort.abort(new Error('shutting down'));
    await expect(call).rejects.toThrow('shutting down');
  });

  it('fails, and may be tried again, when nobody listens', async () => {
    const { url } = receiver;
    await receiver.onApplicationShutdown();
    const failure = await callWebhook(url, order, never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(UnrecoverableError);
  });
});

describe('a moody receiver', () => {
  it('answers in every way within a few hundred calls, the same for the same seed', async () => {
    const { nextAnswer, ANSWERS } = await import('../receiver/mood.js');
    const answers = (seed: number) => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 300 }, () => nextAnswer('moody', random));
    };
    expect(new Set(answers(7))).toEqual(new Set(ANSWERS));
    expect(answers(7)).toEqual(answers(7));
    expect(answers(8)).not.toEqual(answers(7));
  });

  it('closes although callers hang', async () => {
    receiver.setMood('hang');
    const call = callWebhook(receiver.url, order, never).catch((error: unknown) => error);
    await expect.poll(() => receiver.report().answered.hang).toBe(1);
    await receiver.onApplicationShutdown();
    expect(await call).toBeInstanceOf(Error);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node hands out no garbage collector.');
  collect();
}
