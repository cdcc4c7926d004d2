import { hostname } from 'node:os';
import process from 'node:process';
import {
  callFailure,
  type SessionConnection,
  type SessionLink,
  type SessionListener,
  silenceMsOf,
} from '@holdfast/sql-store';
import { boundValues, types } from './bound-values.js';
import type { Calls } from './calls.js';
import { postgresErrors } from './database-errors.js';
import type { PostgresPool, PostgresPoolClient } from './pool.js';
import { Turns } from './turns.js';

export interface PostgresLinkOptions {
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly location: string;
  readonly callTimeoutMs: number;
  readonly calls: Calls;
}

/** The connection on which a process listens to the others, and which holds its locks. */
export class PostgresLink implements SessionLink {
  readonly silenceMs: number;
  readonly #options: PostgresLinkOptions;

  constructor(options: PostgresLinkOptions) {
    this.silenceMs = silenceMsOf(options.callTimeoutMs);
    this.#options = options;
  }

  async connect(processId: number, listener: SessionListener): Promise<SessionConnection> {
    const client = await this.#options.pool.connect();
    client.on('error', listener.lost);
    client.on('end', () => listener.lost());
    client.on('notification', ({ payload = '' }) => listener.heard(payload));
    try {
      return await this.#begin(client, processId);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #begin(client: PostgresPoolClient, processId: number): Promise<SessionConnection> {
    const { callTimeoutMs, calls } = this.#options;
    const { endWhenSilent, holdProcess, opened, lead, closed } = calls.statements;
    const channel = `holdfast_${this.#options.schema}`;
    const turns = new Turns();
    const ask = <Row>({ text }: { readonly text: string }, values: unknown[] = []) =>
      turns.take(async () => (await client.query({ text, values, query_timeout: callTimeoutMs })).rows as Row[]);
    await ask(endWhenSilent, [this.silenceMs]);
    await ask(holdProcess, [processId]);
    const [row] = await ask<{ lost: string }>(opened, [processId, hostname(), process.pid]);
    await ask({ text: `listen ${channel}` });
    return {
      lostProcesses: Number(row?.lost ?? 0),
      queries: { run: (name, values) => turns.take(() => this.#run(client, this.#options.calls.of(name, values))) },
      leads: async () => (await ask<{ leads: boolean }>(lead))[0]?.leads === true,
      ping: () => ask({ text: 'select 1' }),
      tell: (message) => ask({ text: 'select pg_notify($1, $2)' }, [channel, message]),
      leave: () => ask(closed, [processId]),
      end: () => client.release(true),
    };
  }

  async #run<Row>(client: PostgresPoolClient, { statement, values }: ReturnType<Calls['of']>): Promise<Row[]> {
    const { callTimeoutMs, location } = this.#options;
    try {
      const { rows } = await client.query({
        text: statement.text,
        values: boundValues(values),
        types,
        query_timeout: callTimeoutMs,
      });
      return rows as Row[];
    } catch (error) {
      throw callFailure(error, 'sent', location, postgresErrors);
    }
  }
}
