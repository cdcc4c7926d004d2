import { InvalidArgumentError, InvalidJobError, StoreFailedError, StoreFullError } from '@holdfast/contract';
import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../test/queue/memory-store.js';
import { jsonCodec } from '../queue/json-codec.js';
import { Queue } from '../queue/queue.js';
import type { Outbox, OutboxRow, Refusals } from './outbox.js';
import { OutboxFailedError, type OutboxRowRefusedError } from './outbox-errors.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';

/** A table in memory that does what the contract of an outbox says. */
class ListedOutbox implements Outbox {
  readonly codec = jsonCodec;
  rows: OutboxRow[] = [];
  readonly refused = new Map<OutboxRow, string>();
  readonly carries: number[] = [];
  retries = 0;
  underWay = 0;
  underWayMost = 0;
  /** Called in each transaction before anything is read, and before anything is removed; what it throws is the database's. */
  disturb: (step: 'read' | 'remove') => Promise<void> | void = () => {};

  async carry(rowsMax: number, store: (rows: readonly OutboxRow[]) => Promise<Refusals>): Promise<number> {
    this.underWayMost = Math.max(this.underWayMost, ++this.underWay);
    try {
      await this.disturb('read');
      const found = this.rows.filter((row) => !this.refused.has(row)).slice(0, rowsMax);
      const refusals = found.length === 0 ? new Map() : await store(found);
      await this.disturb('remove');
      this.rows = this.rows.filter((row) => !found.includes(row) || refusals.has(row));
      for (const [row, { because }] of refusals) this.refused.set(row, because);
      this.carries.push(found.length);
      return found.length;
    } finally {
      this.underWay--;
    }
  }

  async retryRefused(): Promise<void> {
    this.retries++;
    this.refused.clear();
  }

  put(...names: string[]): void {
    for (const name of names) this.add({ name });
  }

  add(row: Partial<OutboxRow>): void {
    const requestId = `request-${this.rows.length}`;
    this.rows.push({ requestId, name: 'send', payload: '{}', options: undefined, ...row });
  }
}

