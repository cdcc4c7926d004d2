import { hostname } from 'node:os';
import process from 'node:process';
import { StoreFailedError } from '@holdfast/contract';
import type { Queries } from './database.js';
import type { PostgresPool, PostgresPoolClient } from './pool.js';
import type { Lease } from './settling.js';
import type { Statement } from './statement.js';
import type { StoreStatements } from './statements.js';

const RECONNECT_MS_MIN = 100;
const RECONNECT_MS_MAX = 3000;
/** Whoever does not lead asks again after this long. */
const LEAD_AGAIN_MS = 3000;
/** A connection that is dead without a word is noticed by asking it now and then. */
const PING_MS = 10_000;
/** What begins a notification of ended leases, and how many are in one: its text may have 8,000 bytes. */
const CANCELLED = 'cancelled ';
const CANCELLED_MAX = 200;
/** Notifications of a process: not more often. */
const ANNOUNCE_MS = 100;

export interface SessionOptions {
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly statements: StoreStatements;
  /** Other processes made jobs of these queues ready; `undefined`: of any, because some may have been missed. */
  readonly heard: (queueIds: readonly number[] | undefined) => void;
  /** Other processes ended these leases by an act of an operator. */
  readonly cancelled: (leases: readonly Lease[]) => void;
  readonly reached: (error: unknown) => void;
}

/**
 * The one connection that a process keeps: it listens to the others and tells them, and holds the locks that end with it. When it is lost it is
 * made again, for as long as that takes.
 */
export class Session {
  /** How many processes had ended without closing when this one opened. */
  lost = 0;
  readonly #options: SessionOptions;
  readonly #channel: string;
  readonly #processId: number;
  #client: PostgresPoolClient | undefined;
  #leads = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #ping: NodeJS.Timeout | undefined;
  #announced = new Set<number>();
  #announcing: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions, processId: number) {
    this.#options = options;
    this.#processId = processId;
    this.#channel = `holdfast_${options.schema}`;
  }

  /** @throws what the driver throws */
  async connect(): Promise<void> {
    const client = await this.#options.pool.connect();
    const lose = (error?: Error) => this.#lose(client, error);
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    try {
      const { holdProcess, opened } = this.#options.statements;
      await client.query({ text: holdProcess.text, values: [this.#processId] });
      const { rows } = await client.query({ text: opened.text, values: [this.#processId, hostname(), process.pid] });
      this.lost = Number((rows as { lost: string }[])[0]?.lost ?? 0);
      await client.query({ text: `listen ${this.#channel}` });
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#client = client;
    this.#ping = setInterval(() => client.query({ text: 'select 1' }).catch(lose), PING_MS).unref();
    this.#askedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** For what must not wait for a connection of the pool. Absent while there is none. */
  get queries(): Queries | undefined {
    const client = this.#client;
    if (client === undefined) return undefined;
    return {
      run: async ({ text }, values = []) => (await client.query({ text, values: [...values] })).rows as never[],
    };
  }

  /** Whether this process does what is due. The lock ends with the connection, so it is asked for once each. */
  async leads(): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return false;
    if (this.#leads || performance.now() - this.#askedAtMs < LEAD_AGAIN_MS) return this.#leads;
    this.#askedAtMs = performance.now();
    const [row] = await this.#ask<{ leads: boolean }>(client, this.#options.statements.lead);
    this.#leads = this.#client === client && row?.leads === true;
    return this.#leads;
  }

  /** Tells other processes, soon, that jobs of these queues may be ready. */
  announce(queueIds: Iterable<number>): void {
    for (const id of queueIds) this.#announced.add(id);
    if (this.#announced.size === 0 || this.#closed || this.#announcing !== undefined) return;
    this.#send();
    this.#announcing = setTimeout(() => {
      this.#announcing = undefined;
      this.announce([]);
    }, ANNOUNCE_MS).unref();
  }

  /** Tells other processes of leases that an operator has ended here: whoever runs their jobs can stop. */
  announceCancelled(leases: readonly Lease[]): void {
    for (let from = 0; from < leases.length && !this.#closed; from += CANCELLED_MAX) {
      const names = leases.slice(from, from + CANCELLED_MAX).map(({ number, token }) => `${number}.${token}`);
      if (this.#client !== undefined) void this.#notify(this.#client, `${CANCELLED}${names.join(',')}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#announcing);
    clearInterval(this.#ping);
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    if (this.#announced.size > 0) await this.#notify(client, this.#takeAnnounced());
    await this.#ask(client, this.#options.statements.closed, [this.#processId]).catch(() => {});
    client.release(true);
  }

  /** As when the process is killed: nothing is told to anybody. */
  abandon(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#announcing);
    clearInterval(this.#ping);
    this.#client?.release(true);
    this.#client = undefined;
  }

  #send(): void {
    if (this.#client !== undefined) void this.#notify(this.#client, this.#takeAnnounced());
  }

  #takeAnnounced(): string {
    const payload = [...this.#announced].join(',');
    this.#announced = new Set();
    return payload;
  }

  /** What this process tells it has done already itself. */
  #hear(message: string): void {
    const [sender, payload = ''] = message.split(':', 2);
    if (Number(sender) === this.#processId) return;
    if (payload.startsWith(CANCELLED)) {
      const leases = payload.slice(CANCELLED.length).split(',');
      this.#options.cancelled(
        leases.map((name) => ({ number: Number(name.split('.')[0]), token: Number(name.split('.')[1]) })),
      );
    } else this.#options.heard(payload === '' ? undefined : payload.split(',').map(Number));
  }

  async #notify(client: PostgresPoolClient, payload: string): Promise<void> {
    await client
      .query({ text: 'select pg_notify($1, $2)', values: [this.#channel, `${this.#processId}:${payload}`] })
      .catch(() => {});
  }

  async #ask<Row>(client: PostgresPoolClient, { text }: Statement, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await client.query({ text, values });
    return rows as Row[];
  }

  #lose(client: PostgresPoolClient, error?: Error): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    clearInterval(this.#ping);
    this.#leads = false;
    client.release(true);
    this.#options.reached(error ?? new StoreFailedError('rejected', 'The connection was closed by the server.'));
    this.#connectAgain(RECONNECT_MS_MIN);
  }

  #connectAgain(afterMs: number): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      this.connect().then(
        () => {
          if (this.#closed) return this.abandon();
          this.#options.reached(undefined);
          this.#options.heard(undefined);
        },
        (error: unknown) => {
          this.#options.reached(error);
          this.#connectAgain(Math.min(afterMs * 2, RECONNECT_MS_MAX));
        },
      );
    }, afterMs);
  }
}
