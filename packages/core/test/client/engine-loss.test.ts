import {
  LogCorruptError,
  StoreFailedError,
  type StoreHealth,
  StoreLockedError,
  StoreOpenError,
} from '@holdfast/contract';
import { settled } from '@holdfast/testing';
import { describe, expect, it } from 'vitest';
import { ClientRig } from './client-rig.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };

describe('an engine that cannot be opened', () => {
  it.each([
    new StoreLockedError('/data/queue', 4711),
    new LogCorruptError('0000000001.segment', 512, 'its CRC is wrong'),
    new StoreOpenError('/data/queue', 'it is a file'),
  ])('rejects the open with the same $name', async (error) => {
    const rig = new ClientRig();
    rig.openErrors.push(error);
    await expect(rig.open()).rejects.toMatchObject({ ...error, message: error.message });
    expect(rig.clock.timers).toBe(0);
  });

  it('is given up after the time allowed, naming the option', async () => {
    const rig = new ClientRig();
    rig.mute = true;
    const opening = expect(rig.open()).rejects.toThrow(/openTimeoutMs/);
    await rig.clock.advance(60_000);
    await opening;
    expect(rig.clock.timers).toBe(0);
  });
});

/** How a promise was settled; neither field while it was not. */
function endOf<Value>(promise: Promise<Value>): { value?: Value; error?: unknown } {
  const end: { value?: Value; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(end, { value }),
    (error: unknown) => Object.assign(end, { error }),
  );
  return end;
}
describe('an engine whose disk is full', () => {
  it('makes the store full, and open again, without a reopen', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const healths: StoreHealth[] = [];
    store.onHealthChange((health) => healths.push(health));
    for (const full of ['7 bytes are left.', undefined]) {
      rig.engine.full = full;
      rig.hooks.onFullChange?.();
      await settled();
    }
    expect(healths).toEqual([
      { status: 'full', detail: '7 bytes are left.', reopened: 0 },
      { status: 'open', reopened: 0 },
    ]);
    await store.close();
  });

  it('is asked all the same, and closed in order', async () => {
    const rig = new ClientRig();
    rig.fullWhenOpened = '7 bytes are left.';
    const store = await rig.open();
    await settled();
    expect(store.health()).toEqual({ status: 'full', detail: '7 bytes are left.', reopened: 0 });
    expect(await store.enqueue([JOB])).toHaveLength(1);
    await store.close();
    expect(rig.engine.told).toContain('close');
  });

  it('may have room when it is opened again', async () => {
    const rig = new ClientRig();
    rig.fullWhenOpened = '7 bytes are left.';
    const store = await rig.open();
    rig.fullWhenOpened = undefined;
    rig.killEngine();
    await settled();
    expect(store.health().status).toBe('failed');
    await rig.clock.advance(100);
    expect(store.health()).toEqual({ status: 'open', reopened: 1 });
    await store.close();
  });
});