/** What waits for `opened` goes on when the test opens it. */
class Gate {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

let clock: VirtualClock;
let store: MemoryStore;
let outbox: ListedOutbox;
let told: (OutboxFailedError | OutboxRowRefusedError)[];

beforeEach(() => {
  clock = new VirtualClock();
  store = new MemoryStore(clock);
  outbox = new ListedOutbox();
  told = [];
});

function start(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
  const queue = new Queue('receipts', { store });
  return OutboxRelay.start({ queue, outbox, onError: (error) => void told.push(error), clock, ...options });
}

const namesStored = () => store.jobs.map(({ job }) => job.name);

describe('OutboxRelay', () => {
  it('carries what is there when it starts, in order, and looks again until the table is empty', async () => {
    outbox.put('a', 'b', 'c', 'd', 'e');
    const relay = start({ rowsMax: 2 });
    await clock.advance(0);
    expect(namesStored()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([outbox.carries, outbox.rows]).toEqual([[2, 2, 1], []]);
    await relay.close();
    expect(clock.timers).toBe(0);
  });

  it('enqueues a row with its options, under its request id', async () => {
    const asked: unknown[][] = [];
    const queue = { name: 'receipts', enqueue: async (...call: unknown[]) => void asked.push(call) };
    outbox.add({ requestId: 'r-1', payload: '{"orderId":"o-1"}', options: '{"priority":3,"requestId":"forged"}' });
    const relay = start({ queue });
    await clock.advance(0);
    expect(asked).toEqual([['send', { orderId: 'o-1' }, { priority: 3, requestId: 'r-1' }]]);
    await relay.close();
  });

  it('looks every so often, and soon when it is woken, once for all who call meanwhile', async () => {
    const relay = start({ lookEveryMs: 1000 });
    await clock.advance(999);
    expect(outbox.carries).toHaveLength(1);
    await clock.advance(1);
    expect(outbox.carries).toHaveLength(2);
    outbox.put('a');
    for (let call = 0; call < 10; call++) relay.wake();
    await clock.advance(0);
    expect([namesStored(), outbox.carries]).toEqual([['a'], [0, 0, 1]]);
    await relay.close();
  });

  it('looks once more when it is woken while it looks, and never twice at once', async () => {
    const gate = new Gate();
    outbox.disturb = (step) => (step === 'remove' && outbox.carries.length === 0 ? gate.opened : undefined);
    const relay = start();
    await clock.advance(0);
    for (let call = 0; call < 10; call++) relay.wake();
    outbox.put('late');
    await clock.advance(0);
    expect(namesStored()).toEqual([]);
    gate.open();
    await clock.advance(0);
    expect([namesStored(), outbox.carries, outbox.underWayMost]).toEqual([['late'], [0, 1], 1]);
    await relay.close();
  });

  it('tells once of a failing spell, tries again more and more seldom however often it is woken, and tells of the next one', async () => {
    let tries = 0;
    const broken = () => {
      tries++;
      throw new Error('connect ECONNREFUSED');
    };
    outbox.disturb = broken;
    outbox.put('a');
    const relay = start({ lookEveryMs: 60_000 });
    await clock.advance(0);
    for (let call = 0; call < 10; call++) {
      relay.wake();
      await clock.advance(9);
    }
    expect(tries).toBe(1);
    await clock.advance(10);
    expect(tries).toBe(2);
    await clock.advance(20_000);
    expect([tries, told.length]).toEqual([9, 1]);
    expect(told[0]).toBeInstanceOf(OutboxFailedError);
    expect(told[0]).toMatchObject({
      code: 'OUTBOX_FAILED',
      queue: 'receipts',
      cause: { message: 'connect ECONNREFUSED' },
    });
    expect(told[0]?.message).toContain('ECONNREFUSED. Its rows are kept');
    outbox.disturb = () => {};
    await clock.advance(5000);
    expect([namesStored(), outbox.rows]).toEqual([['a'], []]);
    outbox.disturb = broken;
    await clock.advance(60_000);
    expect(told).toHaveLength(2);
    await relay.close();
  });

  it.each([
    new StoreFailedError('unknown', 'The engine was lost.'),
    new StoreFailedError('rejected', 'It cannot be reached.'),
    new StoreFullError('/data', 0),
  ])('leaves all rows when the store fails, and marks none: %s', async (failure) => {
    outbox.put('a', 'b');
    store.disturb = () => {
      throw failure;
    };
    const relay = start();
    await clock.advance(0);
    expect([outbox.rows.length, outbox.refused.size, told.length]).toEqual([2, 0, 1]);
    expect(told[0]?.cause).toBe(failure);
    store.disturb = () => {};
    await clock.advance(100);
    expect([outbox.rows.length, store.jobs.length, told.length]).toEqual([0, 2, 1]);
    await relay.close();
  });

  it('waits for every enqueue before the transaction ends, also when one has failed', async () => {
    const gate = new Gate();
    const steps: string[] = [];
    const queue = {
      name: 'receipts',
      async enqueue(name: string) {
        if (name === 'bad') throw new StoreFailedError('unknown', 'The engine was lost.');
        await gate.opened;
        steps.push('stored');
      },
    };
    outbox.put('bad', 'slow');
    const relay = start({ queue, onError: () => void steps.push('failed') });
    await clock.advance(0);
    expect(steps).toEqual([]);
    gate.open();
    await clock.advance(0);
    expect(steps).toEqual(['stored', 'failed']);
    await relay.close();
  });

  it('goes past rows that the queue does not take, and tells of each once', async () => {
    outbox.add({ requestId: 'big', payload: JSON.stringify('x'.repeat(2000)) });
    outbox.add({ requestId: 'text', payload: 'no JSON' });
    outbox.add({ requestId: 'option', options: '{"delay":5}' });
    outbox.add({ requestId: 'list', options: '[]' });
    outbox.put('good', 'better');
    const relay = start({ rowsMax: 2 });
    await clock.advance(20_000);
    relay.wake();
    await clock.advance(0);
    expect(namesStored()).toEqual(['good', 'better']);
    expect(outbox.rows.map(({ requestId }) => requestId)).toEqual(['big', 'text', 'option', 'list']);
    expect(told.map((error) => 'requestId' in error && error.requestId)).toEqual(['big', 'text', 'option', 'list']);
    expect(told[0]).toMatchObject({ code: 'OUTBOX_ROW_REFUSED', queue: 'receipts', jobName: 'send' });
    expect(told[0]?.cause).toBeInstanceOf(InvalidJobError);
    expect([...outbox.refused.values()][0]).toContain('payload is too big');
    await relay.close();
  });

  it('says of a row that was stored before, under other defaults, that its job is there and the row can go', async () => {
    const requests = memoryStore({ clock, random: new SeededRandom(1) });
    outbox.put('send');
    outbox.disturb = (step) => {
      if (step === 'remove') throw new Error('connection lost');
    };
    const before = start({ queue: new Queue('receipts', { store: requests, defaults: { maxAttempts: 3 } }) });
    await clock.advance(0);
    await before.close();
    outbox.disturb = () => {};
    told = [];
    const after = start({ queue: new Queue('receipts', { store: requests, defaults: { maxAttempts: 5 } }) });
    await clock.advance(0);
    expect(told).toMatchObject([{ code: 'OUTBOX_ROW_REFUSED', requestId: 'request-0' }]);
    expect(told[0]?.message).toContain('the job is in the queue: delete the row');
    expect((await requests.browse({}, { limit: 10 })).rows).toHaveLength(1);
    await after.close();
    await requests.close();
  });

  it('tries rows that were refused again when it starts, and every hour', async () => {
    outbox.add({ payload: 'no JSON' });
    const relay = start();
    await clock.advance(3_500_000);
    expect([outbox.retries, told.length]).toEqual([1, 1]);
    await clock.advance(200_000);
    expect([outbox.retries, told.length]).toEqual([2, 2]);
    outbox.rows[0] = { ...outbox.rows[0]!, payload: '{}' };
    await clock.advance(3_600_000);
    expect([outbox.rows.length, store.jobs.length, told.length]).toEqual([0, 1, 2]);
    await relay.close();
  });

  it('does not tell of a refused row whose mark was not committed', async () => {
    outbox.add({ payload: 'no JSON' });
    outbox.disturb = (step) => {
      if (step === 'remove') throw new Error('the connection was lost');
    };
    const relay = start();
    await clock.advance(0);
    outbox.disturb = () => {};
    await clock.advance(100);
    expect(told.map(({ code }) => code)).toEqual(['OUTBOX_FAILED', 'OUTBOX_ROW_REFUSED']);
    await relay.close();
  });

  it('finishes the batch that it carries before it is closed, and begins no other', async () => {
    const gate = new Gate();
    store.disturb = () => gate.opened;
    outbox.put('a', 'b', 'c');
    const relay = start({ rowsMax: 2 });
    await clock.advance(0);
    let closed = false;
    const closing = relay.close().then(() => (closed = true));
    await clock.advance(0);
    expect(closed).toBe(false);
    gate.open();
    await closing;
    expect([namesStored(), outbox.rows.map(({ name }) => name), clock.timers]).toEqual([['a', 'b'], ['c'], 0]);
    relay.wake();
    await relay.close();
    await clock.advance(60_000);
    expect(outbox.carries).toEqual([2]);
  });

  it('closes at once while it waits after a failure', async () => {
    outbox.disturb = () => {
      throw new Error('down');
    };
    const relay = start();
    await clock.advance(0);
    await relay.close();
    expect(clock.timers).toBe(0);
  });

  it('goes on when the listener throws', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    outbox.add({ payload: 'no JSON' });
    const relay = start({
      rowsMax: 1,
      onError() {
        throw new Error('The listener is broken.');
      },
    });
    outbox.put('good');
    await clock.advance(0);
    expect(namesStored()).toEqual(['good']);
    expect((await warned).message).toBe('The listener is broken.');
    await relay.close();
  });

  it.each([
    ['lookEveryMs', 0],
    ['lookEveryMs', Number.NaN],
    ['rowsMax', 0],
    ['rowsMax', 1001],
    ['retryRefusedEveryMs', -1],
    ['onError', undefined],
  ])('refuses %s: %s', (option, value) => {
    expect(() => start({ [option]: value })).toThrow(InvalidArgumentError);
    expect(() => start({ [option]: value })).toThrow(option);
  });
});
