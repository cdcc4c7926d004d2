import type { Queries, SqlDatabase, StatementName, Statements } from '@holdfast/sql-store';
import type { Call, Calls } from './calls.js';
import { type ClaimPlace, ClaimStarts } from './claim-starts.js';
import type { Queries as Connection, Database } from './database.js';

/** The database as the store asks it. */
export class StoreDatabase implements SqlDatabase {
  readonly #database: Database;
  readonly #calls: Calls;
  readonly #starts: ClaimStarts;

  constructor(database: Database, calls: Calls) {
    this.#database = database;
    this.#calls = calls;
    this.#starts = new ClaimStarts({ countGone: () => this.#goneReady(), nowMs: () => performance.now() });
  }

  run<Name extends StatementName>(name: Name, values: Statements[Name]['values']): Promise<Statements[Name]['row'][]> {
    if (name === 'claim') return this.#claim(values as Statements['claim']['values']);
    return answered(this.#database, this.#calls.ofOwn(name, values));
  }

  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer> {
    return this.#database.transaction((queries) =>
      work({
        run: <Name extends StatementName>(name: Name, values: Statements[Name]['values']) =>
          answered<Statements[Name]['row']>(queries, this.#calls.ofOwn(name, values)),
      }),
    );
  }

  #claim(values: Statements['claim']['values']): Promise<(Statements['claim']['row'] & ClaimPlace)[]> {
    const [queueIds, names, limit] = values;
    const { claim } = this.#calls.statements;
    return this.#starts.take(JSON.stringify([queueIds, names]), limit, ({ priority, rank_ms, number }) =>
      this.#database.run(claim, [...values, priority, rank_ms, number]),
    );
  }

  async #goneReady(): Promise<number> {
    const [row] = await this.#database.run<{ gone: number }>(this.#calls.statements.goneReady);
    return row?.gone ?? 0;
  }
}

async function answered<Row>(connection: Connection, { statement, values, read }: Call): Promise<Row[]> {
  const rows = await connection.run<object>(statement, values);
  return (read === undefined ? rows : read(rows)) as Row[];
}