describe('an engine that is lost', () => {
  it('leaves no call without an answer when it is lost, nor when the store is closed meanwhile', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.engine.holding = true;
    const sent = endOf(store.enqueue([JOB]));
    await settled();
    rig.killEngine();
    await settled();
    expect(sent.error).toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    const waiting = [endOf(store.enqueue([JOB])), endOf(store.queues())];
    await settled();
    await store.close();
    await settled();
    for (const { error } of waiting) expect(error).toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('is opened again with the store that it had before', async () => {
    const rig = new ClientRig();
    await rig.open();
    expect(rig.formerStoreTags).toEqual([undefined]);
    rig.killEngine();
    await settled();
    await rig.clock.advance(100);
    expect(rig.formerStoreTags).toEqual([undefined, rig.engine.storeTag]);
  });

  it('settles what was under way as unknown, what changes nothing as rejected, and comes back', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const healths: StoreHealth[] = [];
    store.onHealthChange((health) => healths.push(health));
    rig.engine.holding = true;
    const enqueued = expect(store.enqueue([JOB])).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    await settled();
    rig.killEngine();
    await enqueued;
    expect(store.health()).toMatchObject({
      status: 'failed',
      reopened: 0,
      detail: expect.stringContaining('opened again'),
    });
    const later = store.enqueue([JOB]);
    await rig.clock.advance(100);
    expect(await later).toHaveLength(1);
    expect(store.health()).toEqual({ status: 'open', reopened: 1 });
    expect(healths.map(({ status }) => status)).toEqual(['failed', 'open']);
    await store.close();
    expect(rig.clock.timers).toBe(0);
  });

  it('is lost for its pending calls as soon as it says that it failed', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.engine.onEnqueue = () => rig.hooks.onFatal(new StoreFailedError('unknown', 'fdatasync failed with EIO.'));
    await expect(store.enqueue([JOB])).rejects.toThrow('fdatasync failed with EIO.');
    expect(store.health().detail).toMatch(/^fdatasync failed with EIO\. It is opened again/);
    await rig.clock.advance(100);
    expect(await store.enqueue([JOB])).toHaveLength(1);
  });

  it('breaks off when a handler meets an error of its own, because its state cannot be trusted', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.engine.onEnqueue = () => {
      throw new TypeError('x is not a function');
    };
    await expect(store.enqueue([JOB])).rejects.toThrow('x is not a function');
    await rig.clock.advance(100);
    expect(rig.engines).toHaveLength(2);
    expect(store.health().status).toBe('open');
  });

  it('survives a question that fails: only its asker is told', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    await expect(store.storage()).rejects.toThrow('this fake keeps nothing');
    expect(await store.queues()).toEqual([]);
    expect(rig.engines).toHaveLength(1);
  });

  it('is opened again with growing pauses; calls wait ten seconds and are then rejected', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.openErrors.push(...Array.from({ length: 9 }, () => new StoreOpenError('/data/queue', 'no such device')));
    rig.killEngine();
    await settled();
    let outcome: unknown;
    store.enqueue([JOB]).catch((error: unknown) => {
      outcome = error;
    });
    await rig.clock.advance(9999);
    expect(outcome).toBeUndefined();
    await rig.clock.advance(1);
    expect(outcome).toMatchObject({
      code: 'STORE_FAILED',
      outcome: 'rejected',
      message: expect.stringContaining('no such device'),
    });
    await expect(store.enqueue([JOB])).rejects.toMatchObject({ outcome: 'rejected' });
    await rig.clock.advance(60_000);
    expect(store.health()).toEqual({ status: 'open', reopened: 1 });
    expect(await store.enqueue([JOB])).toHaveLength(1);
  });

  it('stays failed when its log is damaged', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.openErrors.push(new LogCorruptError('0000000001.segment', 512, 'its CRC is wrong'));
    rig.killEngine();
    await settled();
    const ending = endOf(store.enqueue([JOB]));
    await rig.clock.advance(100);
    expect(ending.error).toMatchObject({ outcome: 'rejected' });
    await rig.clock.advance(100_000);
    expect(rig.engines).toHaveLength(1);
    expect(store.health()).toMatchObject({ status: 'failed', detail: expect.stringContaining('byte 512') });
    await store.close();
    expect(store.health().status).toBe('closed');
    expect(rig.clock.timers).toBe(0);
  });

  it('does not keep a claim that was aborted meanwhile', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.killEngine();
    await settled();
    const abort = new AbortController();
    const claim = store.claim({
      queues: ['mail'],
      limit: 1,
      leaseMs: 1000,
      waitMs: 5000,
      worker: 'w',
      signal: abort.signal,
    });
    await settled();
    abort.abort();
    expect(await claim).toEqual([]);
    await rig.clock.advance(100);
    expect(rig.engine.told).toEqual([]);
  });

  it('while it closes is told to whoever closes it, and leaves no timer', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.engine.close = () => rig.killEngine();
    await expect(store.close()).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    expect(store.health().status).toBe('closed');
    expect(rig.clock.timers).toBe(0);
  });

  it('can be closed while it is being opened again', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.killEngine();
    await settled();
    const waiting = expect(store.enqueue([JOB])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await store.close();
    await waiting;
    await rig.clock.advance(60_000);
    expect(rig.engines).toHaveLength(1);
    expect(rig.clock.timers).toBe(0);
  });
});
