// The outbox of @holdfast/core on real databases; here, since this package has their drivers for its tests.
import {
  type OutboxFailedError,
  type OutboxQueue,
  type OutboxRowRefusedError,
  openLogStore,
  Queue,
  type StartOutboxRelayOptions,
  startOutboxRelay,
} from '@holdfast/core';
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import { mysqlOutboxDatabase, type OutboxDatabase, postgresOutbox } from './outbox-databases.js';
import { temporaryDirectory } from './temporary-directory.js';

/** What waits for `opened` goes on when the test opens it. */
class Gate {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A queue in a log, and what relays asked of it. */
class WatchedQueue implements OutboxQueue {
  readonly name = 'receipts';
  readonly requests: string[] = [];
  /** Called for each job when it is stored and not yet answered. */
  hold: () => Promise<void> = () => Promise.resolve();
  readonly #queue: Queue;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  async enqueue(...[name, payload, options]: Parameters<OutboxQueue['enqueue']>): Promise<void> {
    this.requests.push(options.requestId);
    await this.#queue.enqueue(name, payload, options);
    await this.hold();
  }
}

async function openQueue() {
  const store = await openLogStore({ directory: temporaryDirectory() });
  onTestFinished(() => store.close());
  const queue = new Queue('receipts', { store });
  const jobs = async () => {
    const { rows } = await store.browse({ queue: 'receipts' }, { limit: 200 });
    return Promise.all(rows.map(async ({ id }) => (await queue.job(id))!));
  };
  return { queue, jobs, watched: () => new WatchedQueue(queue) };
}

function relayOf(database: OutboxDatabase, queue: OutboxQueue, more: Partial<StartOutboxRelayOptions> = {}) {
  const told: (OutboxFailedError | OutboxRowRefusedError)[] = [];
  const onError = (error: (typeof told)[number]) => void told.push(error);
  const relay = startOutboxRelay({ queue, outbox: database.outbox, onError, ...more });
  onTestFinished(() => relay.close());
  return { relay, told };
}

const PATIENCE_MS = 20_000;
const rowsOf = async (database: OutboxDatabase) => (await database.ask('SELECT 1 AS one FROM outbox')).length;
const emptied = (database: OutboxDatabase) => vi.waitUntil(async () => (await rowsOf(database)) === 0, PATIENCE_MS);
const send = (count: number) => Array.from({ length: count }, (_, number) => ({ name: 'send', payload: { number } }));

