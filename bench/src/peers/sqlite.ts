import { join } from 'node:path';
import type { Order } from '../order.js';
import type { Peer, PeerWorker } from '../peer.js';
import { type Database, findDriver } from './sqlite-driver.js';

/** As durable as Holdfast: WAL, and each transaction is on stable storage when it returns. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY, queue TEXT NOT NULL, name TEXT NOT NULL, payload TEXT NOT NULL, priority INTEGER NOT NULL,
    state INTEGER NOT NULL, attempts INTEGER NOT NULL, runAtMs INTEGER NOT NULL, leaseEndsAtMs INTEGER, token INTEGER
  );
  CREATE INDEX ready ON jobs (queue, priority, runAtMs, id) WHERE state = 0;
`;
const INSERT = `INSERT INTO jobs (queue, name, payload, priority, state, attempts, runAtMs) VALUES (?, ?, ?, 0, 0, 0, ?)`;
const CLAIM = `
  UPDATE jobs SET state = 1, attempts = attempts + 1, leaseEndsAtMs = ?, token = ?
  WHERE id IN (SELECT id FROM jobs WHERE queue = ? AND state = 0 ORDER BY priority, runAtMs, id LIMIT ?)
  RETURNING id, payload
`;
const ACK = 'DELETE FROM jobs WHERE id = ? AND token = ?';
/** At once again, until there is no attempt left: then the state is 2. */
const FAIL =
  'UPDATE jobs SET state = CASE WHEN attempts < ? THEN 0 ELSE 2 END, token = NULL WHERE id = ? AND token = ?';
const COUNTS =
  'SELECT count(*) FILTER (WHERE state < 2) AS unfinished, count(*) FILTER (WHERE state = 2) AS failed FROM jobs';
const ATTEMPTS_MAX = 3;

interface Row {
  readonly id: number;
  readonly payload: string;
}

/** What shares a transaction, and with it an fsync: all that is asked in a turn of the event loop, or nothing. */
export type Commit = 'each turn' | 'each call';

export interface SqlitePeer extends Peer {
  counts(): Promise<{ unfinished: number; failed: number }>;
}

/**
 * A good queue on SQLite: all that is asked in a turn of the event loop goes into one transaction, so that a thousand enqueues share
 * one fsync; jobs are claimed as many at a time as there is room for; statements are prepared once.
 */
export async function openSqlite(directory: string, commit: Commit = 'each turn'): Promise<SqlitePeer> {
  const driver = findDriver();
  if (driver === undefined) throw new Error('There is no SQLite here.');
  const queue = new SqliteQueue(driver.open(join(directory, 'jobs.sqlite')), commit);
  return {
    counts: async () => queue.counts(),
    enqueue: (order) => queue.enqueue([order]),
    enqueueMany: (orders) => queue.enqueue(orders),
    work: (concurrency, handler) => new SqliteWorker(queue, concurrency, handler),
    close: async () => queue.close(),
  };
}

class SqliteQueue {
  readonly #database: Database;
  readonly #commitWhen: Commit;
  readonly #statements;
  #steps: (() => void)[] = [];
  #answers: (() => void)[] = [];
  #tokens = 0;
  /** Called after a transaction that brought jobs. */
  onJobs: (() => void) | undefined;

  constructor(database: Database, commit: Commit) {
    this.#database = database;
    this.#commitWhen = commit;
    database.exec(SCHEMA);
    this.#statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      commit: database.prepare('COMMIT'),
      insert: database.prepare(INSERT),
      claim: database.prepare(CLAIM),
      ack: database.prepare(ACK),
      fail: database.prepare(FAIL),
      counts: database.prepare(COUNTS),
    };
  }

  async enqueue(orders: readonly Order[]): Promise<void> {
    const payloads = orders.map((order) => JSON.stringify(order));
    const nowMs = Date.now();
    await this.#inTransaction(() => {
      for (const payload of payloads) this.#statements.insert.run('orders', 'place', payload, nowMs);
    });
    this.onJobs?.();
  }

  async claim(limit: number): Promise<{ rows: Row[]; token: number }> {
    const token = ++this.#tokens;
    let rows: Row[] = [];
    await this.#inTransaction(() => {
      rows = this.#statements.claim.all(Date.now() + 30_000, token, 'orders', limit) as Row[];
    });
    return { rows, token };
  }

  ack(id: number, token: number): Promise<void> {
    return this.#inTransaction(() => this.#statements.ack.run(id, token));
  }

  /** The job goes back to those that wait, or has used up its attempts. */
  async fail(id: number, token: number): Promise<void> {
    await this.#inTransaction(() => this.#statements.fail.run(ATTEMPTS_MAX, id, token));
    this.onJobs?.();
  }

  counts(): { unfinished: number; failed: number } {
    return this.#statements.counts.all()[0] as { unfinished: number; failed: number };
  }

  close(): void {
    this.#database.close();
  }

  #inTransaction(step: () => void): Promise<void> {
    if (this.#commitWhen === 'each call') return this.#commitAlone(step);
    // Not nextTick: with a thousand in flight the event loop would get no turn at all.
    if (this.#steps.length === 0) setImmediate(() => this.#commit());
    this.#steps.push(step);
    return new Promise((resolve) => {
      this.#answers.push(resolve);
    });
  }

  async #commitAlone(step: () => void): Promise<void> {
    this.#statements.begin.run();
    step();
    this.#statements.commit.run();
  }

  #commit(): void {
    const steps = this.#steps;
    const answers = this.#answers;
    this.#steps = [];
    this.#answers = [];
    this.#statements.begin.run();
    for (const step of steps) step();
    this.#statements.commit.run();
    for (const answer of answers) answer();
  }
}

class SqliteWorker implements PeerWorker {
  readonly #queue: SqliteQueue;
  readonly #handler: (order: Order) => Promise<void>;
  #free: number;
  readonly #concurrency: number;
  #claiming = false;
  #closing = false;
  #told: (() => void) | undefined;

  constructor(queue: SqliteQueue, concurrency: number, handler: (order: Order) => Promise<void>) {
    this.#queue = queue;
    this.#concurrency = concurrency;
    this.#free = concurrency;
    this.#handler = handler;
    queue.onJobs = () => void this.#claim();
    void this.#claim();
  }

  async close(): Promise<void> {
    this.#closing = true;
    while (this.#free < this.#concurrency || this.#claiming) {
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  async #claim(): Promise<void> {
    if (this.#claiming || this.#closing) return;
    this.#claiming = true;
    while (this.#free > 0 && !this.#closing) {
      const { rows, token } = await this.#queue.claim(this.#free);
      if (rows.length === 0) break;
      this.#free -= rows.length;
      for (const row of rows) void this.#run(row, token);
    }
    this.#claiming = false;
    this.#told?.();
  }

  async #run({ id, payload }: Row, token: number): Promise<void> {
    if (await this.#succeeds(payload)) await this.#queue.ack(id, token);
    else await this.#queue.fail(id, token);
    this.#free++;
    this.#told?.();
    void this.#claim();
  }
  async #succeeds(payload: string): Promise<boolean> {
    try {
      await this.#handler(JSON.parse(payload));
      return true;
    } catch {
      return false;
    }
  }
}
