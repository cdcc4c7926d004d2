import { hostname } from 'node:os';
import process from 'node:process';
import { StoreFailedError } from '@holdfast/contract';
import {
  answeredIn,
  callFailure,
  inSchema,
  type SessionConnection,
  type SessionLink,
  type SessionListener,
  silenceMsOf,
} from '@holdfast/sql-store';
import { mysqlErrors } from './database-errors.js';
import type { MysqlPool, MysqlPoolConnection } from './pool.js';
import { boundValues, castNumbers } from './rows.js';
import { type SqlText, sql } from './sql-text.js';
import { STEPS } from './statements.js';
import type { Surroundings, Work } from './work.js';

export interface MysqlLinkOptions {
  readonly pool: MysqlPool;
  readonly schema: string;
  readonly location: string;
  readonly callTimeoutMs: number;
  readonly surroundings: Surroundings;
}

/** A connection, and who is told when it is lost. */
interface Kept {
  readonly connection: MysqlPoolConnection;
  readonly lost: (error?: unknown) => void;
}

/** For the lock of a process, which nobody else wants: a connection that was lost may hold it until the server knows of that. */
const LOCK_S = 5;

/** Without the lock others would take this process for ended, and give its jobs to somebody else. */
function lockHeld(): StoreFailedError {
  return new StoreFailedError(
    'rejected',
    'The lock of this process is not free yet: a connection that was lost holds it.',
  );
}

/** The connection that holds the locks of a process. There is no way here to tell other processes anything: they poll. */
export class MysqlLink implements SessionLink {
  readonly silenceMs: number;
  readonly #options: MysqlLinkOptions;
  #kept: Kept | undefined;

  constructor(options: MysqlLinkOptions) {
    this.silenceMs = silenceMsOf(options.callTimeoutMs);
    this.#options = options;
  }

  /** For what must not wait for a connection of the pool. Absent while there is none. */
  get work(): Work | undefined {
    return this.#kept && this.#workOn(this.#kept);
  }

  async connect(processId: number, listener: SessionListener): Promise<SessionConnection> {
    const connection = await this.#options.pool.getConnection();
    const lost = (error?: unknown) => {
      if (this.#kept?.connection === connection) this.#kept = undefined;
      listener.lost(error);
    };
    connection.on('error', lost);
    connection.on('end', () => lost());
    const kept = { connection, lost };
    try {
      const begun = await this.#begin(kept, processId);
      this.#kept = kept;
      return begun;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async #begin(kept: Kept, processId: number): Promise<SessionConnection> {
    const ask = <Row>(query: SqlText) => this.#ask<Row>(kept, query);
    const { schema, surroundings } = this.#options;
    // The server ends the connection, and with it its locks, when it has heard nothing on it for so long.
    await ask(sql`set session wait_timeout = ${Math.ceil(this.silenceMs / 1000)}`);
    const own = sql`select get_lock(${this.#lock(processId)}, ${LOCK_S}) as got`;
    if (Number((await ask<{ got: unknown }[]>(own))[0]?.got) !== 1) throw lockHeld();
    const { affectedRows } = await ask<{ affectedRows: number }>(
      sql`delete from hf.process where is_free_lock(concat(${this.#lock('')}, id)) = 1`,
    );
    // After a lost connection the process is there already.
    await ask(
      sql`replace into hf.process (id, opened_at_ms, host, pid) values (${processId}, ${surroundings.now}, ${hostname()}, ${process.pid})`,
    );
    const lead = sql`select get_lock(${`hf:${schema}:lead`}, 0) as leads`;
    return {
      lostProcesses: affectedRows,
      queries: {
        run: (name, values) => STEPS[name].run(this.#workOn(kept), values),
      },
      leads: async () => Number((await ask<{ leads: unknown }[]>(lead))[0]?.leads) === 1,
      ping: () => ask(sql`select 1`),
      leave: () => ask(sql`delete from hf.process where id = ${processId}`),
      end: () => {
        if (this.#kept === kept) this.#kept = undefined;
        kept.connection.destroy();
      },
    };
  }

  #workOn(kept: Kept): Work {
    const { location, surroundings } = this.#options;
    const rows = async <Row>(query: SqlText) => {
      try {
        const answer = await this.#ask<unknown>(kept, query);
        return (Array.isArray(answer) ? answer : []) as Row[];
      } catch (error) {
        throw callFailure(error, 'sent', location, mysqlErrors);
      }
    };
    return { ...surroundings, rows };
  }

  /** What the server does not answer in time it may never answer, nor what is asked behind it. */
  async #ask<Answer>(kept: Kept, query: SqlText): Promise<Answer> {
    const { schema, callTimeoutMs } = this.#options;
    const text = inSchema(query.text, schema);
    const options = { typeCast: castNumbers, rowsAsArray: false, nestTables: false };
    const asked = kept.connection.query({ sql: text, values: boundValues(query), ...options });
    try {
      const [answer] = await answeredIn(callTimeoutMs, asked);
      return answer as Answer;
    } catch (error) {
      if (!mysqlErrors.isRefusal(error)) kept.lost(error);
      throw error;
    }
  }

  /** At most 64 characters. */
  #lock(processId: number | ''): string {
    return `hf:${this.#options.schema}:of:${processId}`;
  }
}