describe.each([
  ['PostgreSQL', () => postgresOutbox()],
  ['PostgreSQL with another level of isolation', () => postgresOutbox('serializable')],
  ['MySQL or MariaDB', mysqlOutboxDatabase],
])('an outbox in %s', (_kind, open) => {
  async function opened(context: TestContext): Promise<OutboxDatabase> {
    const database = await open();
    return typeof database === 'string' ? context.skip(database) : database;
  }

  it('has a job for what was committed, exactly as it was given, and none for what was rolled back', async (context) => {
    const database = await opened(context);
    const { queue, jobs } = await openQueue();
    const payload = { z: 'ä 😀 \0 \ud800 \' " \\', a: [1e21, 0.1, -1.5, 2 ** 53 - 1], nothing: null };
    await database.place([{ name: 'rolled back', payload }], 'ROLLBACK');
    await database.place([{ name: 'send', payload, options: { priority: 7, headers: { trace: 'ä' } } }], 'COMMIT');
    const { told } = relayOf(database, queue);
    await emptied(database);
    const stored = await jobs();
    expect(stored).toMatchObject([{ name: 'send', priority: 7, headers: { trace: 'ä' } }]);
    expect(JSON.stringify(stored[0]?.payload)).toBe(JSON.stringify(payload));
    expect(told).toEqual([]);
  });

  it('is carried by two relays beside each other, each row by one of them; writers wait for neither', async (context) => {
    const database = await opened(context);
    const { jobs, watched } = await openQueue();
    await database.place(send(130), 'COMMIT');
    const [one, other] = [watched(), watched()];
    const [gate, otherGate] = [new Gate(), new Gate()];
    one.hold = () => gate.opened;
    other.hold = () => (other.requests.length > 50 ? otherGate.opened : Promise.resolve());
    const first = relayOf(database, one, { rowsMax: 50 });
    await vi.waitUntil(() => one.requests.length === 50, PATIENCE_MS);
    const second = relayOf(database, other, { rowsMax: 50 });
    await vi.waitUntil(() => other.requests.length === 80, PATIENCE_MS);
    // The second one stands at the end of the table, where it would lock the gap for all rows to come.
    await database.place(send(5), 'COMMIT');
    gate.open();
    otherGate.open();
    second.relay.wake();
    await emptied(database);
    const requests = [...one.requests, ...other.requests];
    expect([requests.length, new Set(requests).size, (await jobs()).length]).toEqual([135, 135, 135]);
    expect([first.told, second.told]).toEqual([[], []]);
  });

  it('survives that its connection is lost between enqueue and delete: told once, and nothing is stored twice', async (context) => {
    const database = await opened(context);
    const { jobs, watched } = await openQueue();
    await database.place(send(3), 'COMMIT');
    const queue = watched();
    const gate = new Gate();
    queue.hold = () => gate.opened;
    const { told } = relayOf(database, queue);
    await vi.waitUntil(() => queue.requests.length === 3, PATIENCE_MS);
    await database.cutOff();
    gate.open();
    await emptied(database);
    expect(told).toMatchObject([{ code: 'OUTBOX_FAILED' }]);
    expect([queue.requests.length, new Set(queue.requests).size, (await jobs()).length]).toEqual([6, 3, 3]);
  });

  it('keeps a row that the queue does not take, with the reason, and carries it when it is mended', async (context) => {
    const database = await opened(context);
    const { queue, jobs } = await openQueue();
    await database.ask(`INSERT INTO outbox (name, payload) VALUES ('send', 'no JSON')`);
    await database.ask(`INSERT INTO outbox (name, payload) VALUES ('send', '{"number":1}')`);
    const { relay, told } = relayOf(database, queue, { rowsMax: 1 });
    await vi.waitUntil(async () => (await jobs()).length === 1, PATIENCE_MS);
    await vi.waitUntil(async () => (await rowsOf(database)) === 1, PATIENCE_MS);
    const [kept] = await database.ask('SELECT payload, refused FROM outbox');
    expect(kept).toEqual({ payload: 'no JSON', refused: expect.stringMatching(/not valid JSON|Unexpected token/) });
    expect(told).toMatchObject([{ code: 'OUTBOX_ROW_REFUSED', jobName: 'send', because: kept?.refused }]);
    await database.ask(`UPDATE outbox SET payload = '{"number":2}', refused = NULL`);
    relay.wake();
    await emptied(database);
    expect((await jobs()).map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ number: 1 }, { number: 2 }]),
    );
    expect(told).toHaveLength(1);
  });

  it('says which table it did not find, and carries on when it is there', async (context) => {
    const database = await opened(context);
    const { queue, jobs } = await openQueue();
    await database.place(send(1), 'COMMIT');
    await database.ask('ALTER TABLE outbox RENAME TO elsewhere');
    const { told } = relayOf(database, queue);
    await vi.waitUntil(() => told.length === 1, PATIENCE_MS);
    expect(told[0]).toMatchObject({ code: 'OUTBOX_FAILED', message: expect.stringContaining('outbox') });
    await database.ask('ALTER TABLE elsewhere RENAME TO outbox');
    await emptied(database);
    expect([told.length, (await jobs()).length]).toEqual([1, 1]);
  });
});

it('an outbox in MySQL or MariaDB is carried over connections that have chosen no database', async (context) => {
  const database = await mysqlOutboxDatabase();
  if (typeof database === 'string') return context.skip(database);
  const { queue, jobs } = await openQueue();
  await database.place(send(2), 'COMMIT');
  const { told } = relayOf({ ...database, outbox: database.unchosen }, queue);
  await vi.waitUntil(async () => told.length > 0 || (await rowsOf(database)) === 0, PATIENCE_MS);
  expect([told, (await jobs()).length]).toEqual([[], 2]);
});
